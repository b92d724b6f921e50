import { handleRaw } from "@/server/entry/web";

export const dynamic = "force-dynamic";

export { handleRaw as GET };
