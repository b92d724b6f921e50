import { router } from "../trpc";
import { list } from "./list";
import { stream } from "./stream";

export const eventRouter = router({ list, stream });
