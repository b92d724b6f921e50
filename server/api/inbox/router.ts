import { router } from "../trpc";
import { list } from "./list";

export const inboxRouter = router({ list });
