import type { Metadata } from "next";
import { ProjectView } from "./_components/project-view";

export const metadata: Metadata = { title: "Project" };

export default async function ProjectPage({ params }: { params: Promise<{ id: string }> }) {
  return <ProjectView id={(await params).id} />;
}
