import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { compareDefinitions, type Counterexample } from "../../../src/kubernetes/crd/compare.ts";
import type { JsonObject } from "../../../src/kubernetes/object.ts";
import { sharedApiServer, type ApiServer } from "../apiServer.ts";
import {
  create,
  firstProof,
  install,
  installBoth,
  objectWith,
  replace,
  uninstall,
  type BothVersions,
} from "./bothVersions.ts";
import { CRDIFY_PAIRS, CRDIFY_WHOLE_PAIRS } from "./crdifyPairs.ts";
import { OWN_PAIRS } from "./ownPairs.ts";
import { definitionsOf, type SchemaPair } from "./pairs.ts";
import { rowOf, tableOf, type Row } from "./table.ts";
import { describeUnless } from "../../support/describeUnless.ts";

const DECISION = join(import.meta.dirname, "../../../.github/decisions/0008-crd-compatibility.md");
const GROUPS: BothVersions = { old: "old.compatibility.example.org", new: "new.compatibility.example.org" };
const WHOLE = (name: string): string => `${name}.compatibility.example.org`;
const PAIRS: readonly SchemaPair[] = [...CRDIFY_PAIRS, ...OWN_PAIRS];

const server = sharedApiServer();
const skipped = "skipped" in server ? server.skipped : undefined;

/** What the real API server makes of a pair. */
interface Measured {
  /** The object that proves a break. */
  readonly proof?: Counterexample;
  /** How the value that both versions accept is read, before and now. */
  readonly read?: readonly [unknown, unknown];
}

async function measure(api: ApiServer, pair: SchemaPair): Promise<Measured> {
  const changes = compareDefinitions(...definitionsOf(pair));
  const examples = changes.flatMap(({ counterexamples }) => counterexamples);
  const proof = await firstProof(api, GROUPS, pair.name, examples);
  if (proof !== undefined) return { proof };
  return pair.probe === undefined
    ? {}
    : { read: [await readBack(api, GROUPS.old, pair), await readBack(api, GROUPS.new, pair)] };
}

/** What is stored of the value that both versions accept. */
async function readBack(api: ApiServer, group: string, { name, probe = null }: SchemaPair): Promise<unknown> {
  const answer = await create(api, group, objectWith(name, probe));
  if (answer.status !== 201) throw new Error(`${name}: ${answer.text}`);
  const { spec } = JSON.parse(answer.text) as { spec: JsonObject };
  return spec[name];
}

describeUnless(skipped, "breaking changes, on a real API server", () => {
  const measured = new Map<string, Measured>();
  const replaced = new Map<string, number>();

  beforeAll(async () => {
    const api = server as ApiServer;
    await Promise.all([
      installBoth(api, PAIRS, GROUPS),
      ...CRDIFY_WHOLE_PAIRS.map((pair) => install(api, pair.old(WHOLE(pair.name)))),
    ]);
    await Promise.all(PAIRS.map(async (pair) => measured.set(pair.name, await measure(api, pair))));
    await Promise.all(
      CRDIFY_WHOLE_PAIRS.map(async (pair) => {
        const { status } = await replace(api, pair.new(WHOLE(pair.name)));
        replaced.set(pair.name, status);
      }),
    );
  });

  afterAll(async () => {
    const groups = [GROUPS.old, GROUPS.new, ...CRDIFY_WHOLE_PAIRS.map(({ name }) => WHOLE(name))];
    await uninstall(server as ApiServer, groups);
  });

  it.each(PAIRS.filter(({ probe }) => probe === undefined))(
    "are proved by an object that the old version accepts and the new one refuses: $name",
    ({ name }) => {
      expect(measured.get(name)?.proof).toBeDefined();
    },
  );

  it.each(PAIRS.filter(({ probe }) => probe !== undefined))(
    "are not claimed where nothing is refused: $name",
    ({ name }) => {
      expect(measured.get(name)).toEqual({ read: [expect.toSatisfy(isThere), expect.toSatisfy(isThere)] });
    },
  );

  it("are in the table of the decision, beside those that crdify documents", () => {
    const rows: Row[] = [
      ...CRDIFY_WHOLE_PAIRS.map((pair) => {
        const changes = compareDefinitions(pair.old("example.org"), pair.new("example.org"));
        return rowOf(
          pair.documented,
          changes.slice(0, 1),
          `refuses the definition (${String(replaced.get(pair.name))})`,
        );
      }),
      ...CRDIFY_PAIRS.map((pair) => {
        const changes = compareDefinitions(...definitionsOf(pair));
        return rowOf(pair.documented, changes, shown(pair, measured.get(pair.name) ?? {}));
      }),
    ];
    const lines = readFileSync(DECISION, "utf8").split("\n");
    expect(lines.filter((line) => line.startsWith("|")).join("\n")).toBe(tableOf(rows));
  });
});

function isThere(value: unknown): boolean {
  return value !== undefined;
}

/** What the server did, for people. */
function shown({ name, probe }: SchemaPair, { proof, read }: Measured): string {
  const code = (value: unknown): string => `\`${JSON.stringify(value)}\``;
  if (proof?.kind === "create") return `refuses ${code(valueIn(proof.object, name))}`;
  if (proof?.kind === "update")
    return `refuses to let ${code(valueIn(proof.old, name))} become ${code(valueIn(proof.new, name))}`;
  const [before, after] = (read ?? []).map(code);
  return before === after
    ? `accepts ${code(probe)}`
    : `accepts ${code(probe)}: reads ${String(after)}, no longer ${String(before)}`;
}

function valueIn(object: JsonObject, name: string): unknown {
  return (object["spec"] as JsonObject)[name];
}
