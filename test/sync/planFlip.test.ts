import { describe, expect, it } from "vitest";
import { Fleet } from "../../src/fleet/fleet.ts";
import { OPEN_GATE, type EntryGate, type LiveState } from "../../src/sync/plan/input.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import { planItems } from "../../src/sync/plan/item.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { announce } from "../../src/sync/record.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  byEntry,
  byName,
  CAREFUL,
  carriedOut,
  desiredOf,
  edited,
  entrySummary,
  inputOf,
  liveOf,
  NOTHING,
  NOW,
  respecified,
  usersOf,
  type Given,
} from "./planning.ts";

const MANDATORY: Sample = {
  mandatory: ["must"],
  channels: { must: { audit: "1.2.0" }, fast: { istio: "1.0.0" }, regular: { istio: "1.0.0" } },
};
const CHANNELS: Sample = {
  mandatory: ["must"],
  channels: { must: {}, fast: { audit: "1.2.0", istio: "1.0.0" }, regular: { audit: "1.2.0", istio: "1.0.0" } },
};
const users = usersOf({ module: "audit", channel: "fast", version: "1.2.0" });
const accepting = (
  ...steps: readonly (readonly [channel: string, from: string | undefined, to: string | undefined])[]
): ReadonlySet<string> =>
  new Set(
    steps.map(([channel, from, to]) => acceptedKey({ refusal: "mandatory-flip", module: "audit", channel, from, to })),
  );
const ADDED = [undefined, "1.2.0"] as const;
const REMOVED = ["1.2.0", undefined] as const;
const REFUSED = [
  "refused fast/audit 1.2.0 → –: mandatory-flip",
  "refused must/audit – → 1.2.0: mandatory-flip",
  "refused regular/audit 1.2.0 → –: mandatory-flip",
].join("; ");
const toChannels = accepting(["must", ...REMOVED], ["fast", ...ADDED], ["regular", ...ADDED]);
const held: Partial<EntryGate> = { holds: new Map([["regular/audit", { reason: "it is held", untilMs: NOW }]]) };

const flipped = (from: Sample, to: Sample, { generation, ...given }: Given, edit = (live: LiveState) => live): string =>
  entrySummary(plan(inputOf(desiredOf(to, generation), edit(liveOf(desiredOf(from, generation))), { users, ...given })))
    .filter((line) => !line.startsWith("unchanged"))
    .join("; ");

describe.each(["version-templates", "channel-templates"] as const)("a change of kind with %s", (generation) => {
  it("is carried out as a whole if all of its steps are accepted", () => {
    expect(flipped(MANDATORY, CHANNELS, { generation, gate: { ...OPEN_GATE, accepted: toChannels } })).toBe(
      "create fast/audit – → 1.2.0; remove must/audit 1.2.0 → –; create regular/audit – → 1.2.0",
    );
  });

  it("waits as a whole for each of its entries", () => {
    expect(flipped(MANDATORY, CHANNELS, { generation, gate: { ...OPEN_GATE, ...held, accepted: toChannels } })).toBe(
      "waiting fast/audit – → 1.2.0; waiting must/audit 1.2.0 → –; waiting regular/audit – → 1.2.0",
    );
  });

  it.each([
    { reason: "it is held", untilMs: NOW },
    { reason: "dev cannot be reached", isUnknown: true },
  ])("waits for the same reason: $reason", (waiting) => {
    const gate = { ...OPEN_GATE, waves: new Map([["fast/audit", waiting]]), accepted: toChannels };
    const [from, to] = [MANDATORY, CHANNELS].map((one) => desiredOf(one, generation));
    if (from === undefined || to === undefined) expect.unreachable();

    expect(byEntry(plan(inputOf(to, liveOf(from), { users, gate })))["must/audit"]).toMatchObject(waiting);
  });

  it("is refused as a whole if one of its entries is", () => {
    const accepted = accepting(["must", ...ADDED], ["fast", ...REMOVED]);
    expect(flipped(CHANNELS, MANDATORY, { generation, gate: { ...OPEN_GATE, accepted } })).toBe(REFUSED);
  });

  it("is not the opposite change", () => {
    expect(flipped(CHANNELS, MANDATORY, { generation, gate: { ...OPEN_GATE, accepted: toChannels } })).toBe(REFUSED);
  });
});

describe("a change of kind that waits", () => {
  const waves = new Map([["mandatory/audit", { reason: "it soaks", untilMs: NOW }]]);
  const accepted = accepting(["must", ...ADDED], ["fast", "1.3.0", undefined], ["regular", ...REMOVED]);
  const channels = [
    { channel: "fast", version: "1.3.0" },
    { channel: "regular", version: "1.2.0" },
  ];
  const raised = edited(liveOf(desiredOf(CHANNELS)), "audit", (object) => respecified(object, { channels }));

  it("does not keep what another client changed", () => {
    const decided = plan(inputOf(desiredOf(MANDATORY), raised, { users, gate: { ...OPEN_GATE, waves, accepted } }));

    expect(byEntry(decided)).toMatchObject({
      "fast/audit": { kind: "waiting", reason: "it soaks", setBack: { version: "1.2.0" } },
      "regular/audit": { kind: "waiting" },
    });
    expect(byName(decided)["audit"]).toMatchObject({
      kind: "change",
      cause: "drift",
      differences: [{ kind: "changed", wanted: "1.2.0", found: "1.3.0" }],
    });
  });
});

