import { describe, expect, it } from "vitest";
import { listAt, textAt } from "../../src/document/fields.ts";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import { manifestOwner } from "../../src/rehearsal/manifest.ts";
import { rehearse } from "../../src/rehearsal/rehearse.ts";
import { BROKEN, MODULE, SCRIPT } from "./script.ts";
import { entriesOf, metaOf, servedBy, servedIn, Stage, templateOf } from "./stage.ts";

const FAST = servedBy(templateOf("greeter", "1.0.0"), metaOf("greeter", { channels: entriesOf({ fast: "1.0.0" }) }));
const HIGHER = servedBy(
  templateOf("greeter", "1.0.0"),
  templateOf("greeter", "1.1.0"),
  metaOf("greeter", { channels: entriesOf({ fast: "1.1.0" }) }),
);
const GREETER = { name: "greeter", channel: "fast" };

function stateOf(stage: Stage): string | undefined {
  return textAt(stage.kyma, ["status", "state"]);
}

/** A cluster with greeter 1.0.0 from fast. */
function settled(...more: ConstructorParameters<typeof Stage> | []): Stage {
  const [spec, said] = more;
  const stage = new Stage({ modules: [GREETER], ...spec }, said);
  stage.settle(FAST);
  expect(stage.believed("greeter")).toMatchObject({ state: "Ready", version: "1.0.0" });
  return stage;
}

