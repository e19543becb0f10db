import type { ChannelName } from "../../catalogue/names.ts";
import type { Hotfix, Level } from "../../catalogue/policy.ts";
import { levelOf } from "../../catalogue/steps.ts";
import { compareVersions, type ModuleVersion } from "../../catalogue/version.ts";
import type { Declared, ModuleHistory, Revision, ServedState } from "../verdict/history.ts";

/** One step that a following channel took with a module, and what it was. */
export interface Change {
  readonly revision: Revision;
  /** What the channel served before; `undefined`: nothing. */
  readonly from: ModuleVersion | undefined;
  readonly to: ModuleVersion | undefined;
  /** What the followed channel served then, after the same commit. */
  readonly followed: ModuleVersion | undefined;
  readonly how: How;
}

/** How a version came into a following channel. */
export type How =
  /** Nothing is known of before: the channel gets the module together with the followed one, or before it. */
  | { readonly kind: "first" }
  /** The followed channel had it before, or in the same commit. `leadMs`: since it first did. */
  | { readonly kind: "promotion"; readonly level: Level; readonly leadMs: number }
  /** Declared as one; else the followed channel never serves it, and it is a patch of what the channel served. */
  | { readonly kind: "hot-fix"; readonly declared: Declared<Hotfix> | undefined }
  /** Nobody saw the followed channel serve it before: either that went unseen, or somebody passed it by. */
  | { readonly kind: "unknown"; readonly level: Level }
  /** Below what the channel served, or, where it served nothing, below the highest that it ever did. */
  | { readonly kind: "downgrade"; readonly highest: ModuleVersion }
  | { readonly kind: "removal" };

/** What the channel did with the module, oldest first. A new content of the same version is no step. */
export function changesOf(history: ModuleHistory, followed: ChannelName, channel: ChannelName): readonly Change[] {
  const [ahead, states] = [history.served.get(followed) ?? [], history.served.get(channel) ?? []];
  const first = firstServed(ahead);
  let from: ModuleVersion | undefined;
  let highest: ModuleVersion | undefined;
  return states.flatMap(({ revision, version: to }): Change[] => {
    const step = { from, highest, to, revision };
    from = to;
    highest = higherOf(highest, to);
    if (step.from === to) return [];
    const serves = ahead.findLast((state) => state.revision.index <= revision.index)?.version;
    return [
      { revision, from: step.from, to, followed: serves, how: howOf(step, first, hotfixOf(history, channel, to)) },
    ];
  });
}

/** When the channel served each version for the first time. */
export function firstServed(states: readonly ServedState[]): ReadonlyMap<ModuleVersion, Revision> {
  const first = new Map<ModuleVersion, Revision>();
  for (const { version, revision } of states)
    if (version !== undefined && !first.has(version)) first.set(version, revision);
  return first;
}

function higherOf(a: ModuleVersion | undefined, b: ModuleVersion | undefined): ModuleVersion | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return compareVersions(a, b) > 0 ? a : b;
}

function hotfixOf(
  { hotfixes }: ModuleHistory,
  channel: ChannelName,
  version: ModuleVersion | undefined,
): Declared<Hotfix> | undefined {
  return hotfixes.find(({ entry }) => entry.version === version && entry.channel === channel);
}

interface Step {
  readonly from: ModuleVersion | undefined;
  readonly highest: ModuleVersion | undefined;
  readonly to: ModuleVersion | undefined;
  readonly revision: Revision;
}

function howOf(step: Step, first: First, declared: Declared<Hotfix> | undefined): How {
  const { from, highest, to, revision } = step;
  if (to === undefined) return { kind: "removal" };
  const below = from ?? highest;
  const seen = seenBy(revision, to, first);
  if (below === undefined) return beginning(seen, revision);
  if (compareVersions(below, to) > 0) return { kind: "downgrade", highest: below };
  const level = levelOf(below, to);
  const isOwn = level === "patch" && !first.has(to);
  return declared !== undefined || isOwn ? { kind: "hot-fix", declared } : cameIn(seen, revision, level);
}

function beginning(seen: Revision | undefined, revision: Revision): How {
  return seen === undefined || seen.index === revision.index ? { kind: "first" } : cameIn(seen, revision, "first");
}

type First = ReadonlyMap<ModuleVersion, Revision>;

/** When the followed channel first served it, if that was not later. */
function seenBy({ index }: Revision, version: ModuleVersion, first: First): Revision | undefined {
  const seen = first.get(version);
  return seen !== undefined && seen.index <= index ? seen : undefined;
}

/** Clocks that went backwards give no negative time. */
function cameIn(seen: Revision | undefined, { atMs }: Revision, level: Level): How {
  if (seen === undefined) return { kind: "unknown", level };
  return { kind: "promotion", level, leadMs: Math.max(0, atMs - seen.atMs) };
}
