import { describe, expect, it } from "vitest";
import { artifactKey, type Artifact, type Artifacts, OPEN_GATE, type LiveState } from "../../src/sync/plan/input.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { byEntry, CAREFUL, desiredOf, edited, inputOf, liveOf, recorded, respecified, summary } from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const live = liveOf(desiredOf({ channels: { fast: { istio: "1.2.0" } } }));
const NOT_ASKED: Artifacts = { kind: "not-asked", because: "it is a test" };

describe("an artifact", () => {
  const asked = (artifact: Artifact): Artifacts => ({
    kind: "asked",
    found: new Map([[artifactKey("istio", "1.3.0"), artifact]]),
  });
  const moved = (artifacts: Artifacts): unknown => byEntry(plan(inputOf(desired, live, { artifacts })))["fast/istio"];

  it("that exists, or was not looked up, lets the entry move", () => {
    for (const artifacts of [asked({ kind: "present" }), NOT_ASKED])
      expect(moved(artifacts)).toMatchObject({ kind: "raise" });
  });

  it("that is missing blocks the entry", () => {
    expect(moved(asked({ kind: "missing", where: "there" }))).toMatchObject({ refusal: "artifact-missing" });
  });

  it("that is unknown keeps the entry waiting, unless the version was served before", () => {
    const artifacts = asked({ kind: "unknown", because: "no" });
    const entry = {
      ...recorded("1.2.0"),
      previous: [{ version: "1.3.0", specHash: "", fromMs: 0, untilMs: 1, soakedMs: 0 }],
    };
    const served = { ...live, records: { kind: "known", entries: new Map([["fast/istio", entry]]) } as const };

    expect(moved(artifacts)).toMatchObject({ kind: "waiting", isUnknown: true });
    expect(byEntry(plan(inputOf(desired, served, { artifacts })))["fast/istio"]).toMatchObject({ kind: "raise" });
  });

  it("causes a note only if it was not looked up", () => {
    expect(plan(inputOf(desired, live, { artifacts: asked({ kind: "present" }) })).notes).toEqual([]);
    expect(plan(inputOf(desired, live, { artifacts: NOT_ASKED })).notes).toHaveLength(1);
  });
});

describe("the artifact of a version that comes back", () => {
  const [embedded, now] = (["channel-templates", "version-templates"] as const).map((generation) =>
    desiredOf({ channels: { fast: { istio: "1.2.0" } } }, generation),
  );
  const later = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
  if (embedded === undefined || now === undefined) expect.unreachable();
  const gone = edited(liveOf(now), "istio", (meta) => respecified(meta, { channels: [] }));
  const known = new Map(now.templates.map((template) => [template.metadata.name, template]));
  const gate = { ...OPEN_GATE, waves: new Map([["fast/istio", { reason: "it soaks" }]]) };
  const planned = (wanted: typeof now, state: LiveState, artifact: Artifact): readonly string[] => {
    const artifacts: Artifacts = { kind: "asked", found: new Map([[artifactKey("istio", "1.2.0"), artifact]]) };
    const options = { ...CAREFUL, switchGeneration: true };
    return summary(plan(inputOf(wanted, state, { artifacts, known, gate, options }))).filter((line) =>
      line.endsWith(" istio"),
    );
  };
  const [missing, unknown] = [
    { kind: "missing", where: "there" },
    { kind: "unknown", because: "the registry is down" },
  ] as const;

  it("is not missing", () => {
    for (const wanted of [now, later])
      for (const state of [gone, liveOf(embedded)])
        expect(planned(wanted, state, missing)).not.toContain("create istio");
    expect(planned(now, gone, missing)).toEqual(["left over istio"]);
    expect(planned(now, gone, { kind: "present" })).toEqual(["drift istio"]);
  });

  it("may be unknown, unless another generation of lifecycle-manager reads it", () => {
    expect(planned(now, gone, unknown)).toEqual(["drift istio"]);
    expect(planned(later, gone, unknown)).toEqual(["drift istio"]);
    expect(planned(now, liveOf(embedded), unknown)).toEqual([]);
    expect(planned(later, liveOf(embedded), unknown)).toEqual([]);
    expect(planned(later, liveOf(embedded), { kind: "present" })).toEqual(["create istio"]);
  });
});
