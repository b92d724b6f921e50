"use client";

import { PageFailure, type PageFailureProps } from "./_ui/page-failure";

/** What is left when not even what stands around a page could be made. */
export default function ErrorPage(props: PageFailureProps) {
  return (
    <main id="content" className="pt-[12vh]">
      <PageFailure {...props} />
    </main>
  );
}
