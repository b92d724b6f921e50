import { healthRouter } from "./health/router";
import { tokenRouter } from "./token/router";
import { createCallerFactory, router } from "./trpc";

export const appRouter = router({ health: healthRouter, token: tokenRouter });

/** The type that clients are made from. */
export type AppRouter = typeof appRouter;

/** Calls procedures inside this process, through the same policies and error mapping as over HTTP. */
export const createCaller = createCallerFactory(appRouter);
