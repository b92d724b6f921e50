/** Writes docs/schemas/api.json anew: `npm run schemas`. A test says when it is out of date. */
import { mkdir, writeFile } from "node:fs/promises";
import { formatApiSchemas } from "./api-schemas";

await mkdir("docs/schemas", { recursive: true });
await writeFile("docs/schemas/api.json", formatApiSchemas());
console.log("✓ docs/schemas/api.json describes every procedure");
