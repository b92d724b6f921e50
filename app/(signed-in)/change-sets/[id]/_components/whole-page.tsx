"use client";

import { useLayoutEffect, useRef, useState, type ReactNode } from "react";

/** Takes all room below the header of the site, beside which nothing scrolls: a desk, not a document. */
export function WholePage({ children }: { children: ReactNode }) {
  const desk = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(48);
  useLayoutEffect(() => {
    const main = desk.current?.closest("main");
    if (main === null || main === undefined) return;
    const measure = (): void => setTop(main.getBoundingClientRect().top + window.scrollY);
    measure();
    window.addEventListener("resize", measure);
    return () => window.removeEventListener("resize", measure);
  }, []);
  return (
    <div ref={desk} className="absolute inset-x-0 bottom-0 flex min-h-80 flex-col" style={{ top }}>
      {children}
    </div>
  );
}
