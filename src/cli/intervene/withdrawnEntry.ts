import { overlay } from "../../check/overlay.ts";
import { parse } from "../../catalogue/parse.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { ChannelName } from "../../catalogue/names.ts";
import type { Gathered, PromotionWorld } from "../../promote/gather.ts";
import { Fault, type Run } from "../../ports.ts";
import { entriesOf, type EntryItem } from "../../sync/plan/item.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import type { PlanLandscape } from "../../sync/prepare.ts";

/** The plan for the withdrawn entry on a landscape, or why it is not known. */
export type EntryThere = { readonly landscape: string } & (
  { readonly kind: "planned"; readonly entry: EntryItem } | { readonly kind: "unknown"; readonly fault: Fault }
);

/** The entry to withdraw, and the changed files (path to text). */
export interface WithdrawnEntry {
  readonly module: string;
  readonly channel: ChannelName;
  readonly files: ReadonlyMap<string, string>;
}

/** Timeout for all control planes together, in milliseconds: a withdrawal is urgent, and does not depend on them. */
const PATIENCE_MS = 10_000;
const LATE = `Its control plane did not answer within ${PATIENCE_MS / 1000} s.`;

/** Plans the withdrawal on every landscape that serves the channel, with the clusters that it affects. */
export async function entryOnLandscapes(
  { module, channel, files }: WithdrawnEntry,
  { revision, catalogue }: Pick<Gathered, "revision" | "catalogue">,
  { world, plan }: { readonly world: Pick<PromotionWorld, "source">; readonly plan: PlanLandscape },
  run: Run,
): Promise<readonly EntryThere[]> {
  const source = overlay(world.source(revision), files);
  const { files: all } = await source.snapshot(isOfCatalogue, run);
  const parsing = parse(revision, all);
  if (parsing.kind === "refused") return [];
  const serving = catalogue.channels.get(channel)?.landscapes ?? [];
  const late = AbortSignal.timeout(PATIENCE_MS);
  const limited = { ...run, signal: AbortSignal.any([run.signal, late]) };
  const ask = async (landscape: Landscape): Promise<readonly EntryThere[]> => {
    const { name } = landscape;
    try {
      const planned = await plan(parsing.catalogue, revision, landscape, limited);
      if (planned.parent.kind === "refused") throw new Fault("CLUSTER_REFUSED", planned.parent.reason);
      return entriesOf(planned)
        .filter((entry) => entry.module === module && entry.channel === channel)
        .map((entry) => ({ landscape: name, kind: "planned", entry }));
    } catch (error) {
      run.signal.throwIfAborted();
      const fault = late.aborted ? new Fault("CLUSTER_TIMEOUT", LATE, { cause: error }) : error;
      if (!(fault instanceof Fault)) throw fault;
      return [{ landscape: name, kind: "unknown", fault }];
    }
  };
  const asked = catalogue.settings.landscapes.filter(({ name }) => serving.includes(name));
  return (await Promise.all(asked.map(ask))).flat();
}
