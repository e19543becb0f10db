import type { Catalogue } from "../../catalogue/catalogue.ts";
import { Fault, type ControlPlane, type Run } from "../../ports.ts";
import { withLease } from "../../sync/lease.ts";
import type { PlanOptions } from "../../sync/plan/input.ts";
import { isAct, itemsOf } from "../../sync/plan/item.ts";
import { lookAt, prepare, type Prepared, type PlanWorld } from "../../sync/prepare.ts";
import { sync, type Reporter, type SyncResult } from "../../sync/sync.ts";
import { openHistory } from "../compose/compose.ts";
import { clock, openRepository } from "../compose/systems.ts";
import type { EmbeddedLandscape } from "../compose/demo.ts";
import { leaseHolder, plannedRevision, repositoryIdentity } from "../compose/sync.ts";

/** A demo may do at once what a real landscape refuses or does only when it is told to. */
const OPTIONS: PlanOptions = {
  adopt: false,
  prune: true,
  maxPrune: Number.POSITIVE_INFINITY,
  changedContent: "apply",
  now: "a demo shows every change at once",
  takeOverSet: true,
  switchGeneration: true,
  rewind: true,
};

const NOBODY: Reporter = { outcome: () => undefined, entry: () => undefined };
const NEVER = new AbortController().signal;
/** How long a `sync` in another terminal is waited for. Milliseconds. */
const WAIT_MS = 30_000;

/** What the control planes of a demo are to serve. */
export interface DemoTarget {
  readonly repository: string;
  readonly catalogue: Catalogue;
  /** Whose set it is, and of which commit, as `sync --worktree` says it: so that `plan` finds nothing to change. */
  readonly claim: { readonly repository: string; readonly revision: string };
}

/** The catalogue as it lies in the working tree, and what Git says of it. */
export async function wantedOf(repository: string, catalogue: Catalogue, run: Run): Promise<DemoTarget> {
  const [identity, { recorded }] = await Promise.all([
    repositoryIdentity(catalogue, openRepository(repository), run),
    plannedRevision(openRepository(repository), { revision: undefined, worktree: true }, run),
  ]);
  return { repository, catalogue, claim: { repository: identity, revision: recorded } };
}

/**
 * Makes a landscape serve what is wanted, whatever it serves now. Where there is nothing to do that takes four requests;
 * otherwise the Lease is held, as by any other sync. Holds and waves are passed over, and artifacts are not looked up.
 */
export async function keepInSync(wanted: DemoTarget, landscape: EmbeddedLandscape, run: Run): Promise<SyncResult> {
  const { controlPlane, namespace } = landscape;
  const prepared = await prepareDemo(wanted, landscape, run);
  if (!itemsOf(prepared.plan).some(isAct))
    return sync(prepared, { controlPlane, clock, writes: () => NEVER }, NOBODY, run);
  return withLease(
    { namespace, holder: leaseHolder(), waitMs: WAIT_MS },
    { controlPlane, clock },
    async (leased, held) =>
      sync(await prepareDemo(wanted, landscape, leased), { controlPlane, clock, writes: held }, NOBODY, leased),
    run,
  );
}

function prepareDemo(
  { repository, catalogue, claim }: DemoTarget,
  { name, namespace, generation, controlPlane }: EmbeddedLandscape,
  run: Run,
): Promise<Prepared> {
  const landscape = catalogue.settings.landscapes.find((one) => one.name === name);
  if (landscape === undefined)
    throw new Fault("CONFIGURATION", `kyma-modules.yaml no longer has the landscape ${name}.`);
  const target = { landscape: name, namespace, generation };
  const request = { catalogue, landscape, target, options: OPTIONS, claim: { ...claim, landscape: name, generation } };
  return prepare(request, demoWorld(repository, controlPlane, namespace), run);
}

function demoWorld(repository: string, controlPlane: ControlPlane, namespace: string): PlanWorld {
  return {
    look: lookAt(controlPlane, namespace),
    clock,
    history: openHistory(repository),
    artifacts: { kind: "none", because: "a demo has no registry" },
    ancestry: () => Promise.resolve("forward"),
    earlier: () => Promise.resolve({ kind: "none" }),
    decreases: () => Promise.resolve([]),
  };
}
