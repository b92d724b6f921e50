"use client";

import type { DiffFile } from "../_diff/places";

const shown = /\.(?:png|jpe?g|gif|webp)$/i;
const imageBytesMax = 5 * 1024 * 1024;

/** Kinds of images that a browser draws without running anything in them: never SVG. */
export function isShownAsImage(file: DiffFile): boolean {
  const sizeBytes = Math.max(file.old?.sizeBytes ?? 0, file.new?.sizeBytes ?? 0);
  return file.kind === "binary" && shown.test(file.path) && sizeBytes <= imageBytesMax;
}

export function ImagePair({ file }: { file: DiffFile }) {
  return <p className="p-4 text-sm text-muted">{file.displayPath}</p>;
}
