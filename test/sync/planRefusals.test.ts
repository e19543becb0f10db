import { describe, expect, it } from "vitest";
import type { PlanItem } from "../../src/sync/plan/item.ts";
import { mentions } from "../support/mentions.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  byEntry,
  byName,
  CAREFUL,
  desiredOf,
  edited,
  entrySummary,
  liveOf,
  marked,
  planOf,
  respecified,
  summary,
  usersOf,
} from "./planning.ts";

const PRUNING = { ...CAREFUL, prune: true };
const mandatory = (version: string): Sample => ({ channels: { must: { audit: version } }, mandatory: ["must"] });

function judge(name: string, ...args: Parameters<typeof planOf>): PlanItem | undefined {
  return byName(planOf(...args))[name];
}

describe("a lower version of a mandatory module", () => {
  const live = liveOf(desiredOf(mandatory("1.2.0")));

  it("is refused, because it would be installed at once on every cluster, and nothing is written", () => {
    const decided = planOf(mandatory("1.1.9"), live);

    expect(byEntry(decided)["must/audit"]).toEqual({
      kind: "refused",
      module: "audit",
      channel: "must",
      mandatory: true,
      from: "1.2.0",
      to: "1.1.9",
      refusal: "mandatory-downgrade",
      reason: mentions("1.1.9", "1.2.0", "every cluster"),
      remedy: mentions("higher than 1.2.0"),
    });
    expect(summary(decided)).toEqual(["retained audit-1.2.0"]);
  });

  it("is refused if lifecycle-manager reads it from the template", () => {
    const generation = "channel-templates";
    const old = liveOf(desiredOf(mandatory("1.2.0"), generation));
    const lower = planOf(mandatory("1.1.9"), old, { generation });

    expect(entrySummary(lower)).toEqual(["refused must/audit 1.2.0 → 1.1.9: mandatory-downgrade"]);
    expect(byName(lower)["audit-must"]).toMatchObject({ kind: "unchanged" });
    const higher = planOf(mandatory("1.3.0"), old, { generation });

    expect(entrySummary(higher)).toEqual(["raise must/audit 1.2.0 → 1.3.0"]);
    expect(byName(higher)["audit-must"]).toMatchObject({ kind: "change" });
  });

  it("is compared by number: a higher one is served", () => {
    const decided = planOf(mandatory("1.10.0"), live);

    expect(entrySummary(decided)).toEqual(["raise must/audit 1.2.0 → 1.10.0"]);
    expect(byName(decided)["audit"]).toMatchObject({ kind: "change" });
  });

  it("is found by the Manifests alone if the live version is invalid", () => {
    const broken = edited(live, "audit", (object) => respecified(object, { mandatory: { version: "" } }));
    const installed = usersOf({ module: "audit", installed: "1.2.0" });

    expect(judge("audit", mandatory("1.1.0"), broken)).toMatchObject({ kind: "change" });
    expect(byEntry(planOf(mandatory("1.1.0"), broken, { users: installed }))["must/audit"]).toMatchObject({
      refusal: "mandatory-downgrade",
    });
    expect(judge("audit", mandatory("1.2.0"), broken, { users: installed })).toMatchObject({ kind: "change" });
  });

  it("is not a downgrade if the module was not mandatory", () => {
    const optional = liveOf(desiredOf({ channels: { fast: { audit: "2.0.0" } } }));
    const theirs = edited(optional, "audit", (object) => marked(object, { managedFields: [{ manager: "other" }] }));
    const decided = planOf(mandatory("1.0.0"), theirs);

    expect(entrySummary(decided)).toEqual(["remove fast/audit 2.0.0 → –", "create must/audit – → 1.0.0"]);
    expect(byName(decided)["audit"]).toMatchObject({ kind: "change", takeOver: "judged" });
  });

  it("is refused for a module that was not mandatory if a Manifest has a higher one", () => {
    const optional = liveOf(desiredOf({ channels: { fast: { audit: "2.0.0" } } }));
    const decided = planOf(mandatory("1.0.0"), optional, { users: usersOf({ module: "audit", version: "2.0.0" }) });

    expect(byEntry(decided)["must/audit"]).toMatchObject({ kind: "refused" });
    expect(byName(decided)["audit"]).toMatchObject({ kind: "unchanged" });
  });
});

