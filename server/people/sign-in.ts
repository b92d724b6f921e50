import type { SignedIn } from "./types";

/**
 * What holds passwords and cookies. The library behind it is the only one that hashes, compares and signs.
 */
export interface SignIn {
  hashPassword(password: string): Promise<string>;
  /**
   * Signs a person in by password. Gives the cookies to set, or null when address and password do not belong together,
   * which takes as long for an address that nobody has.
   */
  signIn(input: { email: string; password: string; headers: Headers }): Promise<string[] | null>;
  /** Ends the session of these headers, if there is one. Gives the cookies to set. */
  signOut(headers: Headers): Promise<string[]>;
  /** Who is signed in by the cookies of these headers; null for nobody. */
  findSession(headers: Headers): Promise<(Pick<SignedIn, "sessionId"> & { personId: string }) | null>;
  /** False when the present password is another one. */
  changePassword(input: { headers: Headers; present: string; next: string }): Promise<boolean>;
}
