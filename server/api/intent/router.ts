import { router } from "../trpc";
import { declare } from "./declare";
import { list } from "./list";

export const intentRouter = router({ declare, list });
