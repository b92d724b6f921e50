"use client";

import { useRouter } from "next/navigation";
import { Select } from "@/app/_ui/select";
import type { ChangeSetView, Version } from "./desk";

interface VersionPickerProps {
  changeSet: ChangeSetView;
  versions: readonly Version[];
  against: string;
  setAgainst: (against: string) => void;
}

/** What is compared: the base or an earlier version on the left, a version on the right. Versions never change. */
export function VersionPicker({ changeSet, versions, against, setAgainst }: VersionPickerProps) {
  const router = useRouter();
  const others = versions.filter(({ id }) => id !== changeSet.id);
  return (
    <span className="flex items-center gap-1.5 text-xs text-muted">
      <Select
        label="Compare with"
        value={against}
        onValueChange={setAgainst}
        options={[
          { value: "base", label: "Base" },
          ...others.map((version) => toOption(version, changeSet)),
          ...foreign(against, versions),
        ]}
        className="[&_select]:h-7 [&_select]:text-xs"
      />
      <span aria-hidden="true">→</span>
      <Select
        label="Version"
        value={changeSet.id}
        onValueChange={(id) => router.push(`/change-sets/${id}`)}
        options={versions.map((version) => toOption(version, changeSet))}
        className="[&_select]:h-7 [&_select]:text-xs"
      />
    </span>
  );
}

function toOption({ id, version }: Version, changeSet: ChangeSetView): { value: string; label: string } {
  const mark = version === changeSet.lastReviewedVersion ? " (reviewed by you)" : "";
  return { value: id, label: `Version ${version}${mark}` };
}

/** A link may compare with a ChangeSet of another series. */
function foreign(against: string, versions: readonly Version[]): { value: string; label: string }[] {
  const isKnown = against === "base" || versions.some(({ id }) => id === against);
  return isKnown ? [] : [{ value: against, label: `ChangeSet ${against.slice(0, 8)}` }];
}
