import { describe, expect, it } from "vitest";
import { compile } from "../../src/catalogue/compile.ts";
import { entryGate, type GateInput, entryMoveInterims } from "../../src/sync/plan/gate.ts";
import type { EntryMoveRequest } from "../../src/sync/plan/input.ts";
import type { EntryRecord, PastVersion, Records } from "../../src/sync/plan/records.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { NOW, recorded } from "./planning.ts";

const HOUR = 3_600_000;
const landscapes = [
  { name: "dev", controlPlane: { context: "dev" } },
  { name: "elsewhere", controlPlane: { context: "e" }, after: { landscape: "dev", soak: "2h" } },
];
const held = { reason: "it leaks", by: "alice", since: "2026-05-01T00:00:00Z" };

const past = (version: string, soakedMs = 2 * HOUR): PastVersion => {
  return { version, specHash: `hash of ${version}`, fromMs: 0, untilMs: soakedMs, soakedMs };
};
const record = (given: Partial<EntryRecord>): EntryRecord => ({ ...recorded("1.9.0", "h", NOW), ...given });

/** The interim version while 1.9.0 is not due. */
function interim(
  earlier: EntryRecord | undefined,
  given: {
    from?: string | undefined;
    holds?: readonly object[];
    decreases?: GateInput["decreases"];
    at?: number;
    /** The module has no file. */
    isSilent?: boolean;
  } = {},
): unknown {
  const { holds = [], decreases = [], at = 1 } = given;
  const from = "from" in given ? given.from : "1.1.0";
  const whole = catalogueOf({
    settings: { landscapes },
    everywhere: ["fast"],
    channels: { fast: { istio: "1.9.0" } },
    holds: { istio: holds },
  });
  const catalogue = given.isSilent === true ? { ...whole, modules: new Map() } : whole;
  const landscape = catalogue.settings.landscapes[at];
  if (landscape === undefined) throw new Error("there are two");
  const target = { landscape: "elsewhere", namespace: "kcp-system", generation: "version-templates" } as const;
  const { entries } = compile(catalogue, target);
  const records: Records = earlier ? { kind: "known", entries: new Map([["fast/istio", earlier]]) } : { kind: "none" };
  const input = { catalogue, landscape, moves: [], earlier: new Map([["dev", records]]), decreases, nowMs: NOW };
  const moves = entries.map((entry): EntryMoveRequest => ({ ...entry, from, isLower: false, hadBefore: false }));
  const found = entryMoveInterims(moves, entryGate(entries, input), input);
  return found.map(({ version, specHash }) => [version, specHash])[0];
}

describe("while the wanted version is not due", () => {
  it("the entry moves to the newest version that soaked in the earlier landscape", () => {
    const previous = [past("1.4.0", HOUR), past("1.3.0"), past("1.2.0")];

    expect(interim(record({ previous }))).toEqual(["1.3.0", "hash of 1.3.0"]);
  });

  it("the entry moves to the version that the earlier landscape serves now, if that is another one", () => {
    expect(interim(recorded("1.5.0", "h", NOW - 2 * HOUR))).toEqual(["1.5.0", "h"]);
    expect(interim(recorded("1.5.0", "h", NOW - HOUR))).toBeUndefined();
    expect(interim(recorded("1.5.0", "h", NOW - 2 * HOUR), { isSilent: true })).toEqual(["1.5.0", "h"]);
  });

  it.each<[string, Parameters<typeof interim>]>([
    ["that is not higher than the live one", [record({ previous: [past("1.1.0"), past("1.0.0")] })]],
    ["that is higher than the wanted one", [record({ previous: [past("2.0.0")] })]],
    ["that is held", [record({ previous: [past("1.3.0")] }), { holds: [{ ...held, version: "1.3.0" }] }]],
    [
      "that was lowered by hand",
      [record({ previous: [past("1.3.0")] }), { decreases: [{ module: "istio", version: "1.3.0", reason: "" }] }],
    ],
    ["that is not a version", [record({ previous: [past("odd")] })]],
    ["without a record", [undefined]],
    ["before the first version is live", [record({ previous: [past("1.3.0")] }), { from: undefined }]],
    ["in the first landscape, which waits for none", [record({ previous: [past("1.3.0")] }), { at: 0 }]],
    ["that was never served", [record({ current: undefined, previous: [] })]],
  ])("the entry moves to no version %s", (_, args) => {
    expect(interim(...args)).toBeUndefined();
  });
});
