import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import type { LandscapeName } from "../../src/catalogue/names.ts";
import type { Landscape } from "../../src/catalogue/settings.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { Fault, type ControlPlane } from "../../src/ports.ts";
import { targetManifests, type Account, type RoleRule } from "../../src/sync/install/target.ts";
import { withLease } from "../../src/sync/lease.ts";
import { compileTarget } from "../../src/sync/target.ts";
import { systemClock } from "../../src/systems/clock.ts";
import { quietRun } from "../support/quietRun.ts";
import { catalogueOf } from "./catalogueFiles.ts";
import { pathOf } from "./outside.ts";
import type { Synced, World } from "./world.ts";

/** The first catalogue of the sequence: two entries. */
export const BEFORE: Catalogue = catalogueOf({ channels: { fast: { istio: "1.2.0", legacy: "1.0.0" } } });
const AFTER = catalogueOf({ channels: { fast: { istio: "1.3.0" } } });
/** A landscape whose generation is detected. */
export const LANDSCAPE: Landscape = {
  name: "dev" as LandscapeName,
  controlPlane: { context: "kcp-dev" },
  namespace: "kcp-system",
  lifecycleManager: "auto",
  after: undefined,
  registry: undefined,
  prune: false,
  maxPrune: undefined,
};

/** A difference of a Role from the printed one. */
interface Printed {
  readonly change?: ChangeRules;
  readonly kymas?: boolean;
}

/** Changes the rules of a Role. */
export type ChangeRules = (rules: readonly RoleRule[]) => readonly RoleRule[];

/** Applies the output of `install` for an actor in the world's namespace, with `rules` as its Role. */
export function printed(
  { namespace }: World,
  actor: Account,
  { change = (rules) => rules, kymas = false }: Printed = {},
): readonly KubernetesObject[] {
  const landscape = { ...LANDSCAPE, namespace };
  return targetManifests({ landscape, actor, kymas, accountNamespace: undefined }).map(({ object }) =>
    object.kind === "Role" ? { ...object, rules: change(object["rules"] as readonly RoleRule[]) } : object,
  );
}

/** Installs the Deployment of lifecycle-manager, with its version in the image tag. */
export async function installLifecycleManager({ outside, namespace }: World): Promise<void> {
  const labels = { app: "lifecycle-manager" };
  const containers = [{ name: "manager", image: "example.com/lifecycle-manager:1.20.4" }];
  await outside.must("POST", `/apis/apps/v1/namespaces/${namespace}/deployments`, {
    metadata: { name: "lifecycle-manager" },
    spec: { selector: { matchLabels: labels }, template: { metadata: { labels }, spec: { containers } } },
  });
}

/** Creates, raises and prunes like a sync in CI; returns all failures. */
export async function journey(world: World, controlPlane: ControlPlane): Promise<readonly string[]> {
  const request = { namespace: world.namespace, holder: "journey", waitMs: 0 };
  // Another client writes between plan and sync, so that an object has to be read again.
  const edit = async (): Promise<void> => {
    const path = pathOf("templates", world.namespace, "istio-1.2.0");
    await world.outside.send("PATCH", path, { metadata: { annotations: { a: "b" } } }, "merge-patch");
  };
  try {
    return await withLease(
      request,
      { controlPlane, clock: systemClock },
      async () => {
        await compileTarget({ ...LANDSCAPE, namespace: world.namespace }, controlPlane, quietRun());
        const first = await world.sync(BEFORE, { controlPlane, prune: true });
        const second = await world.sync(AFTER, { controlPlane, prune: true, meanwhile: edit });
        return [...complaintsOf(first), ...complaintsOf(second)];
      },
      quietRun(),
    );
  } catch (error) {
    if (error instanceof Fault) return [error.message];
    throw error;
  }
}

function complaintsOf({ outcomes, plan }: Synced): readonly string[] {
  return [
    ...outcomes.flatMap((outcome) => {
      if (outcome.result === "failed") return [outcome.fault.message];
      return outcome.result === "skipped" ? [outcome.because] : [];
    }),
    ...plan.modules.flatMap(({ entries }) =>
      entries.flatMap((entry) => (entry.kind === "refused" ? [entry.reason] : [])),
    ),
  ];
}
