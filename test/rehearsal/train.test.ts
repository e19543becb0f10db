import { describe, expect, it } from "vitest";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import type { LandscapeName } from "../../src/catalogue/names.ts";
import { readYaml } from "../../src/document/yaml/read.ts";
import { rehearsedDefinitions } from "../../src/rehearsal/definitions.ts";
import { rehearsedHealth, rehearsedSmoke } from "../../src/rehearsal/evidence.ts";
import { openedFile } from "../../src/rehearsal/opened.ts";
import { settledCluster } from "../../src/rehearsal/settled.ts";
import { catalogueOf } from "../sync/catalogueFiles.ts";
import { mentions } from "../support/mentions.ts";
import { believedIn, entriesOf, metaOf, servedBy, templateOf } from "./stage.ts";
import { listAt } from "../../src/document/fields.ts";

const bytes = (text: string) => ({ kind: "bytes", bytes: Buffer.from(text) }) as const;

function valueOf(path: string, text: string): unknown {
  const reading = readYaml(path, bytes(openedFile(path, bytes(text)) ?? ""));
  return reading.kind === "read" ? reading.file.value : undefined;
}

describe("a catalogue that is changed for a rehearsal", () => {
  it("has no windows, freezes or reviews, and compares health", () => {
    const promotion = {
      soak: { patch: "1d" },
      windows: [{ opens: "0 8 * * 1", for: "8h", timeZone: "UTC" }],
      freezes: [],
      merge: "review",
      limits: { perWindow: 2, together: [["a", "b"]] },
    };
    const path = "channels/regular.yaml";
    expect(valueOf(path, JSON.stringify({ format: 1, follows: "fast", promotion }))).toEqual({
      format: 1,
      follows: "fast",
      promotion: {
        soak: { patch: "1d" },
        merge: "automatic",
        limits: { together: [["a", "b"]] },
        health: { notWorseBy: "1%" },
      },
    });
    const own = { health: { notWorseBy: "5%" }, limits: { perWindow: 1 } };
    expect(valueOf(path, JSON.stringify({ follows: "fast", promotion: own }))).toMatchObject({
      promotion: { health: { notWorseBy: "5%" } },
    });
    expect(valueOf(path, "follows: fast\n")).toEqual({
      follows: "fast",
      promotion: { merge: "automatic", health: { notWorseBy: "1%" } },
    });
  });

  it("has no forge and no registry, and uses version templates", () => {
    const settings = { registry: { baseUrl: "x" }, forge: { kind: "github" }, landscapes: [{ name: "dev" }, 7] };
    expect(valueOf("kyma-modules.yaml", JSON.stringify(settings))).toEqual({
      forge: { kind: "none" },
      landscapes: [{ name: "dev", lifecycleManager: "version-templates" }, 7],
    });
    expect(valueOf("kyma-modules.yaml", "landscapes: none\n")).toEqual({ forge: { kind: "none" }, landscapes: "none" });
  });

  it("changes the policies of modules as well", () => {
    const policy = { regular: { windows: [], merge: "review" }, fast: "strict" };
    expect(valueOf("modules/certificates/module.yaml", JSON.stringify({ policy }))).toEqual({
      policy: { regular: { merge: "automatic" }, fast: "strict" },
    });
  });

  it("does not change other files, and files that cannot be read", () => {
    const kept = [
      ["channels/fast.yaml", "format:   1\n"],
      ["channels/fast/certificates.yaml", "a:   1\n"],
      ["modules/certificates/module.yaml", "owners:   []\n"],
      ["channels/regular.yaml", "broken: [\n"],
      ["channels/regular.yaml", "- a list\n"],
    ] as const;
    for (const [path, text] of kept) expect(openedFile(path, bytes(text))).toBe(text);
    expect(openedFile("channels/regular.yaml", { kind: "too-large", size: 9 })).toBeUndefined();
  });
});

describe("the evidence of a rehearsal", () => {
  const catalogue = catalogueOf({
    channels: { fast: { greeter: "1.1.0" }, regular: { greeter: "1.0.0" }, must: { auditor: "1.0.0" } },
    mandatory: ["must"],
  });

  it("is valid evidence: a passed smoke test for every version and upgrade", () => {
    const evidence = rehearsedSmoke(catalogue, 0);
    const read = readEvidence("rehearsal", bytes(JSON.stringify({ format: 1, evidence })));
    expect(read).toEqual({ evidence, findings: [] });
    expect(evidence).toMatchObject([
      { version: "1.0.0", paths: [{ pods: true }], source: mentions("rehearsed") },
      { version: "1.1.0", paths: [{ pods: true }, { from: "1.0.0" }] },
    ]);
  });

  it("contains the health of a landscape's clusters", () => {
    const healthOf = (_: string, version: string) => ({ clusters: 10, healthy: version === "1.1.0" ? 9 : 10 });
    const evidence = rehearsedHealth(catalogue, "dev" as LandscapeName, healthOf, 0);
    const read = readEvidence("rehearsal", bytes(JSON.stringify({ format: 1, evidence })));
    expect(read).toEqual({ evidence, findings: [] });
    expect(evidence).toMatchObject([
      { version: "1.0.0", landscape: "dev", clusters: 10, healthy: 10 },
      { version: "1.1.0", healthy: 9 },
    ]);
  });
});

describe("a rehearsed cluster", () => {
  it("starts as it is one day after lifecycle-manager first saw it", () => {
    const { apiVersion, kind } = { apiVersion: "operator.kyma-project.io/v1beta2", kind: "Kyma" };
    const modules = [{ name: "greeter", channel: "fast" }];
    const kyma = { apiVersion, kind, metadata: { name: "early", namespace: "kcp-system" }, spec: { modules } };
    const served = servedBy(
      templateOf("greeter", "1.0.0"),
      metaOf("greeter", { channels: entriesOf({ fast: "1.0.0" }) }),
    );
    const time = { nowMs: Date.parse("2026-01-02T00:00:00Z"), window: undefined, servedMs: () => -Infinity };
    const cluster = settledCluster(kyma, served, time);
    const [said] = listAt(cluster.kyma, ["status", "modules"]);
    expect(believedIn(said, undefined)).toMatchObject({ state: "Ready", version: "1.0.0" });
    expect(cluster.manifests.size).toBe(1);
    const skipped = { "operator.kyma-project.io/skip-reconciliation": "true" };
    const alone = { ...kyma, metadata: { ...kyma.metadata, labels: skipped } };
    expect(settledCluster(alone, served, time)).toEqual({ kyma: alone, manifests: new Map() });
  });

  it("uses kinds that accept any field", () => {
    expect(rehearsedDefinitions().map(({ metadata }) => metadata.name)).toEqual([
      "kymas.operator.kyma-project.io",
      "manifests.operator.kyma-project.io",
    ]);
  });
});
