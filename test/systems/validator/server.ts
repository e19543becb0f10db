import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import type { Answer, ApiServer } from "../../kubernetes/apiServer.ts";
import type { Definition } from "./definitions.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const STRICT = "fieldValidation=Strict&fieldManager=differential";
const POLL_MS = 100;
const POLLS = 300;

/** What the API server says of an object, reduced to what a verdict says. */
export type ServerVerdict =
  | { readonly kind: "accepted" }
  | { readonly kind: "refused"; readonly fields: readonly string[] | undefined; readonly message: string };

/** Creates a definition and waits until its kind is served. Gives why it was refused, if it was. */
export async function install(server: ApiServer, definition: Definition): Promise<ServerVerdict> {
  const answer = await server.send("POST", `${DEFINITIONS}?${STRICT}`, definition);
  const verdict = verdictOf(answer);
  if (verdict.kind === "refused") return verdict;
  for (let poll = 0; poll < POLLS; poll++) {
    const paths = versionsOf(definition).map((version) => pathOf(definition, version));
    const answers = await Promise.all(paths.map((path) => server.send("GET", path)));
    if (answers.every(({ status }) => status === 200)) return verdict;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
  throw new Error(`${definition.metadata.name} is not served`);
}

/** Asks the server for a definition that it does not create. */
export async function propose(server: ApiServer, definition: object): Promise<Answer> {
  return server.send("POST", `${DEFINITIONS}?${STRICT}&dryRun=All`, definition);
}

/** Removes a definition and all its objects. */
export async function uninstall(server: ApiServer, { metadata }: Definition): Promise<void> {
  await server.send("DELETE", `${DEFINITIONS}/${metadata.name}`);
}

/** The served versions of a definition. */
export function versionsOf({ spec }: Definition): readonly string[] {
  return spec.versions.filter(({ served }) => served).map(({ name }) => name);
}

/** Where objects of the kind are. */
function pathOf({ spec }: Definition, version: string): string {
  const namespace = spec.scope === "Namespaced" ? "/namespaces/default" : "";
  return `/apis/${spec.group}/${version}${namespace}/${spec.names.plural}`;
}

/** Asks the server for a create, which it carries out only when `keep` says so. */
export async function create(
  server: ApiServer,
  definition: Definition,
  version: string,
  object: JsonObject,
  keep = false,
): Promise<Answer> {
  return server.send("POST", `${pathOf(definition, version)}?${STRICT}${keep ? "" : "&dryRun=All"}`, object);
}

/** Asks the server for an update that it does not carry out. */
export async function update(
  server: ApiServer,
  definition: Definition,
  version: string,
  name: string,
  object: JsonObject,
): Promise<Answer> {
  return server.send("PUT", `${pathOf(definition, version)}/${name}?${STRICT}&dryRun=All`, object);
}

interface Status {
  readonly message: string;
  readonly details?: { readonly causes?: readonly { readonly field?: string }[] };
}

/** Reads an answer. Only 422 comes with fields; the others name them in their text. */
export function verdictOf({ status, text }: Answer): ServerVerdict {
  if (status < 300) return { kind: "accepted" };
  if (status !== 422 && status !== 400) throw new Error(`the API server answered ${status}: ${text}`);
  const { message, details } = JSON.parse(text) as Status & Json;
  const fields = details?.causes?.map(({ field = "" }) => field);
  return { kind: "refused", fields, message };
}
