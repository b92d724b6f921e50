"use client";

import { CircleDashed, CircleX, GitMerge, Info, type LucideIcon } from "lucide-react";
import Link from "next/link";
import type { ReactNode } from "react";
import { cn } from "@/app/_ui/class-names";
import type { ChangeSetView } from "./desk";

/** What became of this version, and that a newer one came. Nothing here moves what somebody is writing. */
export function Notices({ changeSet }: { changeSet: ChangeSetView }) {
  const newest = changeSet.versions.at(-1);
  const isOld = newest !== undefined && newest.version > changeSet.version;
  const isReplaced = isOld && changeSet.state === "superseded";
  return (
    <>
      {isOld ? (
        <Notice icon={Info} looks="bg-accent-soft text-accent">
          {isReplaced
            ? `Version ${newest.version} took the place of this one. It can be read, not judged.`
            : `Version ${newest.version} arrived.`}
          <NoticeLink href={`/change-sets/${newest.id}`}>Go to it</NoticeLink>
          <NoticeLink href={`/change-sets/${newest.id}?against=${changeSet.id}`}>
            What changed since version {changeSet.version}
          </NoticeLink>
        </Notice>
      ) : null}
      {isReplaced ? null : <StateNotice state={changeSet.state} />}
    </>
  );
}

const stateNotices: Partial<
  Record<ChangeSetView["state"], { text: string; icon: LucideIcon; looks: string }>
> = {
  merged: { text: "This ChangeSet was merged.", icon: GitMerge, looks: "bg-good-soft text-good" },
  merge_failed: {
    text: "The merge of this ChangeSet failed. Nothing was merged.",
    icon: CircleX,
    looks: "bg-bad-soft text-bad",
  },
  rejected: { text: "This ChangeSet was rejected.", icon: CircleX, looks: "bg-bad-soft text-bad" },
  withdrawn: { text: "This ChangeSet was withdrawn.", icon: CircleDashed, looks: "bg-sunken text-muted" },
  superseded: {
    text: "A later version took the place of this one. It can be read, not judged.",
    icon: CircleDashed,
    looks: "bg-sunken text-muted",
  },
  not_chosen: { text: "Another attempt was chosen.", icon: CircleDashed, looks: "bg-sunken text-muted" },
};

function StateNotice({ state }: { state: ChangeSetView["state"] }) {
  const notice = stateNotices[state];
  if (notice === undefined) return null;
  return (
    <Notice icon={notice.icon} looks={notice.looks}>
      {notice.text}
    </Notice>
  );
}

interface NoticeProps {
  icon: LucideIcon;
  looks: string;
  children: ReactNode;
}

function Notice({ icon: Icon, looks, children }: NoticeProps) {
  return (
    <p
      role="status"
      className={cn("flex shrink-0 flex-wrap items-center gap-x-3 gap-y-1 px-3 py-1.5 text-sm", looks)}
    >
      <Icon className="size-4 shrink-0" aria-hidden="true" />
      {children}
    </p>
  );
}

function NoticeLink({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Link href={href} className="font-medium underline underline-offset-2">
      {children}
    </Link>
  );
}
