import { router } from "../trpc";
import { compare } from "./compare";
import { files } from "./files";
import { get } from "./get";
import { list } from "./list";
import { patch } from "./patch";

export const changeSetRouter = router({ compare, files, get, list, patch });
