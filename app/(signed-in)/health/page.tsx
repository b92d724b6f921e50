import type { Metadata } from "next";
import { headers } from "next/headers";
import { callApi } from "@/server/entry/web";
import { HealthPanel } from "./_components/health-panel";

export const metadata: Metadata = { title: "Health" };

export default async function HealthPage() {
  const api = await callApi(await headers());
  return <HealthPanel initial={await api.health.get()} />;
}
