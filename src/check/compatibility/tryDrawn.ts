import { readDefinition } from "../../kubernetes/crd/definition.ts";
import { createdBy, exampleHead, smallest } from "../../kubernetes/crd/counterexamples.ts";
import { drawnValues } from "../../kubernetes/crd/draw.ts";
import { asResource } from "../../kubernetes/crd/pair.ts";
import { jsonObject, omit, type Schema } from "../../kubernetes/crd/schema.ts";
import { graft } from "../../kubernetes/crd/seek.ts";
import type { Counterexample, Sought } from "../../kubernetes/crd/change.ts";
import { isJsonObject, type Json, type JsonObject } from "../../kubernetes/object.ts";
import type { Run, Validator } from "../../ports.ts";
import type { BreakTrial } from "./trial.ts";
import { tryExamples } from "./tryExamples.ts";

/** The most values that are drawn for one change, and for all changes of a version of a definition: each takes 1 to 3 ms. */
const MOST_OF_ONE = 120;
const MOST_OF_ALL = 800;

/**
 * Tries values that look random, made of what a change speaks of, for the changes of one version of a definition that no
 * chosen object has decided: texts, keys, names, numbers between alternatives, and fields in combination.
 */
export async function tryDrawn(trials: readonly BreakTrial[], validator: Validator, run: Run): Promise<void> {
  const open = trials.flatMap((trial) => {
    const { certain, confirmation, sought } = trial.result();
    const isOpen = confirmation === "refuted" || (confirmation === "open" && !certain);
    return sought?.act === "create" && isOpen ? [{ trial, sought }] : [];
  });
  const [first] = open;
  if (first === undefined) return;
  const definition = readDefinition(first.trial.served);
  const name = String(first.trial.change.version);
  const schema = asResource(jsonObject(definition.versions.get(name)?.schema));
  const others = [
    ...trials.flatMap((trial) => trial.accepted()),
    ...createdBy(smallest(schema, exampleHead(definition, name))),
  ];
  const candidates = open.map(({ trial, sought }) => {
    const [base = {}] = [...trial.accepted(), ...others];
    const values = drawnValues(sought.drawing, Math.min(MOST_OF_ONE, Math.floor(MOST_OF_ALL / open.length)));
    const objects = values.map((value) => placed(base, sought, fitting(value, sought), schema));
    return { trial, examples: soughtExamples(sought, objects) };
  });
  await tryExamples(candidates, validator, run);
}

/** The value with, or without, the field that a change is about. */
function fitting(value: Json, { field, isAbsent, values: [first] }: Sought): Json {
  if (field === undefined || !isJsonObject(value)) return value;
  return isAbsent ? omit(value, field) : { ...value, [field]: jsonObject(first)[field] ?? null };
}

function placed(base: JsonObject, { steps, field, isAbsent }: Sought, value: Json, schema: Schema): JsonObject {
  const whole = jsonObject(graft(base, { steps, field, isAbsent, isWhole: true }, value, schema));
  const { apiVersion = null, kind = null } = base;
  return {
    ...whole,
    apiVersion,
    kind,
    metadata: { ...jsonObject(base["metadata"]), ...jsonObject(whole["metadata"]) },
  };
}

/** Creations of the objects, and updates of each to the next. */
function soughtExamples({ values, updates }: Sought, objects: readonly JsonObject[]): readonly Counterexample[] {
  return objects.flatMap((object, index): readonly Counterexample[] => {
    // An object keeps its name.
    const next = { ...objects[index + 1], metadata: object["metadata"] ?? null };
    const isUpdated = updates.length > 0 && index + 1 < objects.length;
    return [
      ...(values.length > 0 ? [{ kind: "create" as const, object }] : []),
      ...(isUpdated ? [{ kind: "update" as const, old: object, new: next }] : []),
    ];
  });
}
