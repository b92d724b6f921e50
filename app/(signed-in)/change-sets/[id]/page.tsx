import type { Metadata } from "next";
import { ReviewPage } from "./_components/review-page";

export const metadata: Metadata = { title: "ChangeSet" };

export default async function ChangeSetPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  return <ReviewPage key={id} id={id} />;
}
