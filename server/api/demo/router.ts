import { router } from "../trpc";
import { start } from "./start";

export const demoRouter = router({ start });
