import type { Metadata } from "next";
import { ChangeView } from "./_components/change-view";

export const metadata: Metadata = { title: "Change" };

export default async function ChangePage({ params }: { params: Promise<{ id: string }> }) {
  return <ChangeView id={(await params).id} />;
}
