import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { compile, type ChannelEntry } from "../../src/catalogue/compile.ts";
import type { Landscape } from "../../src/catalogue/settings.ts";
import { entryGate, type GateInput } from "../../src/sync/plan/gate.ts";
import type { EntryGate } from "../../src/sync/plan/input.ts";
import type { EntryRecord, Records } from "../../src/sync/plan/records.ts";
import { catalogueOf, type Sample } from "./catalogueFiles.ts";
import { NOW } from "./planning.ts";

/** Milliseconds. */
export const HOUR = 3_600_000;
const namespace = "kcp-system";
/** dev, then elsewhere, then prod. */
export const settings: object = {
  landscapes: [
    { name: "dev", controlPlane: { context: "dev" } },
    { name: "elsewhere", controlPlane: { context: "e" }, after: { landscape: "dev", soak: "2h", hotfixSoak: "30m" } },
    { name: "prod", controlPlane: { context: "p" }, after: { landscape: "elsewhere", soak: "1h", hotfixSoak: "10m" } },
  ],
};
/** One entry, in three landscapes. */
export const FAST: Sample = { settings, channels: { fast: { istio: "1.3.0" } } };

/** The wanted entries of a landscape. */
export function entriesOf(catalogue: Catalogue, landscape = "dev"): readonly ChannelEntry[] {
  return compile(catalogue, { landscape, namespace, generation: "version-templates" }).entries;
}

/** A landscape of the settings. */
export function landscapeOf({ settings: { landscapes } }: Catalogue, name: string): Landscape {
  const landscape = landscapes.find((one) => one.name === name);
  if (landscape === undefined) throw new Error(name);
  return landscape;
}

/** The gate of a landscape, by default the first one. */
export function gate(
  sample: Sample,
  { at = "dev", ...given }: Partial<GateInput> & { readonly at?: string } = {},
): EntryGate {
  const catalogue = catalogueOf(sample);
  const landscape = landscapeOf(catalogue, at);
  const input = { catalogue, landscape, moves: [], earlier: new Map(), decreases: [], nowMs: NOW };
  return entryGate(entriesOf(catalogue, sample.elsewhere === undefined ? "dev" : "elsewhere"), { ...input, ...given });
}

/** The records of a landscape that serves the entry. */
export const serving = (record: EntryRecord): Records => ({
  kind: "known",
  entries: new Map([["fast/istio", record]]),
});
const [ENTRY] = entriesOf(catalogueOf(FAST));
/** `specHash` of the entry. */
export const HASH: string = ENTRY?.specHash ?? "";
