import { canonicalJson } from "../../document/canonical.ts";
import { textAt } from "../../document/fields.ts";
import type { Sought } from "../../kubernetes/crd/change.ts";
import { readDefinition } from "../../kubernetes/crd/definition.ts";
import { createdBy, headOf, smallest } from "../../kubernetes/crd/counterexamples.ts";
import { asResource } from "../../kubernetes/crd/pair.ts";
import { objectOf, type Schema } from "../../kubernetes/crd/schema.ts";
import { graft, variants, type Spot } from "../../kubernetes/crd/seek.ts";
import type { Json, JsonObject } from "../../kubernetes/object.ts";
import type { StatusCause } from "../../kubernetes/validation.ts";
import type { Run, Validator } from "../../ports.ts";
import { Questions, type VerdictAnswer } from "./questions.ts";
import { tryDrawn } from "./tryDrawn.ts";
import type { BreakTrial } from "./trial.ts";

/** The number of rounds in which refused objects are changed and tried again. */
const ROUNDS = 8;
/** The most objects that are tried for all changes of a version, so that the search does not take too long. */
const MOST_OBJECTS = 4000;
/** The most objects that the first round tries for one change. */
const MOST_STARTS = 6;

/**
 * Looks for objects that the definition in service accepts and that a change affects. Covers the changes that no small
 * example decided, since unions and CEL rules refuse most objects that a schema alone suggests. Starts from objects
 * that users write and from accepted objects, and changes refused objects where they are refused.
 *
 * Takes:  `seeds`, objects of any kind: default CRs and samples.
 */
export async function seekExamples(
  trials: readonly BreakTrial[],
  seeds: readonly unknown[],
  validator: Validator,
  run: Run,
): Promise<void> {
  for (const [served, own] of Map.groupBy(trials, (trial) => trial.served))
    for (const [version, group] of Map.groupBy(own, ({ change }) => change.version))
      if (version !== undefined) {
        await seekInVersion(group.flatMap(soughtFor), { served, version, own, seeds }, validator, run);
        await tryDrawn(group, validator, run);
      }
}

/** An undecided break, and what an object must contain to prove it. */
interface Open {
  readonly trial: BreakTrial;
  readonly sought: Sought;
}

function soughtFor(trial: BreakTrial): readonly Open[] {
  const { sought } = trial.change;
  return sought === undefined || trial.accepted().length > 0 ? [] : [{ trial, sought }];
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

/** The search for one object. */
interface Quest {
  readonly sought: Spot;
  next: readonly JsonObject[];
  readonly seen: Set<string>;
  /** Refused objects that were not changed yet. */
  refused: readonly RefusedObject[];
  found: JsonObject | undefined;
}

interface RefusedObject {
  readonly object: JsonObject;
  readonly causes: readonly StatusCause[];
}

interface AskedObject {
  readonly object: JsonObject;
  readonly answer: VerdictAnswer;
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
  const head = headOf(definition, name);
  const place = { served, schema, validator };
  const written = seeds
    .filter((seed) => textAt(seed, ["apiVersion"]) === head.apiVersion && textAt(seed, ["kind"]) === head.kind)
    .map(objectOf);
  const accepted = own.flatMap((trial) => trial.accepted()).filter(({ apiVersion }) => apiVersion === head.apiVersion);
  const small = createdBy(smallest(schema, head));
  const whole = questFor(WHOLE, [...written, ...accepted, ...small]);
  await pursue([whole], place, run);
  const starts = [...written, ...(whole.found === undefined ? [] : [whole.found]), ...small];
  const quests = open.map((one) => ({ ...one, quest: questOf(one, starts, schema) }));
  await pursue(
    quests.map(({ quest }) => quest),
    place,
    run,
  );
  const questions = new Questions();
  for (const { trial, sought, quest } of quests)
    if (quest.found !== undefined) tryFound(trial, sought, { found: quest.found, schema }, questions);
  await questions.ask(validator, run);
}

function questFor(sought: Spot, starts: readonly JsonObject[]): Quest {
  return { sought, next: starts.slice(0, MOST_STARTS), seen: new Set(), refused: [], found: undefined };
}

function questOf({ trial, sought }: Open, starts: readonly JsonObject[], schema: Schema): Quest {
  const value = sought.values[0] ?? sought.updates[0]?.[0];
  const grafted = value === undefined ? [] : starts.map((start) => objectOf(graft(start, sought, value, schema)));
  return questFor(sought, [...grafted, ...createdBy(trial.change.counterexamples)]);
}

/** Tries the next objects of each quest, until one is accepted or nothing is left to try. */
async function pursue(
  quests: readonly Quest[],
  { served, schema, validator }: { readonly served: unknown; readonly schema: Schema; readonly validator: Validator },
  run: Run,
): Promise<void> {
  let left = MOST_OBJECTS;
  for (let round = 0; round < ROUNDS && left > 0; round++) {
    const questions = new Questions();
    const asked = quests
      .filter(({ found }) => found === undefined)
      .map((quest) => {
        const fresh = new Map(quest.next.map((object) => [canonicalJson(object), object]));
        for (const key of quest.seen) fresh.delete(key);
        for (const key of fresh.keys()) quest.seen.add(key);
        return {
          quest,
          objects: [...fresh.values()].map((object) => ({ object, answer: questions.create(served, object) })),
        };
      });
    if (asked.every(({ objects }) => objects.length === 0)) return;
    await questions.ask(validator, run);
    left -= asked.reduce((sum, { objects }) => sum + objects.length, 0);
    for (const { quest, objects } of asked) learn(quest, objects, schema);
  }
}

/** Ends a quest with an accepted object. Otherwise, the object with the fewest causes of refusal is changed next. */
function learn(quest: Quest, objects: readonly AskedObject[], schema: Schema): void {
  const verdicts = objects.map(({ object, answer }) => ({ object, verdict: answer() }));
  quest.found = verdicts.find(({ verdict }) => verdict.kind === "accepted")?.object;
  const refused = verdicts.flatMap(({ object, verdict }) =>
    verdict.kind === "refused" ? [{ object, causes: verdict.causes }] : [],
  );
  const [best, ...rest] = [...quest.refused, ...refused].toSorted((a, b) => a.causes.length - b.causes.length);
  const [cause] = best?.causes ?? [];
  quest.refused = rest;
  quest.next = best && cause ? variants(best.object, schema, cause, quest.sought) : [];
}

/** Tries the found object on both definitions, with every value that may prove the change. */
function tryFound(
  trial: BreakTrial,
  sought: Sought,
  { found, schema }: { readonly found: JsonObject; readonly schema: Schema },
  questions: Questions,
): void {
  const withValue = (value: Json): JsonObject => objectOf(graft(found, sought, value, schema));
  for (const value of sought.values) trial.attempt({ kind: sought.act, object: withValue(value) }, questions);
  for (const [from, to] of sought.updates)
    trial.attempt({ kind: "update", old: withValue(from), new: withValue(to) }, questions);
}
