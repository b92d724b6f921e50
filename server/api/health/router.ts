import { router } from "../trpc";
import { get } from "./get";

export const healthRouter = router({ get });
