import "server-only";
import { wireWeb, type Web } from "./wire";

/** Next loads this module more than once in a process; what it builds is built once. */
const shared = globalThis as typeof globalThis & { rhumbatronWeb?: Promise<Web> };

function getWeb(): Promise<Web> {
  return (shared.rhumbatronWeb ??= wireWeb(process.env));
}

/** The one HTTP door of the API. */
export async function handleApi(request: Request): Promise<Response> {
  return (await getWeb()).handleApi(request);
}

/** Where people's git clones and pushes canonical repositories. */
export async function handleGit(request: Request): Promise<Response> {
  return (await getWeb()).handleGit(request);
}

/** Downloads of single files of ChangeSets. */
export async function handleRaw(request: Request): Promise<Response> {
  return (await getWeb()).handleRaw(request);
}

/** The same tools over MCP. */
export async function handleMcp(request: Request): Promise<Response> {
  return (await getWeb()).handleMcp(request);
}

/** Calls the API from a page that the server renders, as whoever asks for the page. */
export async function callApi(headers: Headers): ReturnType<Web["callApi"]> {
  return (await getWeb()).callApi(headers);
}

/** Called once when the server starts. */
export async function startWeb(): Promise<void> {
  await (await getWeb()).start();
}
