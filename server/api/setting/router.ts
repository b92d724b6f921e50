import { router } from "../trpc";
import { get } from "./get";
import { list } from "./list";

export const settingRouter = router({ get, list });
