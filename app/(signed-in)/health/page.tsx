import type { Metadata } from "next";
import { HealthPanel } from "./_components/health-panel";

export const metadata: Metadata = { title: "Health" };

export default function HealthPage() {
  return <HealthPanel />;
}
