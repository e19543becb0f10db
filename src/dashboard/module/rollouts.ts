import type { ModuleName } from "../../catalogue/names.ts";
import { landscapeRollout, type LandscapeRollout, type VersionRollout } from "../../sync/landscapeRollout.ts";
import type { Blind, DashboardState } from "../state.ts";

/** The roll-out of a module's versions on a landscape, as of when it was last seen. */
export interface SeenRollout {
  readonly landscape: string;
  /** `undefined` if the landscape was never seen. */
  readonly rollout: LandscapeRollout | undefined;
  /** `undefined` if it was never seen. Unix milliseconds. */
  readonly seenMs: number | undefined;
  /** `undefined` if it is seen now. */
  readonly blind: Blind | undefined;
}

/** The roll-outs of a module on each landscape of its channels, in roll-out order. */
export function seenRollouts(
  module: ModuleName,
  { landscapes, gathered: { catalogue } }: Pick<DashboardState, "landscapes" | "gathered">,
): readonly SeenRollout[] {
  const serving = [...catalogue.channels.values()].filter(({ templates }) => templates.has(module));
  return landscapes.flatMap(({ name, input, seenMs, blind }): SeenRollout[] => {
    const rollout = input && landscapeRollout(input, { module, version: undefined });
    const isServed = serving.some((channel) => channel.landscapes.some((one) => one === name));
    return isServed || (rollout?.versions.length ?? 0) > 0 ? [{ landscape: name, rollout, seenMs, blind }] : [];
  });
}

/** The roll-out of a version on a landscape. */
export interface PlacedRollout {
  readonly seen: SeenRollout;
  readonly version: VersionRollout;
}

/** The last landscape in roll-out order that serves a version of a channel, by default of any, and its clusters. */
export function furthest(rollouts: readonly SeenRollout[], channel: string | undefined): PlacedRollout | undefined {
  const placed = rollouts.flatMap((seen) =>
    (seen.rollout?.versions ?? [])
      .filter((one) => one.channel === (channel ?? one.channel))
      .map((version) => ({ seen, version })),
  );
  return placed.at(-1);
}
