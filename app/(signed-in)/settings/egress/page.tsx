import type { Metadata } from "next";
import { EgressView } from "./_components/egress-view";

export const metadata: Metadata = { title: "Egress" };

export default function EgressPage() {
  return <EgressView />;
}
