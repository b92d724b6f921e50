"use client";

import { useId, type ReactNode } from "react";
import { describeApiError } from "../_client/errors";
import { Button } from "./button";
import { CopyButton } from "./copy-button";
import { Dialog } from "./dialog";

interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** The act in a word or two, such as "Create". */
  submitLabel: string;
  /** How the act stands, as a mutation tells it. */
  act: { isPending: boolean; isSuccess: boolean; error: unknown };
  onSubmit: () => void;
  onClose: () => void;
  /** What the act gave, where somebody has to see it: it takes the place of the form. */
  result?: ReactNode;
  /** The fields. */
  children: ReactNode;
}

/**
 * Asks for what a new thing is made of. A failure is told beside the buttons and what was typed stays; a click beside the
 * dialog does not throw it away.
 */
export function FormDialog(props: FormDialogProps) {
  const { title, description, submitLabel, act, onSubmit, onClose, result, children } = props;
  const formId = useId();
  const isDone = result !== undefined;
  // What succeeds leads on to what was made; until that is there, nothing is sent twice.
  const isBusy = act.isPending || (act.isSuccess && !isDone);
  return (
    <Dialog
      open
      onOpenChange={(open) => {
        if (!open && !act.isPending) onClose();
      }}
      closesOnOutsideClick={false}
      title={title}
      {...(description === undefined ? {} : { description })}
      footer={
        isDone ? (
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            {act.error === null || act.isPending ? null : (
              <p role="alert" className="w-full text-sm text-bad wrap-anywhere">
                {describeApiError(act.error).message}
              </p>
            )}
            <Button onClick={onClose} disabled={act.isPending}>
              Cancel
            </Button>
            <Button variant="primary" type="submit" form={formId} busy={isBusy}>
              {submitLabel}
            </Button>
          </>
        )
      }
    >
      {isDone ? (
        result
      ) : (
        <form
          id={formId}
          className="flex flex-col gap-4"
          onSubmit={(event) => {
            event.preventDefault();
            if (!isBusy) onSubmit();
          }}
        >
          {children}
        </form>
      )}
    </Dialog>
  );
}

/** Something that is shown once, to be copied. */
export function ShownOnce({ text, label }: { text: string; label: string }) {
  return (
    <div className="flex items-start gap-2">
      <code className="min-w-0 flex-1 rounded-md bg-sunken px-2.5 py-1.5 font-mono text-xs wrap-anywhere">
        {text}
      </code>
      <CopyButton text={text} label={label} />
    </div>
  );
}
