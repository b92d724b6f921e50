import { router } from "../trpc";
import { allow } from "./allow";
import { list } from "./list";
import { remove } from "./remove";

export const egressRouter = router({ allow, list, remove });
