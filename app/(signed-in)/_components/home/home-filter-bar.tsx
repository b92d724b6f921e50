"use client";

import { useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useApi } from "@/app/_client/api-provider";
import { TextInput } from "@/app/_ui/field";
import { Select } from "@/app/_ui/select";
import { useShortcuts } from "@/app/_ui/shortcuts";
import type { HomeFilter } from "./use-home-filter";

const typingMs = 250;
const allProjects = "all";

interface HomeFilterBarProps {
  filter: HomeFilter;
  onChange: (next: Partial<HomeFilter>) => void;
}

export function HomeFilterBar({ filter, onChange }: HomeFilterBarProps) {
  const api = useApi();
  const projects = useQuery(api.project.list.queryOptions({ limit: 200 }));
  const box = useRef<HTMLInputElement>(null);
  useShortcuts("Home", [{ keys: "/", label: "Search", run: () => box.current?.focus() }]);
  const names = (projects.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
  const isKnown = filter.projectId === null || names.some(({ value }) => value === filter.projectId);
  return (
    <div className="flex w-full flex-wrap items-center gap-2 sm:w-auto">
      <Select
        label="Project"
        value={filter.projectId ?? allProjects}
        options={[
          { value: allProjects, label: "All Projects" },
          ...names,
          ...(isKnown ? [] : [{ value: filter.projectId ?? "", label: "A Project that is not listed" }]),
        ]}
        onValueChange={(value) => onChange({ projectId: value === allProjects ? null : value })}
        className="w-full sm:w-48"
      />
      <div className="relative w-full sm:w-64">
        <Search
          className="pointer-events-none absolute top-2 left-2.5 size-4 text-muted"
          aria-hidden="true"
        />
        <SearchBox box={box} value={filter.search ?? ""} onSettled={(search) => onChange({ search })} />
      </div>
    </div>
  );
}

interface SearchBoxProps {
  box: React.RefObject<HTMLInputElement | null>;
  value: string;
  /** Told when the typing pauses. */
  onSettled: (search: string | null) => void;
}

function SearchBox({ box, value, onSettled }: SearchBoxProps) {
  const [typed, setTyped] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (
    <TextInput
      ref={box}
      type="search"
      aria-label="Search titles"
      placeholder="Search titles"
      maxLength={200}
      value={typed}
      onChange={(event) => {
        const text = event.target.value;
        setTyped(text);
        clearTimeout(timer.current);
        timer.current = setTimeout(() => onSettled(text.trim() === "" ? null : text.trim()), typingMs);
      }}
      className="pl-8"
    />
  );
}
