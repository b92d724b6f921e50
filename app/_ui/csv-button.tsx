"use client";

import { Download } from "lucide-react";
import { useState } from "react";
import { downloadCsv } from "../_client/csv";
import { describeApiError } from "../_client/errors";
import { Button } from "./button";
import { useToast } from "./toast";

interface CsvButtonProps {
  label: string;
  fileName: string;
  /** Reads everything and gives it as CSV. */
  read: () => Promise<string>;
}

/** Reads all of a list, however many pages it has, and hands it over as a file. */
export function CsvButton({ label, fileName, read }: CsvButtonProps) {
  const toast = useToast();
  const [isBusy, setBusy] = useState(false);
  const download = async () => {
    setBusy(true);
    try {
      downloadCsv(fileName, await read());
    } catch (error) {
      toast({ title: `No file was made. ${describeApiError(error).message}`, tone: "bad" });
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button size="sm" busy={isBusy} onClick={() => void download()}>
      <Download aria-hidden="true" /> {label}
    </Button>
  );
}
