import { router } from "../trpc";
import { deleteDraft } from "./delete";
import { list } from "./list";
import { save } from "./save";

export const draftRouter = router({ delete: deleteDraft, list, save });
