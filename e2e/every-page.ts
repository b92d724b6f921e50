import { readdirSync } from "node:fs";
import { basename } from "node:path";
import type { Sample } from "./sample";

/** What pages are about. */
export type ShownIds = Omit<Sample, "secondChangeSetId">;

export interface PageAddress {
  name: string;
  path: string;
  /** Seen without a sign-in. */
  isPublic?: boolean;
}

/** Every page of the dashboard with something on it, and some that say why there is nothing. */
export function everyPage({ projectId, changeId, runId, openRunId, changeSetId }: ShownIds): PageAddress[] {
  const absent = "00000000-0000-4000-8000-000000000000";
  return [
    { name: "home", path: "/" },
    { name: "health", path: "/health" },
    { name: "sandboxes", path: "/sandboxes" },
    { name: "projects", path: "/projects" },
    { name: "project", path: `/projects/${projectId}` },
    { name: "change", path: `/changes/${changeId}` },
    { name: "compare", path: `/changes/${changeId}/compare` },
    { name: "run", path: `/runs/${runId}` },
    { name: "run-open", path: `/runs/${openRunId}` },
    { name: "change-set", path: `/change-sets/${changeSetId}` },
    { name: "change-set-absent", path: `/change-sets/${absent}` },
    { name: "usage", path: "/usage" },
    { name: "settings", path: "/settings" },
    { name: "settings-general", path: "/settings/general" },
    { name: "settings-egress", path: "/settings/egress" },
    { name: "settings-people", path: "/settings/people" },
    { name: "settings-tokens", path: "/settings/tokens" },
    { name: "settings-audit", path: "/settings/audit" },
    { name: "account", path: "/account" },
    { name: "not-found", path: "/no/such/page" },
    { name: "sign-in", path: "/sign-in", isPublic: true },
    { name: "first-admin", path: "/first-admin?token=used", isPublic: true },
    { name: "invitation", path: "/invitations/unknown", isPublic: true },
  ];
}

/** The addresses that app/ answers, such as `/changes/[id]/compare`, each as a pattern of those that it answers. */
export function routes(): { route: string; pattern: RegExp }[] {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" });
  return files
    .filter((file) => basename(file) === "page.tsx")
    .map((file) => {
      const parts = file.split("/").slice(0, -1);
      const route = `/${parts.filter((part) => !part.startsWith("(")).join("/")}`;
      const pattern = route.replace(/\[\.\.\.\w+\]/g, ".+").replace(/\[\w+\]/g, "[^/?]+");
      return { route, pattern: new RegExp(`^${pattern}(?:\\?|$)`) };
    });
}
