import { importJWK, jwtVerify, SignJWT, type CryptoKey, type JWK, type JWTPayload } from "jose";
import type { Clock } from "./clock";

/** Which process a token is meant for. A token for one is refused by every other. */
export type ServiceAudience = "rhumbatron:egress" | "rhumbatron:git";

/** Signs what web says to git and egress, which hold the public half only. Ed25519, compact JWS. */
export interface ServiceTokenSigner {
  sign(audience: ServiceAudience, claims: JWTPayload, validForSeconds: number): Promise<string>;
}

/** Checks signature, audience and expiry against the clock; null when any of them is wrong. */
export interface ServiceTokenVerifier {
  verify(audience: ServiceAudience, token: string): Promise<JWTPayload | null>;
}

const algorithm = "EdDSA";

export async function createServiceTokenSigner(privateJwk: JWK, clock: Clock): Promise<ServiceTokenSigner> {
  const key = await importEd25519(privateJwk);
  return {
    sign: (audience, claims, validForSeconds) => {
      const issuedAt = Math.floor(clock.now().getTime() / 1000);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm })
        .setAudience(audience)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + validForSeconds)
        .sign(key);
    },
  };
}

export async function createServiceTokenVerifier(
  publicJwk: JWK,
  clock: Clock,
): Promise<ServiceTokenVerifier> {
  const key = await importEd25519(publicJwk);
  return {
    verify: async (audience, token) => {
      try {
        const { payload } = await jwtVerify(token, key, {
          algorithms: [algorithm],
          audience,
          currentDate: clock.now(),
          requiredClaims: ["exp", "iat"],
        });
        return payload;
      } catch {
        return null;
      }
    },
  };
}

async function importEd25519(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, algorithm);
  if (key instanceof Uint8Array) throw new Error("A service key must be an Ed25519 key.");
  return key;
}
