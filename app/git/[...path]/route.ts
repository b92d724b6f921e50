import { handleGit } from "@/server/entry/web";

export const dynamic = "force-dynamic";

export { handleGit as GET, handleGit as POST };
