import type { Metadata } from "next";
import { CompareView } from "./_components/compare-view";

export const metadata: Metadata = { title: "Compare attempts" };

export default async function ComparePage({ params }: { params: Promise<{ id: string }> }) {
  return <CompareView id={(await params).id} />;
}
