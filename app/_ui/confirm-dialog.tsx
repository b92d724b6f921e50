"use client";

import { useId, useState, type FormEvent, type ReactNode } from "react";
import { describeApiError } from "../_client/errors";
import { Button } from "./button";
import { Dialog } from "./dialog";
import { Field, TextInput } from "./field";

interface ConfirmDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description: ReactNode;
  /** The act in a word or two, such as "Stop the Run". */
  confirmLabel: string;
  tone?: "default" | "danger";
  /** What has to be typed first, for what cannot be undone. */
  typedWord?: string;
  /** Closes the dialog when it succeeds; a failure is shown and the dialog stays. */
  onConfirm: () => Promise<void>;
}

/** Asks before an act that cannot simply be taken back. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    open,
    onOpenChange,
    title,
    description,
    confirmLabel,
    tone = "default",
    typedWord,
    onConfirm,
  } = props;
  const formId = useId();
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const isAllowed = typedWord === undefined || typed.trim() === typedWord;

  function changeOpen(next: boolean) {
    if (busy) return;
    setTyped("");
    setFailure(null);
    onOpenChange(next);
  }

  async function confirm(event: FormEvent) {
    event.preventDefault();
    if (busy || !isAllowed) return;
    setBusy(true);
    setFailure(null);
    try {
      await onConfirm();
      setTyped("");
      onOpenChange(false);
    } catch (error) {
      setFailure(describeApiError(error).message);
    } finally {
      setBusy(false);
    }
  }

  return (
    <Dialog
      open={open}
      onOpenChange={changeOpen}
      title={title}
      description={description}
      footer={
        <>
          <Button onClick={() => changeOpen(false)} disabled={busy}>
            Cancel
          </Button>
          <Button
            type="submit"
            form={formId}
            variant={tone === "danger" ? "danger" : "primary"}
            busy={busy}
            disabled={!isAllowed}
          >
            {confirmLabel}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={(event) => void confirm(event)}>
        {typedWord === undefined ? null : (
          <Field label={`Type ${typedWord} to go on`}>
            <TextInput value={typed} onChange={(event) => setTyped(event.target.value)} autoComplete="off" />
          </Field>
        )}
        {failure === null ? null : (
          <p role="alert" className="mt-2 text-bad wrap-anywhere">
            {failure}
          </p>
        )}
      </form>
    </Dialog>
  );
}
