import { handleMcp } from "@/server/entry/web";

export const dynamic = "force-dynamic";

export { handleMcp as GET, handleMcp as POST, handleMcp as DELETE };
