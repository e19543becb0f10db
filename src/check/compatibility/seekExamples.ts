import { canonicalJson } from "../../document/canonical.ts";
import { textAt } from "../../document/fields.ts";
import type { Counterexample, Sought } from "../../kubernetes/crd/change.ts";
import { readDefinition } from "../../kubernetes/crd/definition.ts";
import { createdBy, exampleHead, smallest } from "../../kubernetes/crd/counterexamples.ts";
import { asResource } from "../../kubernetes/crd/pair.ts";
import { jsonObject, type Schema } from "../../kubernetes/crd/schema.ts";
import { graft, variants, type Spot } from "../../kubernetes/crd/seek.ts";
import type { Json, JsonObject } from "../../kubernetes/object.ts";
import type { StatusCause, ValidationVerdict } from "../../kubernetes/validation.ts";
import type { Run, Validator } from "../../ports.ts";
import { Questions } from "./questions.ts";
import type { PreparedComparison } from "./compareServed.ts";
import { tryDrawn } from "./tryDrawn.ts";
import { tryExamples, type TrialExamples } from "./tryExamples.ts";
import type { BreakTrial } from "./trial.ts";

/** The number of rounds in which refused objects are changed and tried again. */
const ROUNDS = 8;
/** The most objects that are looked at for all changes of a version, since each takes 1 to 3 ms. */
const MOST_OBJECTS = 1500;
/** As many may be looked at for each change in any case: where the search begins, and one round. */
const FEWEST_OBJECTS = 30;
/** The most objects with which the search for one change begins. */
const MOST_STARTS = 7;

/**
 * Tries the small examples of each change. Then looks for objects that the definition in service accepts and that a change
 * affects. Covers the changes that no small example decided, since unions and CEL rules refuse most objects that a schema
 * alone suggests. Starts from objects that users write and from accepted objects, and changes refused objects where they
 * are refused.
 *
 * Takes:  `seeds` of a comparison: objects of any kind, which are default CRs and samples.
 */
export async function seekExamples(
  comparisons: readonly TriedComparison[],
  validator: Validator,
  run: Run,
): Promise<void> {
  const all = comparisons.flatMap(({ trials }) => trials);
  await tryExamples(
    all.map((trial) => ({ trial, examples: trial.change.counterexamples })),
    validator,
    run,
  );
  for (const { trials, seeds } of comparisons)
    for (const [served, own] of Map.groupBy(trials, (trial) => trial.served))
      for (const [version, group] of Map.groupBy(own, ({ change }) => change.version))
        if (version !== undefined) {
          await seekInVersion(group.flatMap(soughtFor), { served, version, own, seeds }, validator, run);
          await tryDrawn(group, validator, run);
        }
}

/** The changes between two versions, and objects that users write. */
type TriedComparison = Pick<PreparedComparison, "trials" | "seeds">;

/** An undecided break, and what an object must contain to prove it. */
interface Open {
  readonly trial: BreakTrial;
  readonly sought: Sought;
}

function soughtFor(trial: BreakTrial): readonly Open[] {
  const { sought } = trial.change;
  return sought === undefined || trial.isProven() || trial.accepted().length > 0 ? [] : [{ trial, sought }];
}

/** One version of a definition in service, all breaks of the definition, and objects that users write. */
interface SoughtVersion {
  readonly served: unknown;
  readonly version: string;
  readonly own: readonly BreakTrial[];
  readonly seeds: readonly unknown[];
}

/** Any object that is accepted. */
const WHOLE: Spot = { steps: [], field: undefined, isAbsent: false };

interface RefusedObject {
  readonly object: JsonObject;
  readonly causes: readonly StatusCause[];
}

/** The version in which objects are looked for, and how many were looked at. */
interface SearchSpace {
  readonly served: unknown;
  readonly schema: Schema;
  judged: number;
}

/** An object to look for. */
interface Quest {
  readonly spot: Spot;
  /** What the search begins with, the likeliest first. */
  readonly starts: readonly JsonObject[];
  /** The search ends when so many objects were looked at. */
  readonly most: number;
}

