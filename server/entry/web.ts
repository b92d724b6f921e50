import "server-only";
import { createCaller } from "../api/root";
import { handleApiRequest } from "../api/http-handler";
import { answerPeopleGit } from "../git/people-door";
import { wireWeb, type Web } from "./wire";

/** Next loads this module more than once in a process; what it builds is built once. */
const shared = globalThis as typeof globalThis & { rhumbatronWeb?: Promise<Web> };

function getWeb(): Promise<Web> {
  return (shared.rhumbatronWeb ??= wireWeb(process.env));
}

/** The one HTTP door of the API. */
export async function handleApi(request: Request): Promise<Response> {
  return handleApiRequest(request, (await getWeb()).deps);
}

/** Where people's git clones and pushes canonical repositories. */
export async function handleGit(request: Request): Promise<Response> {
  return answerPeopleGit(request, (await getWeb()).peopleGit);
}

/** Calls the API from a page that the server renders. Nobody is signed in yet, so it reaches what is public. */
export async function callApi(): Promise<ReturnType<typeof createCaller>> {
  return createCaller({ deps: (await getWeb()).deps, caller: null });
}

/** Called once when the server starts. */
export async function startWeb(): Promise<void> {
  await (await getWeb()).start();
}
