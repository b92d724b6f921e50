import { router } from "../trpc";
import { create } from "./create";
import { list } from "./list";
import { resolve } from "./resolve";

export const commentRouter = router({ create, list, resolve });
