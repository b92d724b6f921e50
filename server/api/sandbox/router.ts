import { router } from "../trpc";
import { get } from "./get";
import { list } from "./list";
import { stop } from "./stop";

export const sandboxRouter = router({ get, list, stop });
