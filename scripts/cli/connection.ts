import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createTRPCClient, httpLink, type TRPCClient } from "@trpc/client";
import type { AppRouter } from "../../server/api/root";
import { OperatorError, systemErrorCode } from "../stack/operator-error";

export type Client = TRPCClient<AppRouter>;

/** Where the API is, and who calls it. `baseUrl` has no slash at its end. */
export interface Connection {
  baseUrl: string;
  token: string;
  client: Client;
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Finds the running stack from the environment: `PUBLIC_URL`, else `PORT` on this machine; `RHUMBATRON_TOKEN`, else the
 * admin token that `stack:up` left in DATA_DIR. Errors: `OperatorError` when there is no token.
 */
export async function connect(env: Environment): Promise<Connection> {
  const baseUrl = (env["PUBLIC_URL"] || `http://localhost:${env["PORT"] || "3000"}`).replace(/\/+$/, "");
  const token = env["RHUMBATRON_TOKEN"] || (await readAdminToken(env["DATA_DIR"] || "./.data"));
  return { baseUrl, token, client: createClient(baseUrl, token) };
}

/** A typed client that calls as the holder of `token`. */
export function createClient(baseUrl: string, token: string): Client {
  return createTRPCClient<AppRouter>({
    links: [httpLink({ url: `${baseUrl}/api/trpc`, headers: { authorization: `Bearer ${token}` } })],
  });
}

async function readAdminToken(dataDir: string): Promise<string> {
  const path = join(dataDir, "admin-token");
  try {
    return (await readFile(path, "utf8")).trim();
  } catch (error) {
    throw new OperatorError(
      systemErrorCode(error) === "EACCES"
        ? `${path} is not yours to read: set RHUMBATRON_TOKEN to a token of your own.`
        : `There is no token: set RHUMBATRON_TOKEN, or run \`npm run stack:up\`, which leaves one in ${path}.`,
      { cause: error },
    );
  }
}
