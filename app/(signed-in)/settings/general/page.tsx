import type { Metadata } from "next";
import { GeneralView } from "./_components/general-view";

export const metadata: Metadata = { title: "Settings" };

export default function GeneralPage() {
  return <GeneralView />;
}
