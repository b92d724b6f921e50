import { handleApi } from "@/server/entry/web";

export const dynamic = "force-dynamic";

export { handleApi as GET, handleApi as POST };
