import { readManifest } from "../../../src/kubernetes/manifest.ts";
import { prepareComparison, type KnownVersion } from "../../../src/check/compatibility/compareServed.ts";
import type { ConfirmedChange } from "../../../src/check/facts.ts";
import { Questions } from "../../../src/check/compatibility/questions.ts";
import { seekExamples } from "../../../src/check/compatibility/seekExamples.ts";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { openValidator } from "../../../src/systems/validator.ts";
import { catalogueOf } from "../../sync/catalogueFiles.ts";
import { quietRun } from "../../support/quietRun.ts";
import { definitionOf } from "../../kubernetes/crd/definitions.ts";

// Ends with the process: its threads keep nothing alive.
const validator = openValidator();

/** A schema for text. */
export const TEXT: JsonObject = { type: "string" };

/** A schema for objects of these fields. */
export function object(properties: JsonObject, rest: JsonObject = {}): JsonObject {
  return { type: "object", properties, ...rest };
}

/** The same, with CEL rules. */
export function ruled(properties: JsonObject, ...rules: readonly string[]): JsonObject {
  return object(properties, { "x-kubernetes-validations": rules.map((rule) => ({ rule })) });
}

/** What is known of the breaking changes between two schemas of `.spec.value`, once examples were sought. */
export function known(old: JsonObject, wanted: JsonObject, data?: object): Promise<readonly ConfirmedChange[]> {
  return knownOf(definitionOf({ value: old }), definitionOf({ value: wanted }), data);
}

/** The same for two definitions. */
export async function knownOf(old: unknown, wanted: unknown, data?: object): Promise<readonly ConfirmedChange[]> {
  const [before, after] = [manifestOf(old), manifestOf(wanted)];
  const version: KnownVersion = { template: templateWith(data), manifest: before, samples: [] };
  const questions = new Questions();
  const comparison = { before: version, manifest: after, predecessors: [version] };
  const prepared = prepareComparison(comparison, questions);
  await questions.ask(validator, quietRun());
  await seekExamples([prepared], validator, quietRun());
  const changes = prepared.complete().definitions.flatMap((definition) => definition.changes);
  return changes.filter((change) => change.class === "breaking");
}

function templateWith(data: object | undefined): KnownVersion["template"] {
  const { channels } = catalogueOf({ channels: { fast: { sample: { version: "1.0.0", data } } } });
  const [template] = [...channels.values()].flatMap(({ templates }) => [...templates.values()]);
  if (template === undefined) throw new Error("the sample serves a module");
  return template;
}

function manifestOf(definition: unknown): ReturnType<typeof readManifest> {
  return readManifest("manifest.yaml", true, Buffer.from(JSON.stringify(definition)));
}
