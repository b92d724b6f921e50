import type { Metadata } from "next";
import { RunView } from "./_components/run-view";

export const metadata: Metadata = { title: "Run" };

export default async function RunPage({ params }: { params: Promise<{ id: string }> }) {
  return <RunView id={(await params).id} />;
}
