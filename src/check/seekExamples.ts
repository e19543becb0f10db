import { canonicalJson } from "../catalogue/canonical.ts";
import { textAt } from "../catalogue/import/fields.ts";
import { readDefinition } from "../kubernetes/crd/definition.ts";
import { headOf, smallest } from "../kubernetes/crd/counterexamples.ts";
import { asResource } from "../kubernetes/crd/pair.ts";
import type { Schema } from "../kubernetes/crd/schema.ts";
import { graft, variants, type Spot } from "../kubernetes/crd/seek.ts";
import { objectOf } from "../kubernetes/crd/schema.ts";
import type { Json, JsonObject } from "../kubernetes/object.ts";
import type { Cause } from "../kubernetes/validation.ts";
import type { Run, Validator } from "../ports.ts";
import { Questions } from "./questions.ts";
import type { Trial } from "./trial.ts";

/** How often a refused object is changed, before nothing is known of a change. */
const ROUNDS = 8;
/** How many refused objects are changed in one round: those that are refused for the fewest causes. */
const WIDTH = 1;
/** What is tried for all changes of a version together: more would take longer than anybody waits. */
const MOST_OBJECTS = 4000;
/** What the first round tries for one change. */
const MOST_STARTS = 6;

/**
 * Looks for objects that the definition in service accepts and that hold what a change is about, for the changes that no
 * small example could decide: unions and CEL rules refuse most of what a schema alone suggests. It starts from objects that
 * people write, and from what was accepted before, and changes what is refused where it is refused.
 *
 * Takes:  `seeds`, objects of any kind: default CRs and samples.
 */
export async function seekExamples(
  trials: readonly Trial[],
  seeds: readonly unknown[],
  validator: Validator,
  run: Run,
): Promise<void> {
  const open = trials.filter(({ change }) => change.sought !== undefined && change.version !== undefined);
  for (const group of Map.groupBy(open, kindOf).values()) await seekInKind(group, trials, seeds, validator, run);
}

/** Trials of one version of one definition. */
function kindOf({ change, served }: Trial): string {
  return canonicalJson([readDefinition(served).document["metadata"], change.version]);
}

/** Any object that is accepted. */
const WHOLE: Spot = { steps: [], field: undefined, isAbsent: false };

/** An object that is looked for. */
interface Quest {
  readonly sought: Spot;
  next: readonly JsonObject[];
  readonly seen: Set<string>;
  /** What was refused and was not changed yet. */
  refused: readonly RefusedObject[];
  found: JsonObject | undefined;
}

interface RefusedObject {
  readonly object: JsonObject;
  readonly causes: readonly Cause[];
}

async function seekInKind(
  group: readonly Trial[],
  trials: readonly Trial[],
  seeds: readonly unknown[],
  validator: Validator,
  run: Run,
): Promise<void> {
  const undecided = group.filter((trial) => trial.accepted().length === 0);
  const [first] = undecided;
  if (first === undefined) return;
  const definition = readDefinition(first.served);
  const version = definition.versions.get(first.change.version ?? "");
  if (version === undefined) return;
  const schema = asResource(version.schema);
  const head = headOf(definition, version.name);
  const place = { served: first.served, schema, validator };
  const own = seeds.filter(
    (seed) => textAt(seed, ["apiVersion"]) === head.apiVersion && textAt(seed, ["kind"]) === head.kind,
  );
  const accepted = trials.filter(({ served }) => served === first.served).flatMap((trial) => trial.accepted());
  const small = smallest(schema, head).flatMap((example) => (example.kind === "create" ? [example.object] : []));
  const starts = [
    ...own.map(objectOf),
    ...accepted.filter(({ apiVersion }) => apiVersion === head.apiVersion),
    ...small,
  ];
  const whole = questFor(WHOLE, starts.slice(0, MOST_STARTS));
  await pursue([whole], place, run);
  const grounds = [...own.map(objectOf), ...(whole.found === undefined ? [] : [whole.found]), ...small];
  const quests = undecided.map((trial) => questOf(trial, grounds, schema));
  await pursue(quests, place, run);
  await tryFound(undecided, quests, schema, validator, run);
}

function questFor(sought: Quest["sought"], next: readonly JsonObject[]): Quest {
  return { sought, next, seen: new Set(), refused: [], found: undefined };
}

function questOf(
  { change: { sought, counterexamples } }: Trial,
  grounds: readonly JsonObject[],
  schema: Schema,
): Quest {
  if (sought === undefined) return questFor(WHOLE, []);
  const value = sought.values[0] ?? sought.updates[0]?.[0];
  const grafted = value === undefined ? [] : grounds.map((ground) => objectOf(graft(ground, sought, value, schema)));
  const small = counterexamples.flatMap((example) => (example.kind === "create" ? [example.object] : []));
  return questFor(sought, [...grafted, ...small].slice(0, MOST_STARTS));
}

/** Asks what each quest tries next until it is found, or nothing is left to try. */
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
    for (const { quest, objects } of asked) {
      const verdicts = objects.map(({ object, answer }) => ({ object, verdict: answer() }));
      quest.found = verdicts.find(({ verdict }) => verdict.kind === "accepted")?.object;
      const refused = verdicts.flatMap(({ object, verdict }) =>
        verdict.kind === "refused" ? [{ object, causes: verdict.causes }] : [],
      );
      const all = [...quest.refused, ...refused].toSorted((a, b) => a.causes.length - b.causes.length);
      quest.refused = all.slice(WIDTH);
      quest.next = all.slice(0, WIDTH).flatMap(({ object, causes: [cause] }) => {
        return cause === undefined ? [] : variants(object, schema, cause, quest.sought);
      });
    }
  }
}

/** What was found is tried on both definitions, with every value that would prove the change. */
async function tryFound(
  trials: readonly Trial[],
  quests: readonly Quest[],
  schema: Schema,
  validator: Validator,
  run: Run,
): Promise<void> {
  const questions = new Questions();
  for (const [index, trial] of trials.entries()) {
    const found = quests[index]?.found;
    const { sought } = trial.change;
    if (found === undefined || sought === undefined) continue;
    const withValue = (value: Json): JsonObject => objectOf(graft(found, sought, value, schema));
    for (const value of sought.values) trial.attempt({ kind: "create", object: withValue(value) }, questions);
    for (const [from, to] of sought.updates)
      trial.attempt({ kind: "update", old: withValue(from), new: withValue(to) }, questions);
  }
  await questions.ask(validator, run);
}
