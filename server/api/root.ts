import { auditRouter } from "./audit/router";
import { changeRouter } from "./change/router";
import { changeSetRouter } from "./change-set/router";
import { commentRouter } from "./comment/router";
import { draftRouter } from "./draft/router";
import { demoRouter } from "./demo/router";
import { egressRouter } from "./egress/router";
import { eventRouter } from "./event/router";
import { healthRouter } from "./health/router";
import { inboxRouter } from "./inbox/router";
import { intentRouter } from "./intent/router";
import { projectRouter } from "./project/router";
import { runRouter } from "./run/router";
import { sandboxRouter } from "./sandbox/router";
import { settingRouter } from "./setting/router";
import { taskRouter } from "./task/router";
import { tokenRouter } from "./token/router";
import { createCallerFactory, router } from "./trpc";
import { userRouter } from "./user/router";
import { usageRouter } from "./usage/router";
import { viewedRouter } from "./viewed/router";
import { workspaceRouter } from "./workspace/router";

export const appRouter = router({
  audit: auditRouter,
  change: changeRouter,
  changeSet: changeSetRouter,
  comment: commentRouter,
  draft: draftRouter,
  demo: demoRouter,
  egress: egressRouter,
  event: eventRouter,
  health: healthRouter,
  inbox: inboxRouter,
  intent: intentRouter,
  project: projectRouter,
  run: runRouter,
  sandbox: sandboxRouter,
  setting: settingRouter,
  task: taskRouter,
  token: tokenRouter,
  usage: usageRouter,
  user: userRouter,
  viewed: viewedRouter,
  workspace: workspaceRouter,
});

/** The type that clients are made from. */
export type AppRouter = typeof appRouter;

/** Calls procedures inside this process, through the same policies and error mapping as over HTTP. */
export const createCaller = createCallerFactory(appRouter);
