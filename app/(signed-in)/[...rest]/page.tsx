import { notFound } from "next/navigation";

/** Every address that has no page, so that it is told inside the dashboard. */
export default function UnknownPage(): never {
  notFound();
}
