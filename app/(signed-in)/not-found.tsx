import { NothingHere } from "../_ui/nothing-here";

export default function NotFoundPage() {
  return <NothingHere />;
}
