import { router } from "../trpc";
import { archive } from "./archive";
import { branches } from "./branches";
import { create } from "./create";
import { get } from "./get";
import { list } from "./list";

export const projectRouter = router({ archive, branches, create, get, list });
