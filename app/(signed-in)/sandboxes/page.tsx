import type { Metadata } from "next";
import { SandboxesView } from "./_components/sandboxes-view";

export const metadata: Metadata = { title: "Sandboxes" };

export default function SandboxesPage() {
  return <SandboxesView />;
}
