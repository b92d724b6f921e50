import { router } from "../trpc";
import { list } from "./list";
import { set } from "./set";

export const viewedRouter = router({ list, set });
