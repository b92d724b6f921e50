import { z } from "zod";

export const settingView = z.object({
  name: z.string(),
  value: z.string(),
  source: z.enum(["setting", "environment", "default"]),
});
