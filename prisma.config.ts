import { defineConfig } from "prisma/config";

export default defineConfig({
  schema: "prisma",
  migrations: { path: "prisma/migrations" },
  // Only commands that speak to a database need it; `generate` and `format` run without one.
  datasource: { url: process.env["DATABASE_URL"] ?? "" },
});
