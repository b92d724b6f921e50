import { z } from "zod";

/**
 * The key under which a caller may repeat a call. Which characters it may hold is no pattern of the schema, because not
 * every language's patterns know what a control character is.
 */
export const idempotencyKey = z
  .string()
  .min(1)
  .max(200)
  .refine((key) => !/[\p{Cc}\p{Cs}]/u.test(key), "holds a control character");
