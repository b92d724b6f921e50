"use client";

import dynamic from "next/dynamic";
import { useCallback, useMemo } from "react";
import { weigh } from "@/app/_diff/file-weight";
import { hasLines } from "@/app/_diff/has-lines";
import type { DiffFile } from "@/app/_diff/places";
import { usePreferences } from "@/app/_diff/preferences";
import { useDiffSource } from "@/app/_diff/use-diff-source";
import { Button, LinkButton } from "@/app/_ui/button";
import { DiffStat } from "@/app/_ui/diff-stat";
import { EmptyState } from "@/app/_ui/empty-state";
import { FilePath } from "@/app/_ui/file-path";
import { Panel } from "@/app/_ui/panel";
import { QueryState } from "@/app/_ui/query-state";
import { Select } from "@/app/_ui/select";
import { SkeletonRows } from "@/app/_ui/skeleton";
import type { Label } from "../../_rules/comparable";
import type { Compared } from "./matrix";

// The library asks the browser what it is when it is read, so it is never read on the server.
const DiffView = dynamic(() => import("@/app/_diff/diff-view").then((module) => module.DiffView), {
  ssr: false,
  loading: () => <SkeletonRows rows={12} />,
});

interface PairDiffProps {
  changeSets: readonly Compared[];
  labels: readonly Label[];
  /** Places of the old and the new side. */
  pair: [number, number];
  onPair: (pair: [number, number]) => void;
  path: string | null;
  onPath: (path: string | null) => void;
}

/** How the heads of two attempts differ, in one file or in all. */
export function PairDiff({ changeSets, labels, pair: [left, right], onPair, path, onPath }: PairDiffProps) {
  const [from, to] = [changeSets[left]?.id ?? "", changeSets[right]?.id ?? ""];
  const options = labels.map(({ name, detail }, place) => ({
    value: String(place),
    label: `${name}, ${detail}`,
  }));
  return (
    <Panel
      title="What differs between"
      actions={
        <>
          <Select
            label="Old side"
            value={String(left)}
            options={options}
            onValueChange={(place) => onPair([Number(place), right])}
          />
          <span className="text-muted">and</span>
          <Select
            label="New side"
            value={String(right)}
            options={options}
            onValueChange={(place) => onPair([left, Number(place)])}
          />
          <LinkButton size="sm" href={`/change-sets/${to}?against=${from}`}>
            Open in the review
          </LinkButton>
        </>
      }
    >
      {left === right ? (
        <EmptyState title="This is one attempt">Choose another one for one of the two sides.</EmptyState>
      ) : (
        <Diff key={`${from} ${to}`} from={from} to={to} path={path} onPath={onPath} />
      )}
    </Panel>
  );
}

interface DiffProps {
  from: string;
  to: string;
  path: string | null;
  onPath: (path: string | null) => void;
}

const never = (): boolean => false;
const nothing = (): null => null;
const ignore = (): void => undefined;
const noNotes = new Map<string, never[]>();

function Diff({ from, to, path, onPath }: DiffProps) {
  const [preferences] = usePreferences();
  const { whitespace, layout, wraps, tabWidth, marksWords } = preferences;
  const { query, files, store, revision, loadSides } = useDiffSource({
    changeSetId: to,
    against: from,
    whitespace,
    context: 3,
  });
  const byPath = useMemo(() => new Map(files.map((file) => [file.path, file])), [files]);
  const shown = useMemo(
    () => (path === null ? files : files.filter((file) => file.path === path || file.oldPath === path)),
    [files, path],
  );
  const onShown = useCallback(
    (paths: string[]) =>
      store.want(
        paths.filter((one) => {
          const file = byPath.get(one);
          return file !== undefined && hasLines(file) && weigh(file).body === "at_once";
        }),
      ),
    [store, byPath],
  );
  const renderHeader = useCallback((one: string) => <Header file={byPath.get(one)} />, [byPath]);
  const renderBody = useCallback(
    (one: string) => <Body file={byPath.get(one)} status={store.get(one).status} />,
    [byPath, store],
  );
  const looks = useMemo(
    () => ({ layout, wraps, tabWidth, marksWords, headerHeight: 40 }),
    [layout, wraps, tabWidth, marksWords],
  );
  const all = (
    <Button size="sm" onClick={() => onPath(null)}>
      Show all that differs
    </Button>
  );
  return (
    <QueryState
      query={query}
      awaited="the comparison of the two"
      skeleton={<SkeletonRows rows={12} />}
      isEmpty={(data) => data.files.length === 0}
      empty={<EmptyState title="Nothing differs">The two hold the same files.</EmptyState>}
    >
      {() =>
        shown.length === 0 ? (
          <EmptyState title="This file is the same in both" action={all} />
        ) : (
          <>
            {path === null ? null : <div className="border-b border-line px-3 py-1.5">{all}</div>}
            <div className="h-[70vh]">
              <DiffView
                ref={null}
                files={shown}
                store={store}
                revision={revision}
                isFolded={never}
                hidesLines={never}
                notes={noNotes}
                looks={looks}
                sought=""
                selection={null}
                onSelect={ignore}
                onComment={null}
                onShown={onShown}
                loadSides={loadSides}
                renderHeader={renderHeader}
                renderBody={renderBody}
                renderNote={nothing}
                top={nothing}
              />
            </div>
          </>
        )
      }
    </QueryState>
  );
}

function Header({ file }: { file: DiffFile | undefined }) {
  if (file === undefined) return null;
  return (
    <div className="flex h-10 items-center gap-2 border-b border-line bg-surface px-2 text-sm">
      <h3 className="min-w-0 truncate">
        <FilePath path={file.displayPath} className="whitespace-nowrap" />
      </h3>
      <span className="shrink-0 text-xs text-muted">{file.status.replaceAll("_", " ")}</span>
      <span className="ml-auto shrink-0">
        <DiffStat insertions={file.insertions ?? 0} deletions={file.deletions ?? 0} />
      </span>
    </div>
  );
}

function Body({ file, status }: { file: DiffFile | undefined; status: string }) {
  if (file === undefined) return null;
  return <p className="px-4 py-3 text-sm text-muted">{bodyWords(file, status)}</p>;
}

function bodyWords(file: DiffFile, status: string): string {
  if (file.kind === "binary") return "A binary file: the review shows its two sides.";
  if (!hasLines(file)) return "No line differs.";
  if (status === "failed") return "The lines cannot be shown here; the review can try again.";
  if (weigh(file).body !== "at_once") return "A large file: the review loads it when you want it.";
  return status === "ready" ? "No line differs." : "Loading the lines";
}
