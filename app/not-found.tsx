import Link from "next/link";

export default function NotFoundPage() {
  return (
    <section>
      <h1 className="text-lg font-semibold tracking-tight">There is nothing here</h1>
      <p className="mt-1 text-muted">The address is wrong, or what was here is gone.</p>
      <Link href="/" className="mt-4 inline-block text-accent underline underline-offset-2">
        To the start page
      </Link>
    </section>
  );
}
