"use client";

import { Component, type ReactNode } from "react";
import { Button } from "@/app/_ui/button";
import { FilePath } from "@/app/_ui/file-path";
import type { DiffFile } from "@/app/_diff/places";

interface DiffBoundaryProps {
  files: readonly DiffFile[];
  onTable: (path: string) => void;
  children: ReactNode;
}

const filesMax = 500;

/** When the drawing of lines breaks, the rest of the review lives on, and every file can still be read as a plain table. */
export class DiffBoundary extends Component<DiffBoundaryProps, { isBroken: boolean }> {
  override state = { isBroken: false };

  static getDerivedStateFromError(): { isBroken: boolean } {
    return { isBroken: true };
  }

  override render(): ReactNode {
    if (!this.state.isBroken) return this.props.children;
    const { files, onTable } = this.props;
    return (
      <div role="alert" className="h-full overflow-y-auto p-4">
        <p className="font-medium">The lines could not be drawn</p>
        <p className="mb-3 text-sm text-muted">Each file can be read as a plain table.</p>
        <Button size="sm" onClick={() => this.setState({ isBroken: false })}>
          Draw them again
        </Button>
        <ul className="mt-3">
          {files.slice(0, filesMax).map((file) => (
            <li key={file.path}>
              <button
                type="button"
                onClick={() => onTable(file.path)}
                className="py-0.5 text-left text-sm text-accent underline-offset-2 hover:underline"
              >
                <FilePath path={file.displayPath} />
              </button>
            </li>
          ))}
        </ul>
        {files.length > filesMax ? (
          <p className="text-sm text-muted">
            Showing {filesMax} of {files.length}.
          </p>
        ) : null}
      </div>
    );
  }
}