describe("a rehearsal of lifecycle-manager", () => {
  it("matches the facts in a sequence of situations", () => {
    const stage = new Stage({ channel: "regular" }, { fails: `other@1.0.0,${MODULE}@${BROKEN}` });
    const seen = SCRIPT.map((situation) => {
      stage.enable(...(situation.wish === undefined ? [] : [{ name: MODULE, ...situation.wish }]));
      stage.settle(servedIn(situation));
      return [situation.name, stage.believed(MODULE)];
    });
    expect(seen).toEqual(SCRIPT.map(({ name, expected }) => [name, expected]));
  });

  it("writes nothing if nothing changed", () => {
    const stage = settled();
    const { writes } = stage;
    for (let times = 0; times < 3; times++) stage.settle(FAST);
    expect(stage.writes).toBe(writes);
  });

  it("uses the channel of the Kyma, or regular", () => {
    const regular = servedBy(
      templateOf("greeter", "1.0.0"),
      metaOf("greeter", { channels: entriesOf({ fast: "1.0.0", regular: "1.0.0" }) }),
    );
    const own = new Stage({ channel: "fast", modules: [{ name: "greeter" }, "nonsense"] });
    const other = new Stage({ modules: [{ name: "greeter" }] });
    for (const stage of [own, other]) stage.settle(regular);
    expect([own, other].map((stage) => stage.believed("greeter")?.channel)).toEqual(["fast", "regular"]);
  });

  it("passes through Processing, and shows Ready for a moment after an upgrade", () => {
    const stage = new Stage({ modules: [GREETER] });
    stage.look(FAST);
    expect([stateOf(stage), stage.believed("greeter")?.state]).toEqual(["Processing", "Processing"]);
    stage.settle(FAST);
    expect(stateOf(stage)).toBe("Ready");
    const startMs = stage.nowMs;
    stage.look(HIGHER);
    expect(stage.believed("greeter")).toMatchObject({ state: "Ready", version: "1.1.0" });
    stage.nowMs += 200;
    stage.look(HIGHER);
    expect(stage.believed("greeter")).toMatchObject({ state: "Processing", version: "1.1.0" });
    stage.settle(HIGHER);
    expect(stage.believed("greeter")).toMatchObject({ state: "Ready", version: "1.1.0" });
    expect(stage.nowMs - startMs).toBeGreaterThanOrEqual(5_000);
    expect(stage.nowMs - startMs).toBeLessThanOrEqual(60_000);
  });

  it("renews the condition of the modules with each change of the status", () => {
    const stage = settled();
    const since = (): string | undefined =>
      textAt(listAt(stage.kyma, ["status", "conditions"])[0], ["lastTransitionTime"]);
    const readySince = since();
    stage.nowMs += 3_600_000;
    stage.look(FAST);
    expect(since()).toBe(readySince);
    for (const state of ["Ready", "Processing"]) {
      stage.nowMs += 200;
      stage.look(HIGHER);
      expect([stateOf(stage), since()]).toEqual([state, new Date(stage.nowMs).toISOString()]);
    }
  });

  it("delays an upgrade by at most five minutes", () => {
    const stage = settled();
    stage.servedMs = stage.nowMs;
    const { nextMs } = stage.look(HIGHER);
    expect(stage.believed("greeter")).toMatchObject({ state: "Ready", version: "1.0.0" });
    expect(nextMs - stage.nowMs).toBeGreaterThan(0);
    expect(nextMs - stage.nowMs).toBeLessThanOrEqual(300_000);
    stage.nowMs = nextMs;
    stage.look(HIGHER);
    expect(stage.believed("greeter")?.version).toBe("1.1.0");
  });

  it("reports Error for a missing module, and Warning at the second look if it may still appear", () => {
    const none = servedBy(templateOf("greeter", "1.0.0"));
    const empty = servedBy(metaOf("greeter", {}));
    const mandatory = servedBy(
      templateOf("greeter", "1.0.0", { mandatory: true }),
      metaOf("greeter", { channels: entriesOf({ fast: "1.0.0" }) }),
    );
    const said = [none, empty, mandatory].map((served) => {
      const stage = new Stage({ modules: [GREETER] });
      stage.look(served);
      const first = stateOf(stage);
      stage.settle(served);
      return [first, stateOf(stage), stage.believed("greeter")?.cause, stage.believed("greeter")?.version];
    });
    expect(said).toEqual([
      ["Error", "Warning", 'no ModuleReleaseMeta found for module "…" in namespace "…"', undefined],
      ["Error", "Error", "no channels found for module: greeter", undefined],
      ["Error", "Warning", "no templates were found: for module greeter-… in channel fast", undefined],
    ]);
    const stage = settled();
    stage.settle(mandatory);
    expect(stage.believed("greeter")).toMatchObject({ state: "Warning", version: undefined });
    expect(stateOf(stage)).toBe("Warning");
  });

  it.each([
    ["internal", { labels: { "operator.kyma-project.io/internal": "true" } }],
    ["beta", { labels: { "operator.kyma-project.io/beta": "true" } }],
  ])("offers what is %s only to clusters with that label", (label, said) => {
    const template = templateOf("greeter", "1.0.0");
    const labels = { [`operator.kyma-project.io/${label}`]: "true" };
    const restricted = servedBy(
      { ...template, metadata: { ...template.metadata, labels } },
      metaOf("greeter", { channels: entriesOf({ fast: "1.0.0" }) }),
    );
    const [chosen, other] = [settled({}, said), settled()];
    for (const stage of [chosen, other]) stage.settle(restricted);
    expect(chosen.believed("greeter")).toMatchObject({ state: "Ready", installed: "1.0.0" });
    expect(other.believed("greeter")).toMatchObject({
      state: "Error",
      cause: `module template not allowed: ${label} module`,
      installed: undefined,
    });
  });

  it("removes a module with a Kyma selector, and keeps one without", () => {
    const selecting = (kymaSelector: unknown) =>
      servedBy(
        templateOf("greeter", "1.0.0"),
        metaOf("greeter", { kymaSelector, channels: entriesOf({ fast: "1.0.0" }) }),
      );
    const stage = settled();
    stage.settle(selecting(null));
    expect(stage.believed("greeter")?.installed).toBe("1.0.0");
    stage.settle(selecting({}));
    expect(stage.believed("greeter")).toMatchObject({ state: "Error", installed: undefined });
  });

  it("delays a version that requires downtime until the window opens, unless the cluster skips windows", () => {
    const downtime = servedBy(
      templateOf("greeter", "1.1.0", { requiresDowntime: true }),
      metaOf("greeter", { channels: entriesOf({ fast: "1.1.0" }) }),
    );
    const [waits, skips] = [settled(), settled({ skipMaintenanceWindows: true })];
    const opensMs = waits.nowMs + 3_600_000;
    for (const stage of [waits, skips]) stage.window = { isOpen: false, untilMs: opensMs };
    const { nextMs } = waits.look(downtime);
    skips.look(downtime);
    expect(skips.believed("greeter")?.version).toBe("1.1.0");
    expect(nextMs).toBe(opensMs);
    expect(waits.believed("greeter")).toMatchObject({
      state: "Ready",
      version: "1.0.0",
      maintenance: true,
      cause: "waiting for next maintenance window to update module version",
    });
    waits.window = { isOpen: true, untilMs: opensMs + 3_600_000 };
    waits.settle(downtime);
    expect(waits.believed("greeter")).toMatchObject({ state: "Ready", version: "1.1.0", maintenance: false });
    const fresh = new Stage({ modules: [GREETER] });
    fresh.window = { isOpen: false, untilMs: opensMs };
    fresh.settle(downtime);
    expect(fresh.believed("greeter")).toMatchObject({ state: "Ready", version: "1.1.0" });
  });

  it("reports Deleting for a disabled module until its Manifest is gone", () => {
    const stage = settled();
    stage.enable();
    stage.look(FAST);
    expect([stage.believed("greeter")?.state, stage.manifests.size]).toEqual(["Deleting", 0]);
    stage.look(FAST);
    expect(stage.believed("greeter")).toBeUndefined();
  });

  it("deletes a cluster's Manifests first, and releases the Kyma last", () => {
    const stage = settled();
    const deletionTimestamp = "2026-01-02T00:00:00Z";
    stage.kyma = { ...stage.kyma, metadata: { ...stage.kyma.metadata, deletionTimestamp } };
    expect(stage.look(FAST).removed).toHaveLength(1);
    expect([stateOf(stage), stage.kyma.metadata.finalizers]).toEqual(["Deleting", ["kyma"]]);
    stage.look(FAST);
    expect(stage.kyma.metadata.finalizers).toBeUndefined();
    expect(stage.look(FAST)).toMatchObject({ kyma: undefined, manifests: [], removed: [] });
  });

  it("does not change a cluster with the label skip-reconciliation", () => {
    const stage = settled();
    const labels = { "operator.kyma-project.io/skip-reconciliation": "true" };
    stage.kyma = { ...stage.kyma, metadata: { ...stage.kyma.metadata, labels } };
    expect(stage.look(HIGHER)).toEqual({ kyma: undefined, manifests: [], removed: [], nextMs: Infinity });
  });

  it("accepts objects with missing fields", () => {
    const { apiVersion, kind } = RESOURCES.kyma;
    const said = { name: "greeter", version: "2.0.0", template: {} };
    const status = { modules: [{}, said] };
    const kyma = { apiVersion, kind, metadata: { name: "bare" }, spec: { modules: [GREETER, { name: "x" }] }, status };
    const time = { nowMs: 0, servedMs: () => -Infinity, window: undefined };
    const rehearsal = rehearse({ kyma, manifests: new Map() }, FAST, time);
    expect(listAt(rehearsal.kyma, ["status", "modules"])).toMatchObject([
      { state: "Warning", version: "2.0.0", message: expect.stringContaining("(from  to fast)") as string },
      { name: "x", state: "Error", message: expect.stringContaining('in namespace ""') as string },
    ]);
    const fresh = rehearse({ kyma: { ...kyma, status: {} }, manifests: new Map() }, FAST, time);
    expect(fresh.manifests.map(({ metadata }) => metadata.namespace)).toEqual([""]);
    expect(manifestOwner({ apiVersion, kind: "Manifest", metadata: { name: "stray" } })).toEqual({
      kyma: "",
      module: "",
    });
  });

  it("repairs a Manifest that someone created or changed", () => {
    const stage = settled();
    const manifest = stage.manifests.get("greeter");
    if (manifest === undefined) throw new Error("no Manifest");
    stage.manifests.set("greeter", { ...manifest, metadata: { name: manifest.metadata.name }, spec: {} });
    stage.settle(FAST);
    expect(stage.manifests.get("greeter")?.["spec"]).toEqual(manifest["spec"]);
  });
});
