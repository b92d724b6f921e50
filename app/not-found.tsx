import { NothingHere } from "./_ui/nothing-here";

export default function NotFoundPage() {
  return (
    <main id="content" className="pt-[12vh]">
      <NothingHere />
    </main>
  );
}
