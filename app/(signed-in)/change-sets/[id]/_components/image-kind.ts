/** Kinds of images that a browser draws without running anything in them: never SVG. By their first bytes, not their name. */
const kinds: readonly { type: string; starts: RegExp }[] = [
  { type: "image/png", starts: /^\x89PNG\r\n\x1a\n/ },
  { type: "image/jpeg", starts: /^\xff\xd8\xff/ },
  { type: "image/gif", starts: /^GIF8[79]a/ },
  { type: "image/webp", starts: /^RIFF[\s\S]{4}WEBP/ },
];

/** The media type of an image that may be drawn, or null. */
export function imageTypeOf(base64: string): string | null {
  const start = atob(base64.slice(0, 24));
  return kinds.find(({ starts }) => starts.test(start))?.type ?? null;
}
