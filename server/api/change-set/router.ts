import { router } from "../trpc";
import { compare } from "./compare";
import { content } from "./content";
import { files } from "./files";
import { get } from "./get";
import { highlights } from "./highlights";
import { history } from "./history";
import { list } from "./list";
import { merge } from "./merge";
import { mergeability } from "./mergeability";
import { patch } from "./patch";
import { patches } from "./patches";
import { review } from "./review";

export const changeSetRouter = router({
  compare,
  content,
  files,
  get,
  highlights,
  history,
  list,
  merge,
  mergeability,
  patch,
  patches,
  review,
});
