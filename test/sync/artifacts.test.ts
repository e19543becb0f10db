import { describe, expect, it } from "vitest";
import type { ModuleTerms } from "../../src/kubernetes/releaseMeta.ts";
import type { ComponentVersion, Registry } from "../../src/ports.ts";
import { gatherArtifacts } from "../../src/sync/artifacts.ts";
import { type Artifacts, OPEN_GATE, type PlanInput } from "../../src/sync/plan/input.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import { descriptorV2 } from "../kubernetes/ocm/samples.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { desiredOf, edited, inputOf, liveOf, recorded, respecified, usersOf } from "./planning.ts";

const OLD = "example.com/module/istio";
const NEW = "example.com/module/mesh";
const served = desiredOf({ channels: { fast: { istio: "1.3.0" }, regular: { istio: "1.2.0" } } });
const live = edited(liveOf(served), "istio", (meta) => respecified(meta, { ocmComponentName: OLD }));
const users = usersOf({ module: "istio", channel: "fast", version: "1.3.0" });

/** The component versions that are looked up for a plan, and what is known of them. */
async function lookUps(
  version: string,
  terms: ModuleTerms,
  { found, ...given }: Partial<PlanInput> & { readonly found?: ComponentVersion | undefined } = {},
): Promise<{ readonly asked: readonly string[]; readonly artifacts: Artifacts }> {
  const asked: string[] = [];
  const registry: Registry = {
    digestOf: () => Promise.resolve(undefined),
    hasLayer: () => Promise.resolve(false),
    component: (_base: string, name: string, of: string) => {
      asked.push(`${name}:${of}`);
      return Promise.resolve(found);
    },
  };
  const desired = desiredOf({ channels: { fast: { istio: version }, regular: { istio: "1.2.0" } } });
  const input = inputOf({ ...desired, terms: new Map([["istio", terms]]) }, live, { users, ...given });
  const source = { kind: "registry", settings: { baseUrl: "registry.example.com" } } as const;
  const artifacts = await gatherArtifacts(input, { ...source, registry: () => Promise.resolve(registry) }, quietRun());
  return { asked, artifacts };
}

async function askedFor(...given: Parameters<typeof lookUps>): Promise<readonly string[]> {
  return (await lookUps(...given)).asked;
}

async function artifactOf(found: ComponentVersion | undefined): Promise<unknown> {
  const { artifacts } = await lookUps("1.4.0", { ocmComponentName: OLD }, { found });
  return artifacts.kind === "asked" ? artifacts.found.get("istio@1.4.0") : artifacts;
}

describe("an artifact", () => {
  it.each<[what: string, component: object, kind: string, where: unknown]>([
    ["is present if lifecycle-manager can install it", descriptorV2(), "present", undefined],
    [
      "is missing without a repository context",
      descriptorV2({ repositoryContexts: [] }),
      "missing",
      mentions(`${OLD}:1.4.0`, "component.repositoryContexts"),
    ],
    ["is missing with a descriptor that OCM refuses", {}, "missing", mentions(`${OLD}:1.4.0`, "empty")],
  ])("%s", async (_, descriptor, kind, where) => {
    const found = { descriptor, digest: "sha256:0a", rawManifest: Buffer.of(1) };

    expect(await artifactOf(found)).toEqual({ kind, ...(where !== undefined && { where }) });
  });

  it("is missing without a raw manifest, or without a component version", async () => {
    const none = { descriptor: descriptorV2({ resources: [] }), digest: "sha256:0a", rawManifest: undefined };

    expect(await artifactOf(none)).toMatchObject({ kind: "missing", where: mentions("no raw-manifest") });
    expect(await artifactOf(undefined)).toMatchObject({ kind: "missing", where: mentions(`${OLD}:1.4.0`) });
  });
});

describe("the artifacts that are looked up", () => {
  it("are those of the versions that entries are to name, also of those that were served before", async () => {
    const previous = [{ version: "1.1.0", specHash: "", fromMs: 0, untilMs: 1, soakedMs: 0 }];
    const entries = new Map([["fast/istio", { ...recorded("1.3.0"), previous }]]);
    const records = { kind: "known", entries } as const;

    expect(await askedFor("1.4.0", { ocmComponentName: OLD })).toEqual([`${OLD}:1.4.0`]);
    expect(await askedFor("1.1.0", { ocmComponentName: OLD }, { live: { ...live, records } })).toContain(
      `${OLD}:1.1.0`,
    );
    expect(await askedFor("1.3.0", { ocmComponentName: OLD })).toEqual([]);
  });

  it("are those of versions that come back", async () => {
    const gone = edited(live, "istio", (meta) => respecified(meta, { channels: [] }));

    expect([...new Set(await askedFor("1.4.0", { ocmComponentName: OLD }, { live: gone }))].sort()).toEqual([
      `${OLD}:1.2.0`,
      `${OLD}:1.3.0`,
      `${OLD}:1.4.0`,
    ]);
  });

  it("are those of the component that stays if its change is refused", async () => {
    expect(await askedFor("1.4.0", { ocmComponentName: NEW })).toEqual([`${OLD}:1.4.0`]);
  });

  it("are those of all entries in a component that changes", async () => {
    const step = { module: "istio", field: "ocmComponentName", from: OLD, to: NEW };
    const accepted = new Set([acceptedKey({ refusal: "component-changed", ...step })]);
    const asked = await askedFor("1.4.0", { ocmComponentName: NEW }, { gate: { ...OPEN_GATE, accepted } });

    expect([...asked].sort()).toEqual([`${NEW}:1.2.0`, `${NEW}:1.3.0`, `${NEW}:1.4.0`]);
  });
});
