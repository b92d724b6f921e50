import type { Metadata } from "next";
import { AcceptForm } from "../_components/accept-form";

export const metadata: Metadata = { title: "First admin" };

interface FirstAdminPageProps {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function FirstAdminPage({ searchParams }: FirstAdminPageProps) {
  const { token } = await searchParams;
  return <AcceptForm secret={typeof token === "string" && token !== "" ? token : "none"} />;
}
