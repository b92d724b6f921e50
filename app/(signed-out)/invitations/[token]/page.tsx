import type { Metadata } from "next";
import { AcceptForm } from "../../_components/accept-form";

export const metadata: Metadata = { title: "Invitation" };

export default async function InvitationPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return <AcceptForm secret={token} />;
}