async function seekInVersion(
  open: readonly Open[],
  { served, version: name, own, seeds }: SoughtVersion,
  validator: Validator,
  run: Run,
): Promise<void> {
  const definition = readDefinition(served);
  const version = definition.versions.get(name);
  if (open.length === 0 || version === undefined) return;
  const schema = asResource(version.schema);
  const head = exampleHead(definition, name);
  const space = { served, schema, judged: 0 };
  const written = seeds
    .filter((seed) => textAt(seed, ["apiVersion"]) === head.apiVersion && textAt(seed, ["kind"]) === head.kind)
    .map(jsonObject);
  const accepted = own.flatMap((trial) => trial.accepted()).filter(({ apiVersion }) => apiVersion === head.apiVersion);
  const small = createdBy(smallest(schema, head));
  const whole = { spot: WHOLE, starts: [...written, ...accepted, ...small], most: MOST_OBJECTS };
  let latest = await seekObject(whole, space, validator, run);
  const usual = [...written, ...(latest === undefined ? [] : [latest]), ...small];
  const found: TrialExamples[] = [];
  for (const [index, { trial, sought }] of open.entries()) {
    // Changes come by place: what was found for one is likely to be accepted with the next one, too.
    const bases = latest === undefined ? usual : [latest, ...usual];
    const starts = [...grafted(sought, bases, schema), ...createdBy(trial.change.counterexamples)];
    const share = Math.floor((MOST_OBJECTS - space.judged) / (open.length - index));
    const quest = { spot: sought, starts, most: space.judged + Math.max(FEWEST_OBJECTS, share) };
    const object = await seekObject(quest, space, validator, run);
    if (object === undefined) continue;
    latest = object;
    found.push({ trial, examples: examplesFrom(object, sought, schema) });
  }
  await tryExamples(found, validator, run);
}

/** The objects with the first value that may prove a change. */
function grafted(sought: Sought, objects: readonly JsonObject[], schema: Schema): readonly JsonObject[] {
  const value = sought.values[0] ?? sought.updates[0]?.[0];
  if (value === undefined) return [];
  return objects.map((object) => jsonObject(graft(object, sought, value, schema)));
}

/** An accepted object with what is sought: one of `starts`, or a variant. `undefined` if none is found. */
async function seekObject(
  { spot, starts, most }: Quest,
  space: SearchSpace,
  validator: Validator,
  run: Run,
): Promise<JsonObject | undefined> {
  const seen = new Set<string>();
  const portions = [starts.slice(0, 1), starts.slice(1, MOST_STARTS)];
  let refused: RefusedObject[] = [];
  for (let round = 0; round <= ROUNDS && space.judged < most; round++) {
    // The object with the fewest causes of refusal is changed next.
    const next = portions.shift() ?? objectVariants(refused.shift(), spot, space.schema);
    const verdicts = await judge(unseen(next, seen), space, validator, run);
    const found = verdicts.find(({ verdict }) => verdict.kind === "accepted");
    if (found !== undefined) return found.object;
    const fresh = verdicts.flatMap(({ object, verdict }) =>
      verdict.kind === "refused" ? [{ object, causes: verdict.causes }] : [],
    );
    refused = [...refused, ...fresh].toSorted((a, b) => a.causes.length - b.causes.length);
  }
  return undefined;
}

function objectVariants(refused: RefusedObject | undefined, spot: Spot, schema: Schema): readonly JsonObject[] {
  const [cause] = refused?.causes ?? [];
  return refused && cause ? variants(refused.object, schema, cause, spot) : [];
}

/** The objects that are not in `seen`, which then has them. */
function unseen(objects: readonly JsonObject[], seen: Set<string>): readonly JsonObject[] {
  const fresh = new Map(objects.map((object) => [canonicalJson(object), object]));
  for (const key of seen) fresh.delete(key);
  for (const key of fresh.keys()) seen.add(key);
  return [...fresh.values()];
}

async function judge(
  objects: readonly JsonObject[],
  space: SearchSpace,
  validator: Validator,
  run: Run,
): Promise<readonly { readonly object: JsonObject; readonly verdict: ValidationVerdict }[]> {
  const questions = new Questions();
  const asked = objects.map((object) => ({ object, answer: questions.create(space.served, object) }));
  await questions.ask(validator, run);
  space.judged += objects.length;
  return asked.map(({ object, answer }) => ({ object, verdict: answer() }));
}

/** The found object, with every value that may prove the change. */
function examplesFrom(found: JsonObject, sought: Sought, schema: Schema): readonly Counterexample[] {
  const withValue = (value: Json): JsonObject => jsonObject(graft(found, sought, value, schema));
  return [
    ...sought.values.map((value) => ({ kind: sought.act, object: withValue(value) })),
    ...sought.updates.map(([from, to]) => ({ kind: "update" as const, old: withValue(from), new: withValue(to) })),
  ];
}
