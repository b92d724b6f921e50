"use client";

import { PageFailure, type PageFailureProps } from "../_ui/page-failure";

export default function ErrorPage(props: PageFailureProps) {
  return <PageFailure {...props} />;
}