describe("a change of kind that another client made", () => {
  const steps = [
    ["must", ...ADDED],
    ["fast", ...REMOVED],
    ["regular", ...REMOVED],
  ] as const;
  const subsets = Array.from({ length: 7 }, (_, bits) => steps.filter((_, index) => ((bits >> index) & 1) === 1));

  it.each(["version-templates", "channel-templates"] as const)("is not undone in part with %s", (generation) => {
    const { records } = liveOf(desiredOf(MANDATORY, generation));
    const live = { ...liveOf(desiredOf(CHANNELS, generation)), records };
    const written = subsets.flatMap((subset) => {
      const gate = { ...OPEN_GATE, accepted: accepting(...subset) };
      const decided = plan(inputOf(desiredOf(MANDATORY, generation), live, { users, gate }));
      return planItems(decided).filter(({ kind }) => kind === "create" || kind === "change");
    });

    expect(written).toEqual([]);
  });
});

describe("a change of kind of a module whose release meta is gone", () => {
  const gone = (live: LiveState): LiveState => edited(live, "audit", () => undefined);

  it("brings back its entries first, so that their users are known", () => {
    const accepted = accepting(["must", ...ADDED], ["fast", ...REMOVED], ["regular", ...REMOVED]);
    expect(flipped(CHANNELS, MANDATORY, { gate: { ...OPEN_GATE, accepted } }, gone)).toBe(
      "create fast/audit – → 1.2.0; waiting must/audit – → 1.2.0; create regular/audit – → 1.2.0",
    );
  });

  it("brings them back while the change is refused", () => {
    expect(flipped(CHANNELS, MANDATORY, {}, gone)).toBe(
      "create fast/audit – → 1.2.0; refused must/audit – → 1.2.0: mandatory-flip; create regular/audit – → 1.2.0",
    );
  });
});

describe("a change of kind that was carried out, but whose records were not settled", () => {
  const [toMandatory, steps] = [
    accepting(["must", ...ADDED], ["fast", ...REMOVED], ["regular", ...REMOVED]),
    toChannels,
  ];
  const again = (
    from: Sample,
    to: Sample,
    gate: EntryGate,
    given: Given = {},
  ): readonly [string, readonly string[]] => {
    const first = inputOf(desiredOf(to), liveOf(desiredOf(from)), { users, gate });
    const entries = announce(plan(first), first, NOW).entries;
    const live = { ...carriedOut(first, plan(first)), records: { kind: "known", entries } as const };
    const second = inputOf(desiredOf(to), live, { users, gate, ...given });
    const planned = plan(second);
    return [entrySummary(planned).join("; "), [...announce(planned, second, NOW).entries.keys()].filter(isOfAudit)];
  };
  const isOfAudit = (key: string): boolean => key.endsWith("/audit");

  it("is complete in the next sync", () => {
    expect(again(MANDATORY, CHANNELS, { ...OPEN_GATE, accepted: steps })).toEqual([
      "",
      ["fast/audit", "regular/audit"],
    ]);
    expect(again(CHANNELS, MANDATORY, { ...OPEN_GATE, accepted: toMandatory })).toEqual(["", ["mandatory/audit"]]);
  });

  it("is refused while it is not accepted any more, and stays recorded, also with --prune", () => {
    for (const options of [CAREFUL, { ...CAREFUL, prune: true }])
      expect(again(MANDATORY, CHANNELS, { ...OPEN_GATE, accepted: steps }, { gate: OPEN_GATE, options })).toEqual([
        "refused must/audit – → 1.2.0: mandatory-flip",
        ["fast/audit", "mandatory/audit", "regular/audit"],
      ]);
  });

  it("is complete without users", () => {
    const unused = usersOf();
    expect(again(MANDATORY, CHANNELS, { ...OPEN_GATE, accepted: steps }, { gate: OPEN_GATE, users: unused })).toEqual([
      "",
      ["fast/audit", "regular/audit"],
    ]);
  });
});

describe("the kind of a module of which only clusters are left", () => {
  const planned = (to: Sample, given: Given): string => flipped(CHANNELS, to, given, () => NOTHING);
  const fleet = new Fleet();
  const labels = { "operator.kyma-project.io/module-name": "audit", "operator.kyma-project.io/kyma-name": "k" };
  fleet.setManifest({
    apiVersion: "v1",
    kind: "Manifest",
    metadata: { name: "k-audit", labels },
    spec: { version: "1.2.0" },
  });
  const installed = fleet.users();

  it("is a channel's if a Kyma mentions it", () => {
    expect(planned(CHANNELS, {})).toContain("create fast/audit");
    expect(planned(MANDATORY, {})).toContain("refused must/audit – → 1.2.0: mandatory-flip");
  });

  it("is mandatory if only a Manifest does", () => {
    expect(planned(CHANNELS, { users: installed })).toContain("refused fast/audit – → 1.2.0: mandatory-flip");
    expect(planned(MANDATORY, { users: installed })).toContain("create must/audit");
  });
});
