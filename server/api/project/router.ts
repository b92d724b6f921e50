import { router } from "../trpc";
import { archive } from "./archive";
import { create } from "./create";
import { get } from "./get";
import { list } from "./list";

export const projectRouter = router({ archive, create, get, list });
