import type { JWK } from "jose";
import { z } from "zod";

/** Reads a public Ed25519 key from a setting that holds its JWK as JSON. A private key is a fault: it has no place there. */
export const publicJwkSchema = z
  .string()
  .transform((text, context): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      context.addIssue({ code: "custom", message: "is not JSON" });
      return z.NEVER;
    }
  })
  .pipe(
    z
      .looseObject({ kty: z.literal("OKP"), crv: z.literal("Ed25519"), x: z.string() })
      .refine((key) => !("d" in key), "is a private key")
      .transform((key): JWK => ({ kty: key.kty, crv: key.crv, x: key.x })),
  );
