import { headers } from "next/headers";
import { redirect } from "next/navigation";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "@/server/api/root";
import { callApi } from "@/server/entry/web";
import { isSignedOut } from "./is-signed-out";

/** Who is signed in, and what role that has. */
export type Me = inferRouterOutputs<AppRouter>["user"]["me"];

/** Who asks for this page. Leads to the sign-in, and back afterwards, when that is nobody. */
export async function requireSession(): Promise<Me> {
  const asked = await headers();
  const me = await findSession(asked);
  if (me !== null) return me;
  redirect(`/sign-in?next=${encodeURIComponent(asked.get("x-path") ?? "/")}`);
}

/** Null for nobody. */
export async function findSession(asked: Headers): Promise<Me | null> {
  try {
    return await (await callApi(asked)).user.me();
  } catch (error) {
    if (isSignedOut(error)) return null;
    throw error;
  }
}
