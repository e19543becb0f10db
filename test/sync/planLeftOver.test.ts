import { describe, expect, it } from "vitest";
import { plan } from "../../src/sync/plan/plan.ts";
import { byEntry, byName, CAREFUL, desiredOf, edited, foreign, inputOf, liveOf, respecified } from "./planning.ts";

it("also refuses to remove left-over templates if more would be removed than allowed", () => {
  const before = liveOf(desiredOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" } } }));
  const desired = desiredOf({ channels: { fast: { istio: "1.3.0", keda: "2.1.0" } } });
  const decided = plan(inputOf(desired, before, { options: { ...CAREFUL, prune: true, maxPrune: 1 } }));

  expect([byName(decided)["istio-1.2.0"], byName(decided)["keda-2.0.0"]]).toMatchObject([
    { kind: "refused", refusal: "too-many-prunes" },
    { kind: "refused", refusal: "too-many-prunes" },
  ]);
});

describe("a release meta whose entries were replaced by another client", () => {
  it("is not removed without a request, also if what it served cannot come back", () => {
    const catalogue = (fast: Readonly<Record<string, string>>): ReturnType<typeof desiredOf> =>
      desiredOf({ channels: { fast }, versions: {} });
    const before = liveOf(catalogue({ istio: "1.3.0", keda: "1.0.0" }));
    const replaced = edited(before, "istio", (meta) =>
      respecified(meta, { channels: [{ channel: "own", version: "1.3.0" }] }),
    );
    // What it served cannot come back.
    const templates = replaced.templates.filter(({ metadata }) => metadata.name !== "istio-1.3.0");
    const now = { ...replaced, templates };
    const removalsOf = (prune: boolean): readonly unknown[] => {
      const decided = plan(inputOf(catalogue({ keda: "1.0.0" }), now, { options: { ...CAREFUL, prune } }));
      return [byName(decided)["istio"]?.kind, byEntry(decided)["own/istio"]];
    };

    expect(removalsOf(false)).toEqual([
      expect.not.stringMatching("prune"),
      expect.objectContaining({ kind: "remove", carriedOut: false }),
    ]);
    expect(removalsOf(true)).toEqual(["prune", expect.objectContaining({ kind: "remove", carriedOut: true })]);
  });

  it("is not removed without a request, also if what is wanted is refused", () => {
    const wanted = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
    const live = liveOf(wanted);
    const replaced = edited(live, "istio", (meta) =>
      respecified(meta, { channels: [{ channel: "own", version: "1.2.0" }] }),
    );
    const taken = edited(replaced, "istio-1.3.0", foreign);
    const decided = plan(inputOf(wanted, { ...taken, records: { kind: "none" } }));

    expect(byEntry(decided)["fast/istio"]).toMatchObject({ kind: "refused" });
    expect(byEntry(decided)["own/istio"]).toMatchObject({ kind: "remove", carriedOut: false });
    expect(byName(decided)["istio"]?.kind).not.toBe("prune");
  });
});
