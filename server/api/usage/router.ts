import { router } from "../trpc";
import { current } from "./current";
import { daily } from "./daily";
import { history } from "./history";
import { sessions } from "./sessions";
import { setCap } from "./set-cap";

export const usageRouter = router({ current, daily, history, sessions, setCap });
