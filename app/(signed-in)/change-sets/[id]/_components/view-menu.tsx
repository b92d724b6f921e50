"use client";

import { SlidersHorizontal } from "lucide-react";
import { Button } from "@/app/_ui/button";
import { Field, Switch } from "@/app/_ui/field";
import { Popover } from "@/app/_ui/popover";
import { Select } from "@/app/_ui/select";
import type { Preferences } from "@/app/_diff/preferences";

interface ViewMenuProps {
  preferences: Preferences;
  change: (next: Partial<Preferences>) => void;
  isNarrow: boolean;
}

/** How the diff is shown. What is chosen here stays in this browser. */
export function ViewMenu({ preferences, change, isNarrow }: ViewMenuProps) {
  return (
    <Popover
      label="View"
      align="end"
      className="w-64"
      trigger={
        <Button size="sm" variant="ghost">
          <SlidersHorizontal aria-hidden="true" />
          <span className="hidden sm:inline">View</span>
          <span className="sr-only sm:hidden">View</span>
        </Button>
      }
    >
      <div className="flex flex-col gap-3">
        {isNarrow ? null : (
          <Choice
            label="Columns"
            value={preferences.layout}
            options={{ split: "Split", unified: "Unified" }}
            onChange={(layout) => change({ layout })}
          />
        )}
        <Choice
          label="White space"
          value={preferences.whitespace}
          options={{
            none: "Compared as it is",
            trailing: "Left out at line ends",
            all: "Left out everywhere",
          }}
          onChange={(whitespace) => change({ whitespace })}
        />
        <Choice
          label="Lines around changes"
          value={String(preferences.context) as "3" | "10" | "whole"}
          options={{ "3": "3", "10": "10", whole: "The whole file" }}
          onChange={(context) =>
            change({ context: context === "whole" ? "whole" : context === "10" ? 10 : 3 })
          }
        />
        <Choice
          label="Tab width"
          value={String(preferences.tabWidth) as "2" | "4" | "8"}
          options={{ "2": "2", "4": "4", "8": "8" }}
          onChange={(width) => change({ tabWidth: width === "2" ? 2 : width === "8" ? 8 : 4 })}
        />
        <Choice
          label="Order of files"
          value={preferences.order}
          options={{ path: "By path", size: "Largest change first" }}
          onChange={(order) => change({ order })}
        />
        <Switch
          label="Wrap long lines"
          checked={preferences.wraps}
          onCheckedChange={(wraps) => change({ wraps })}
        />
        <Switch
          label="Mark changed words"
          checked={preferences.marksWords}
          onCheckedChange={(marksWords) => change({ marksWords })}
        />
      </div>
    </Popover>
  );
}

interface ChoiceProps<Value extends string> {
  label: string;
  value: Value;
  options: Record<Value, string>;
  onChange: (value: Value) => void;
}

function Choice<Value extends string>({ label, value, options, onChange }: ChoiceProps<Value>) {
  const entries = Object.entries(options) as [Value, string][];
  return (
    <Field label={label}>
      <Select
        label={label}
        value={value}
        onValueChange={onChange}
        options={entries.map(([key, word]) => ({ value: key, label: word }))}
      />
    </Field>
  );
}
