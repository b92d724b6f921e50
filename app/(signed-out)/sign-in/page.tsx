import type { Metadata } from "next";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { findSession } from "@/app/_session/require-session";
import { safeNextPath } from "@/app/_session/safe-next-path";
import { callApi } from "@/server/entry/web";
import { NobodyYet } from "./_components/nobody-yet";
import { SignInForm } from "./_components/sign-in-form";

export const metadata: Metadata = { title: "Sign in" };

interface SignInPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function SignInPage({ searchParams }: SignInPageProps) {
  const { next } = await searchParams;
  const nextPath = safeNextPath(typeof next === "string" ? next : null);
  const asked = await headers();
  if ((await findSession(asked)) !== null) redirect(nextPath);
  const { hasPeople } = await (await callApi(asked)).user.getSetup();
  return hasPeople ? <SignInForm nextPath={nextPath} /> : <NobodyYet />;
}
