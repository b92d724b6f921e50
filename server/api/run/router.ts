import { router } from "../trpc";
import { events } from "./events";
import { get } from "./get";
import { list } from "./list";
import { output } from "./output";
import { search } from "./search";
import { stop } from "./stop";
import { stream } from "./stream";

export const runRouter = router({ events, get, list, output, search, stop, stream });