describe("a channel that would lose a module", () => {
  const both: Sample = { channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" } } };
  const one: Sample = { channels: { fast: { istio: "1.3.0" }, regular: {} } };
  const live = liveOf(desiredOf(both));
  const onFast = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });
  const onRegular = usersOf({ module: "istio", channel: "regular", version: "1.2.0" });

  it("loses it without users in the channel", () => {
    const decided = planOf(one, live, { users: onFast, options: PRUNING });

    expect(byEntry(decided)["regular/istio"]).toMatchObject({ kind: "remove", cause: "repository", carriedOut: true });
    expect(byName(decided)["istio"]).toMatchObject({ kind: "change", cause: "repository" });
  });

  it("keeps it, with its template, if the removal is not requested", () => {
    const decided = planOf(one, live);

    expect(entrySummary(decided)).toEqual(["left over regular/istio 1.2.0 → –"]);
    expect(summary(decided)).toEqual(["retained istio-1.2.0"]);
  });

  it("gets it back as it was applied if the removal is not requested, and another client changed it", () => {
    const channels = [
      { channel: "fast", version: "1.3.0" },
      { channel: "regular", version: "1.3.0" },
    ];
    const raised = edited(live, "istio", (object) => respecified(object, { channels }));
    const decided = planOf(one, raised, { users: onRegular });

    expect(byEntry(decided)["regular/istio"]).toMatchObject({
      kind: "remove",
      carriedOut: false,
      setBack: { version: "1.2.0", users: { behind: { count: 1 } } },
    });
  });

  it("keeps it while it has users in the channel", () => {
    const decided = planOf(one, live, { users: onRegular, options: PRUNING });

    expect(byEntry(decided)["regular/istio"]).toMatchObject({
      kind: "refused",
      refusal: "channel-in-use",
      reason: expect.stringMatching(
        /^The channel regular would lose istio, which has 1 user \(Kyma k\) there/,
      ) as string,
    });
    expect(byName(decided)["istio"]).toMatchObject({ kind: "unchanged" });
  });

  it("keeps it while it may have users in the channel, whose module is neither Ready nor Processing", () => {
    const skewed = usersOf({ module: "istio", channel: "fast", version: "1.3.0", state: "Warning" });

    expect(entrySummary(planOf(one, live, { users: skewed, options: PRUNING }))).toEqual([
      "refused regular/istio 1.2.0 → –: channel-in-use",
    ]);
  });

  it("keeps it if its users are unknown", () => {
    const unknown = { kind: "unknown", because: "not allowed" } as const;
    const decided = planOf(one, live, { users: unknown, options: PRUNING });

    expect(byEntry(decided)["regular/istio"]).toMatchObject({
      refusal: "references-unknown",
      reason: mentions("unknown", "uses", "not allowed"),
    });
    expect(byName(decided)["istio"]).toMatchObject({ kind: "unchanged" });
  });

  it("keeps it when the module becomes mandatory", () => {
    const now: Sample = { channels: { must: { istio: "1.3.0" } }, mandatory: ["must"] };
    const decided = planOf(now, live, { users: onFast });

    expect(entrySummary(decided)).toEqual([
      "refused fast/istio 1.3.0 → –: mandatory-flip",
      "refused must/istio – → 1.3.0: mandatory-flip",
      "refused regular/istio 1.2.0 → –: mandatory-flip",
    ]);
    expect(byName(decided)["istio"]).toMatchObject({ kind: "unchanged" });
  });

  it("blocks no other entry of its release meta", () => {
    const bumped: Sample = { channels: { fast: { istio: "1.4.0" }, regular: {} } };
    const decided = planOf(bumped, live, { users: onRegular, options: PRUNING });

    expect(entrySummary(decided)).toEqual([
      "raise fast/istio 1.3.0 → 1.4.0",
      "refused regular/istio 1.2.0 → –: channel-in-use",
    ]);
    expect(byName(decided)["istio"]).toMatchObject({
      kind: "change",
      desired: {
        spec: {
          channels: [
            { channel: "fast", version: "1.4.0" },
            { channel: "regular", version: "1.2.0" },
          ],
        },
      },
    });
  });
});
