"use client";

import { PanelLeft, Search } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { IconButton } from "@/app/_ui/icon-button";
import { weigh } from "@/app/_diff/file-weight";
import type { ReviewModel } from "./use-review";
import { VersionPicker } from "./version-picker";
import { ViewMenu } from "./view-menu";

interface ReviewToolbarProps {
  model: ReviewModel;
  onFind: () => void;
  onFiles: () => void;
}

/** What is compared, how it is shown, and what was left folded. */
export function ReviewToolbar({ model, onFind, onFiles }: ReviewToolbarProps) {
  const { preferences, change, isNarrow } = model;
  return (
    <div className="flex min-h-10 shrink-0 flex-wrap items-center gap-x-2 gap-y-1 border-b border-line bg-surface px-2 py-1">
      <IconButton
        label={preferences.showsTree && !isNarrow ? "Hide the files" : "Show the files"}
        icon={PanelLeft}
        aria-pressed={!isNarrow && preferences.showsTree}
        onClick={onFiles}
      />
      <VersionPicker
        changeSet={model.changeSet}
        versions={model.versions}
        against={model.against}
        setAgainst={model.setAgainst}
      />
      <Folded model={model} />
      <span className="ml-auto flex items-center gap-1">
        <IconButton label="Find in changes" icon={Search} onClick={onFind} />
        <ViewMenu preferences={preferences} change={change} isNarrow={isNarrow} />
      </span>
    </div>
  );
}

/** Nothing may be passed over only because it was folded. */
function Folded({ model: { files, desk, cursor } }: { model: ReviewModel }) {
  const unopened = files.filter(
    (file) => weigh(file).fold !== null && desk.isFolded(file.path) && !desk.isViewed(file.path),
  );
  if (unopened.length === 0) return null;
  function goToNext() {
    const order = new Map(files.map((file, index) => [file.path, index]));
    const here = order.get(cursor.current ?? "") ?? -1;
    const next = unopened.find((file) => (order.get(file.path) ?? 0) > here) ?? unopened[0];
    if (next === undefined) return;
    desk.setFolded(next.path, false);
    cursor.goToFile(next.path);
  }
  return (
    <span className="flex items-center gap-2 text-xs text-muted">
      {unopened.length.toLocaleString("en-US")} {unopened.length === 1 ? "file is" : "files are"} folded
      <Button size="sm" className="h-6" onClick={goToNext}>
        Next unopened
      </Button>
    </span>
  );
}
