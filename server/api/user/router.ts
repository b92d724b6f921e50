import { router } from "../trpc";
import { acceptInvitation } from "./accept-invitation";
import { changePassword } from "./change-password";
import { endSession } from "./end-session";
import { getInvitation } from "./get-invitation";
import { getSetup } from "./get-setup";
import { invite } from "./invite";
import { list } from "./list";
import { listInvitations } from "./list-invitations";
import { listSessions } from "./list-sessions";
import { me } from "./me";
import { rename } from "./rename";
import { revokeInvitation } from "./revoke-invitation";
import { setDisabled } from "./set-disabled";
import { setRole } from "./set-role";
import { signIn } from "./sign-in";
import { signOut } from "./sign-out";

export const userRouter = router({
  acceptInvitation,
  changePassword,
  endSession,
  getInvitation,
  getSetup,
  invite,
  list,
  listInvitations,
  listSessions,
  me,
  rename,
  revokeInvitation,
  setDisabled,
  setRole,
  signIn,
  signOut,
});
