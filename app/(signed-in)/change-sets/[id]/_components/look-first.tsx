"use client";

import { useQuery } from "@tanstack/react-query";
import { Telescope } from "lucide-react";
import { useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { Badge } from "@/app/_ui/badge";
import { FilePath } from "@/app/_ui/file-path";
import { Skeleton } from "@/app/_ui/skeleton";
import { UntrustedText } from "@/app/_ui/untrusted-text";
import type { HighlightReason } from "@/server/changesets/highlights/types";
import type { LinePlace } from "@/app/_diff/places";
import { useDesk } from "./desk";

interface LookFirstProps {
  goToFile: (path: string) => void;
  goToLine: (place: LinePlace) => void;
}

const itemsAtOnce = 8;

type Look = { tone: "neutral" | "accent" | "warn" | "bad"; word: string };

const looks: Record<HighlightReason, Look> = {
  secret: { tone: "bad", word: "looks like a secret" },
  invisible_or_bidi: { tone: "bad", word: "hidden characters" },
  conflict_markers: { tone: "bad", word: "conflict markers" },
  lifecycle_script: { tone: "bad", word: "runs at install" },
  ci: { tone: "warn", word: "CI" },
  code_owners: { tone: "warn", word: "code owners" },
  git_attributes: { tone: "warn", word: "git attributes" },
  git_modules: { tone: "warn", word: "submodules" },
  submodule: { tone: "warn", word: "submodule" },
  symlink: { tone: "warn", word: "link" },
  became_executable: { tone: "warn", word: "executable" },
  binary_added: { tone: "warn", word: "new binary" },
  auth: { tone: "warn", word: "sign-in or rights" },
  migration: { tone: "warn", word: "migration" },
  container: { tone: "warn", word: "container" },
  new_dependency: { tone: "accent", word: "new dependency" },
  lock_file: { tone: "neutral", word: "lock file" },
  deleted_test: { tone: "warn", word: "test deleted" },
  skipped_test: { tone: "warn", word: "test skipped" },
  focused_test: { tone: "warn", word: "only one test runs" },
  large_deletion: { tone: "neutral", word: "much deleted" },
  generated: { tone: "neutral", word: "generated" },
};

/** Where a mistake would cost most, as the server found it in the diff. It is a hint, not a judgement. */
export function LookFirst({ goToFile, goToLine }: LookFirstProps) {
  const { changeSet, fileByPath, setFolded } = useDesk();
  const api = useApi();
  const query = useQuery(api.changeSet.highlights.queryOptions({ id: changeSet.id }));
  const [isWhole, setWhole] = useState(false);
  if (query.isPending) return <LookFirstSkeleton />;
  const items = query.data?.items ?? [];
  if (items.length === 0) {
    return query.isError ? (
      <p className="text-sm text-muted">What to look at first could not be worked out now.</p>
    ) : null;
  }
  const listed = isWhole ? items : items.slice(0, itemsAtOnce);
  return (
    <section aria-labelledby="look-first" className="rounded-lg border border-line bg-surface">
      <LookFirstTitle />
      <ul className="py-1">
        {listed.map((item, index) => (
          <li key={index}>
            <button
              type="button"
              disabled={!fileByPath.has(item.path)}
              onClick={() => {
                setFolded(item.path, false);
                if (item.line === null) goToFile(item.path);
                else goToLine({ path: item.path, side: "new", startLine: item.line, endLine: item.line });
              }}
              className="flex w-full min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 px-3 py-1 text-left text-sm hover:bg-sunken disabled:opacity-60"
            >
              <Badge tone={looks[item.reason].tone}>{looks[item.reason].word}</Badge>
              <FilePath path={item.line === null ? item.displayPath : `${item.displayPath}:${item.line}`} />
              <UntrustedText text={item.detail} className="min-w-0 text-xs text-muted" />
            </button>
          </li>
        ))}
      </ul>
      {items.length <= itemsAtOnce ? null : (
        <button
          type="button"
          onClick={() => setWhole(!isWhole)}
          className="px-3 pb-2 text-xs text-accent underline-offset-2 hover:underline"
        >
          {isWhole ? "Show fewer" : `Show all ${items.length}`}
        </button>
      )}
      {query.data?.truncated === true ? (
        <p className="px-3 pb-2 text-xs text-muted">
          Not every changed line was looked at: there are too many.
        </p>
      ) : null}
    </section>
  );
}

function LookFirstTitle() {
  return (
    <h2 id="look-first" className="flex items-center gap-1.5 px-3 pt-2 text-xs font-medium text-muted">
      <Telescope className="size-3.5" aria-hidden="true" />
      Look here first
    </h2>
  );
}

/** As high as what is found in most ChangeSets. */
function LookFirstSkeleton() {
  return (
    <section
      aria-labelledby="look-first"
      aria-busy="true"
      className="rounded-lg border border-line bg-surface"
    >
      <LookFirstTitle />
      <div className="flex flex-col gap-2 px-3 py-2">
        <Skeleton className="h-5 w-2/5" />
        <Skeleton className="h-5 w-1/2" />
      </div>
    </section>
  );
}
