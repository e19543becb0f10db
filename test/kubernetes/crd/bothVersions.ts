import type { Json, JsonObject } from "../../../src/kubernetes/object.ts";
import type { Counterexample } from "../../../src/kubernetes/crd/compare.ts";
import type { Answer, ApiServer } from "../apiServer.ts";
import { definitionOf, type TestDefinition } from "./definitions.ts";
import type { SchemaPair } from "./pairs.ts";

const DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/** The old and the new schemas of all pairs, each in a definition of its own: `.spec.<name of the pair>`. */
export interface BothVersions {
  /** Groups of the two definitions. */
  readonly old: string;
  readonly new: string;
}

/** Installs one definition with all old schemas and one with all new ones. */
export async function installBoth(
  server: ApiServer,
  pairs: readonly SchemaPair[],
  groups: BothVersions,
): Promise<void> {
  const fields = (side: "old" | "new"): JsonObject => Object.fromEntries(pairs.map((pair) => [pair.name, pair[side]]));
  await Promise.all([
    install(server, definitionOf(fields("old"), groups.old)),
    install(server, definitionOf(fields("new"), groups.new)),
  ]);
}

/** Creates a definition and waits until its kind is served. */
export async function install(server: ApiServer, definition: TestDefinition): Promise<void> {
  const answer = await server.send("POST", `${DEFINITIONS}?fieldValidation=Strict`, definition);
  if (answer.status !== 201) throw new Error(`${definition.metadata.name}: ${answer.text}`);
  const { group, names, versions } = definition.spec;
  const path = `/apis/${group}/${String(versions[0]?.name)}/namespaces/default/${names.plural}`;
  for (let attempt = 0; attempt < 400; attempt++) {
    if ((await server.send("GET", path)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${definition.metadata.name} is not served`);
}

/** Replaces a definition by another one; a dry run does not keep it. */
export async function replace(server: ApiServer, definition: TestDefinition, dryRun = "?dryRun=All"): Promise<Answer> {
  const path = `${DEFINITIONS}/${definition.metadata.name}`;
  const { metadata } = JSON.parse((await server.send("GET", path)).text) as { metadata: { resourceVersion: string } };
  const { resourceVersion } = metadata;
  return server.send("PUT", `${path}${dryRun}`, {
    ...definition,
    metadata: { ...definition.metadata, resourceVersion },
  });
}

/** Removes definitions and everything of their kinds. */
export async function uninstall(server: ApiServer, groups: readonly string[], plural = "samples"): Promise<void> {
  await Promise.all(groups.map((group) => server.send("DELETE", `${DEFINITIONS}/${plural}.${group}`)));
}

function objectsOf(group: string): string {
  return `/apis/${group}/v1/namespaces/default/samples`;
}

/** Creates an object strictly, and keeps it only when `name` says under which name. */
export function create(server: ApiServer, group: string, object: JsonObject, name?: string): Promise<Answer> {
  const path = `${objectsOf(group)}?fieldValidation=Strict${name === undefined ? "&dryRun=All" : ""}`;
  const metadata = { ...(object["metadata"] as JsonObject), ...(name !== undefined && { name }) };
  return server.send("POST", path, { ...object, apiVersion: `${group}/v1`, metadata });
}

/** An object with a value for one field of `spec`. */
export function objectWith(name: string, value: Json): JsonObject {
  return { apiVersion: "example.org/v1", kind: "Sample", metadata: { name: "example" }, spec: { [name]: value } };
}

/** Whether an API server accepts what a counterexample does; for a change, what it begins with has to be accepted. */
export async function accepts(
  server: ApiServer,
  group: string,
  example: Counterexample,
  name: string,
): Promise<boolean> {
  if (example.kind !== "update") return (await create(server, group, example.object)).status === 201;
  const before = await create(server, group, example.old, name);
  if (before.status !== 201) throw new Error(before.text);
  const path = `${objectsOf(group)}/${name}?fieldValidation=Strict&dryRun=All`;
  const { metadata } = JSON.parse(before.text) as { metadata: JsonObject };
  const { status } = await server.send("PUT", path, { ...example.new, apiVersion: `${group}/v1`, metadata });
  await server.send("DELETE", `${objectsOf(group)}/${name}`);
  return status === 200;
}

/** The first counterexample that the old version accepts and the new one refuses. */
export async function firstProof(
  server: ApiServer,
  groups: BothVersions,
  name: string,
  examples: readonly Counterexample[],
): Promise<Counterexample | undefined> {
  for (const example of examples) {
    const before = await accepts(server, groups.old, example, name);
    if (before && !(await accepts(server, groups.new, example, name))) return example;
  }
  return undefined;
}
