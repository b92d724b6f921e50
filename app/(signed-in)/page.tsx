import { headers } from "next/headers";
import { connection } from "next/server";
import { Suspense } from "react";
import { callApi } from "@/server/entry/web";
import { HealthPanel } from "./_components/health-panel";
import { HealthSkeleton } from "./_components/health-skeleton";

export default function HomePage() {
  return (
    <Suspense fallback={<HealthSkeleton />}>
      <Health />
    </Suspense>
  );
}

async function Health() {
  await connection();
  const api = await callApi(await headers());
  return <HealthPanel initial={await api.health.get()} />;
}
