import { compile } from "../../../src/catalogue/compile.ts";
import type { Generation } from "../../../src/catalogue/settings.ts";
import type { Clock, ControlPlane, Registry } from "../../../src/ports.ts";
import type { EarlierRecords } from "../../../src/sync/plan/records.ts";
import { prepare, landscapeAccess, type PlanWorld } from "../../../src/sync/prepare.ts";
import { sync } from "../../../src/sync/sync.ts";
import { quietRun } from "../../support/quietRun.ts";
import { CAREFUL, entryResults, entrySummary, recordsOf, results } from "../planning.ts";
import type { DescriptorOf, SyncAction, Wanted } from "./actions.ts";
import { catalogueOfWanted, SOAK_MS } from "./wanted.ts";
import { NO_HISTORY } from "../../support/noHistory.ts";

/** The target and the ports of a sync of the repository. */
export interface SyncPlace {
  readonly generation: Generation;
  readonly controlPlane: ControlPlane;
  readonly clock: Clock;
  readonly registry: Registry;
  readonly baseUrl: string;
  readonly descriptorOf: DescriptorOf;
}

/**
 * Plans the wanted state, with the options that a person allows, and carries it out. Returns the plan and its result.
 */
export async function syncWanted(
  wanted: Wanted,
  { prune, now, adopt }: Pick<SyncAction, "prune" | "now" | "adopt">,
  { generation, controlPlane, clock, registry, baseUrl, descriptorOf }: SyncPlace,
): Promise<readonly string[]> {
  const catalogue = catalogueOfWanted(wanted, generation, descriptorOf);
  const landscape = catalogue.settings.landscapes.find(({ name }) => name === "dev");
  if (landscape === undefined) throw new Error("the sample has a landscape dev");
  const target = { landscape: "dev", namespace: "kcp-system", generation };
  const options = { ...CAREFUL, prune, adopt, maxPrune: 1000, now: now ? "it is a test" : undefined };
  const claim = { repository: "org/name", landscape: "dev", generation, revision: "" };
  const sinceMs = clock.nowMs() - (wanted.isSoaking ? 60_000 : SOAK_MS);
  const world: PlanWorld = {
    look: landscapeAccess(controlPlane, "kcp-system").look,
    clock,
    history: NO_HISTORY,
    artifacts: { kind: "registry", settings: { baseUrl }, registry: () => Promise.resolve(registry) },
    ancestry: () => Promise.resolve("forward"),
    earlier: (): Promise<EarlierRecords> => Promise.resolve(recordsOf(compile(catalogue, target), sinceMs)),
    decreases: () => Promise.resolve([]),
  };
  const prepared = await prepare({ catalogue, landscape, target, options, claim }, world, quietRun());
  const report = { outcome: () => undefined, entry: () => undefined };
  const done = await sync(
    prepared,
    { controlPlane, clock, writes: () => new AbortController().signal },
    report,
    quietRun(),
  );
  return [...entrySummary(prepared.plan), ...entryResults(done), ...results(done)];
}
