import { z } from "zod";
import type { TokenRecord } from "../../access/types";

export const roleSchema = z.enum(["admin", "reviewer", "agent"]);

export const tokenView = z.object({
  id: z.uuid(),
  role: roleSchema,
  label: z.string(),
  projectId: z.uuid().nullable(),
  changeId: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable(),
  revokedAt: z.iso.datetime().nullable(),
});

export function toTokenView(token: TokenRecord): z.output<typeof tokenView> {
  return {
    ...token,
    createdAt: token.createdAt.toISOString(),
    expiresAt: token.expiresAt?.toISOString() ?? null,
    revokedAt: token.revokedAt?.toISOString() ?? null,
  };
}
