import type { Catalogue } from "../catalogue/catalogue.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { Fault, type Run } from "../ports.ts";
import type { PlanOptions } from "../sync/planItem.ts";
import { prepare, type Prepared } from "../sync/prepare.ts";
import { targetOf } from "../sync/target.ts";
import type { ControlPlane } from "../ports.ts";
import { connect, openHistory } from "./compose.ts";

/** What `plan` and `sync` have in common on the command line. */
export interface SyncArguments {
  readonly repository: string;
  readonly revision: string | undefined;
  readonly landscape: string | undefined;
  readonly options: PlanOptions;
}

/** The named landscape, or all of them in roll-out order. Throws CONFIGURATION for a name that is not there. */
export function chosenLandscapes({ settings }: Catalogue, name: string | undefined): readonly Landscape[] {
  const chosen = settings.landscapes.filter((landscape) => name === undefined || landscape.name === name);
  if (chosen.length > 0) return chosen;
  const known = settings.landscapes.map((landscape) => landscape.name).join(", ");
  throw new Fault("CONFIGURATION", `kyma-modules.yaml has no landscape ${name ?? ""}. It has: ${known}.`);
}

/** A plan for one landscape, and the control plane that it is for. */
export interface PreparedLandscape extends Prepared {
  readonly controlPlane: ControlPlane;
}

/** Connects to a landscape and plans it. */
export async function prepareLandscape(
  catalogue: Catalogue,
  landscape: Landscape,
  { repository, options }: SyncArguments,
  run: Run,
): Promise<PreparedLandscape> {
  const controlPlane = await connect(landscape.controlPlane, repository);
  const target = await targetOf(landscape, controlPlane, run);
  const world = { controlPlane, history: openHistory(repository) };
  return { ...(await prepare(catalogue, target, options, world, run)), controlPlane };
}
