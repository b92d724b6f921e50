"use client";

import { ListFilter, X } from "lucide-react";
import { useState } from "react";
import { Button } from "@/app/_ui/button";
import { Checkbox, TextInput } from "@/app/_ui/field";
import { IconButton } from "@/app/_ui/icon-button";
import { Select } from "@/app/_ui/select";
import { SkeletonRows } from "@/app/_ui/skeleton";
import type { DiffFile } from "@/app/_diff/places";
import { FileTree } from "./file-tree";
import { noFilter, type FileFilter } from "./tree-rows";

interface FilesPanelProps {
  files: readonly DiffFile[];
  /** Of the whole diff; null as long as nobody knows them. */
  total: number | null;
  isFlat: boolean;
  current: string | null;
  onChoose: (path: string) => void;
  filter: FileFilter;
  setFilter: (filter: FileFilter) => void;
  /** Closes the panel where it lies over the diff. */
  onClose?: () => void;
}

/** The files of the diff and what narrows them down. */
export function FilesPanel(props: FilesPanelProps) {
  const { files, total, filter, setFilter, onClose } = props;
  const [isOpen, setOpen] = useState(false);
  const isFiltered = JSON.stringify(filter) !== JSON.stringify(noFilter);
  return (
    <>
      <div className="flex shrink-0 items-center gap-1 border-b border-line p-2">
        <TextInput
          type="search"
          aria-label="Filter files by name"
          placeholder="Filter files"
          value={filter.name}
          onChange={(event) => setFilter({ ...filter, name: event.target.value })}
          className="h-7 text-xs"
        />
        <IconButton
          size="sm"
          label="More filters"
          icon={ListFilter}
          aria-pressed={isOpen || isFiltered}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        {onClose === undefined ? null : (
          <IconButton size="sm" label="Close the files" icon={X} onClick={onClose} />
        )}
      </div>
      {isOpen ? <Filters filter={filter} setFilter={setFilter} /> : null}
      {isFiltered && total !== null ? (
        <p className="flex shrink-0 items-center justify-between gap-2 border-b border-line px-3 py-1 text-xs text-muted">
          {files.length.toLocaleString("en-US")} of {(total ?? 0).toLocaleString("en-US")} files
          <Button size="sm" variant="ghost" className="h-6" onClick={() => setFilter(noFilter)}>
            Show all
          </Button>
        </p>
      ) : null}
      {total === null ? (
        <SkeletonRows rows={8} />
      ) : (
        <FileTree
          files={files}
          isFlat={props.isFlat}
          current={props.current}
          onChoose={props.onChoose}
          emptyWords={total === 0 ? "Nothing differs." : "No file passes the filter."}
        />
      )}
    </>
  );
}

const kinds: Record<FileFilter["kind"], string> = {
  all: "All kinds",
  added: "Added",
  modified: "Modified",
  deleted: "Deleted",
  renamed: "Renamed",
  type_changed: "Type changed",
  binary: "Binary",
};

function Filters({ filter, setFilter }: Pick<FilesPanelProps, "filter" | "setFilter">) {
  const entries = Object.entries(kinds) as [FileFilter["kind"], string][];
  return (
    <div className="flex shrink-0 flex-col gap-2 border-b border-line bg-sunken p-2">
      <Select
        label="Kind of change"
        value={filter.kind}
        onValueChange={(kind) => setFilter({ ...filter, kind })}
        options={entries.map(([value, label]) => ({ value, label }))}
      />
      <Select
        label="Generated files"
        value={filter.generated}
        onValueChange={(generated) => setFilter({ ...filter, generated })}
        options={[
          { value: "all", label: "With generated and lock files" },
          { value: "none", label: "Without generated and lock files" },
          { value: "only", label: "Generated and lock files only" },
        ]}
      />
      <Checkbox
        label="Not viewed yet"
        checked={filter.onlyUnviewed}
        onCheckedChange={(onlyUnviewed) => setFilter({ ...filter, onlyUnviewed })}
      />
      <Checkbox
        label="With threads"
        checked={filter.onlyCommented}
        onCheckedChange={(onlyCommented) => setFilter({ ...filter, onlyCommented })}
      />
    </div>
  );
}
