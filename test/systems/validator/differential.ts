import { isDeepStrictEqual } from "node:util";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import type { ValidationVerdict } from "../../../src/kubernetes/validation.ts";
import type { Validator } from "../../../src/ports.ts";
import type { ApiServer } from "../../kubernetes/apiServer.ts";
import { quietRun } from "../../support/quietRun.ts";
import type { Definition } from "./definitions.ts";
import { mutate } from "./mutate.ts";
import { seeded, type Random } from "../../support/random.ts";
import { sample } from "./sample.ts";
import { create, install, propose, uninstall, update, verdictOf, versionsOf, type ServerVerdict } from "./server.ts";

/** What came of asking both. */
export interface Agreement {
  readonly objects: number;
  readonly accepted: number;
  readonly refused: number;
  readonly notEvaluated: number;
  /** Of the refused ones, how many blame the same fields. */
  readonly sameFields: number;
  /** One accepts, the other refuses: object, both verdicts. */
  readonly contradictions: readonly string[];
  /** Both refuse, and blame different fields. */
  readonly differences: readonly string[];
}

interface Case {
  readonly object: JsonObject;
  readonly old?: JsonObject;
  readonly server: ServerVerdict;
}

const CONCURRENCY = 8;
const BASES = 12;

/** Asks the server and the validator about `count` mutated objects, spread over the definitions. */
export async function compare(
  definitions: readonly Definition[],
  server: ApiServer,
  validator: Validator,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Agreement> {
  const share = Math.ceil(count / definitions.length);
  const agreements: Agreement[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < definitions.length; index = next++) {
      const [definition] = definitions.slice(index);
      if (definition !== undefined) {
        agreements.push(await compareOne(definition, server, validator, share, seeded(seed + index)));
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return agreements.reduce(sum, NONE);
}

/** Asks both about `count` mutated definitions, none of which is installed. */
export async function compareDefinitions(
  definitions: readonly Definition[],
  server: ApiServer,
  validator: Validator,
  { count, seed }: { readonly count: number; readonly seed: number },
): Promise<Agreement> {
  const random = seeded(seed);
  const [first, ...others] = definitions;
  const agreements: Agreement[] = [];
  while (first !== undefined && agreements.length < count) {
    const { metadata, ...rest } = random.pick([first, ...others]);
    const definition = { metadata, ...mutate(JSON.parse(JSON.stringify(rest)) as JsonObject, random) };
    const said = verdictOf(await propose(server, definition));
    const [validation] = await validator.judge([{ definition, creates: [], updates: [] }], quietRun());
    agreements.push(agree(validation?.definition, said, JSON.stringify(definition)));
  }
  return agreements.reduce(sum, NONE);
}

async function compareOne(
  definition: Definition,
  server: ApiServer,
  validator: Validator,
  count: number,
  random: Random,
): Promise<Agreement> {
  const installed = await install(server, definition);
  try {
    const cases = installed.kind === "accepted" ? await casesOf(definition, server, count, random) : [];
    const creates = cases.filter(({ old }) => old === undefined);
    const updates = cases.flatMap(({ object, old, server: said }) =>
      old === undefined ? [] : [{ object, old, said }],
    );
    const [validation] = await validator.judge(
      [
        {
          definition,
          creates: creates.map(({ object }) => object),
          updates: updates.map(({ object, old }) => ({ old, new: object })),
        },
      ],
      quietRun(),
    );
    if (validation === undefined) throw new Error("no validation");
    const first = agree(validation.definition, installed, definition.metadata.name);
    const ofCreates = creates.map((one, at) => agree(validation.creates[at], one.server, JSON.stringify(one.object)));
    const ofUpdates = updates.map((one, at) => agree(validation.updates[at], one.said, JSON.stringify(one)));
    return [first, ...ofCreates, ...ofUpdates].reduce(sum, NONE);
  } finally {
    await uninstall(server, definition);
  }
}

async function casesOf(
  definition: Definition,
  server: ApiServer,
  count: number,
  random: Random,
): Promise<readonly Case[]> {
  const cases: Case[] = [];
  const bases: { readonly object: JsonObject; readonly version: string; readonly stored: JsonObject | undefined }[] =
    [];
  const [first = "", ...others] = versionsOf(definition);
  for (let index = 0; index < BASES; index++) {
    const version = random.pick([first, ...others]);
    const object = sampleOf(definition, version, `base-${index}`, random);
    const answer = await create(server, definition, version, object, true);
    const said = verdictOf(answer);
    cases.push({ object, server: said });
    bases.push({
      object,
      version,
      stored: said.kind === "accepted" ? (JSON.parse(answer.text) as JsonObject) : undefined,
    });
  }
  const good = bases.filter(({ stored }) => stored !== undefined);
  const [base, ...more] = good.length > 0 ? good : bases;
  while (base !== undefined && cases.length < count) {
    const { object, version, stored } = random.pick([base, ...more]);
    if (stored === undefined || random.chance(0.7)) {
      const mutated = mutate({ ...object, metadata: { name: "another" } }, random);
      cases.push({ object: mutated, server: verdictOf(await create(server, definition, version, mutated)) });
    } else {
      const mutated = mutate(stored, random);
      const name = (stored["metadata"] as { readonly name: string }).name;
      const said = verdictOf(await update(server, definition, version, name, mutated));
      cases.push({ object: mutated, old: stored, server: said });
    }
  }
  return cases;
}

function sampleOf({ spec }: Definition, version: string, name: string, random: Random): JsonObject {
  const schema = spec.versions.find((one) => one.name === version)?.schema?.openAPIV3Schema ?? {};
  const content = sample(schema, random) as JsonObject;
  return { ...content, apiVersion: `${spec.group}/${version}`, kind: spec.names.kind, metadata: { name } };
}

const NONE: Agreement = {
  objects: 0,
  accepted: 0,
  refused: 0,
  notEvaluated: 0,
  sameFields: 0,
  contradictions: [],
  differences: [],
};

function sum(one: Agreement, other: Agreement): Agreement {
  return {
    objects: one.objects + other.objects,
    accepted: one.accepted + other.accepted,
    refused: one.refused + other.refused,
    notEvaluated: one.notEvaluated + other.notEvaluated,
    sameFields: one.sameFields + other.sameFields,
    contradictions: [...one.contradictions, ...other.contradictions],
    differences: [...one.differences, ...other.differences],
  };
}

function agree(ours: ValidationVerdict | undefined, server: ServerVerdict, what: string): Agreement {
  const one = { ...NONE, objects: 1 };
  const words = `${JSON.stringify(server)}\n  ${JSON.stringify(ours)}\n  ${what.slice(0, 2000)}`;
  if (ours === undefined || ours.kind === "not-evaluated") return { ...one, notEvaluated: 1, differences: [words] };
  if (ours.kind !== server.kind) return { ...one, contradictions: [words] };
  if (ours.kind === "accepted" || server.kind === "accepted") return { ...one, accepted: 1 };
  const fields = ours.causes.map(({ field }) => field);
  if (blamesSame(fields, ours.causes[0]?.message ?? "", server)) return { ...one, refused: 1, sameFields: 1 };
  return { ...one, refused: 1, differences: [words] };
}

/** Without fields the server's text must hold ours: each unknown field, or what the decoder said. */
function blamesSame(fields: readonly string[], message: string, server: ServerVerdict & { kind: "refused" }): boolean {
  if (server.fields !== undefined) return same(fields, server.fields);
  const unknown = [...server.message.matchAll(/unknown field "([^"]*)"/g)].map(([, field = ""]) => field);
  return unknown.length > 0 ? same(fields, unknown) : server.message.includes(message);
}

function same(some: readonly string[], others: readonly string[]): boolean {
  const sorted = (names: readonly string[]): readonly string[] => [...new Set(names)].sort();
  return isDeepStrictEqual(sorted(some), sorted(others));
}
