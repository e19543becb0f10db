import { describe, expect, it } from "vitest";
import { Fleet } from "../../src/fleet/fleet.ts";
import { acceptedKey, OPEN_GATE, type EntryGate } from "../../src/sync/plan/gate.ts";
import type { LiveState } from "../../src/sync/plan/input.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  byEntry,
  desiredOf,
  edited,
  entrySummary,
  inputOf,
  liveOf,
  NOTHING,
  NOW,
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
