import { dirname, join } from "node:path";
import type { LandscapeName } from "../../catalogue/names.ts";
import type { Generation, Landscape } from "../../catalogue/settings.ts";
import type { ControlPlane, Run } from "../../ports.ts";
import { findBinaries } from "../../systems/embedded/binaries.ts";
import { startControlPlane, type EmbeddedControlPlane } from "../../systems/embedded/controlPlane.ts";
import { environmentFrom, findOnPath } from "../../systems/environment.ts";
import { writeKubeconfig } from "../../systems/embedded/kubeconfig.ts";
import type { Incident } from "../../systems/embedded/supervise.ts";
import { changes } from "../../systems/files/watch.ts";
import { connect, openRepository } from "./systems.ts";

export type { Incident } from "../../systems/embedded/supervise.ts";

/** An embedded control plane in place of a landscape's own. */
export interface EmbeddedLandscape {
  readonly name: LandscapeName;
  readonly namespace: string;
  readonly generation: Generation;
  readonly controlPlane: ControlPlane;
  /** Its context in the kubeconfig: the one in the landscape's settings, so that `plan` and `sync` use it. */
  readonly context: string;
}

/** Embedded control planes. */
export interface EmbeddedLandscapes {
  readonly landscapes: readonly EmbeddedLandscape[];
  /** The path of one kubeconfig for all control planes. */
  readonly kubeconfig: string;
  /** Stops the control planes, and removes their temporary folders. Can be called repeatedly. */
  stop(): Promise<void>;
}

interface DemoPlanesOptions {
  /** A folder to keep, with one folder for each landscape; temporary folders when undefined. */
  readonly data: string | undefined;
  /** Prints a line of progress. */
  readonly progress: (line: string) => void;
  /** Called when a program of a landscape's control plane exits unexpectedly, and after its restart. */
  readonly onIncident: (landscape: string, incident: Incident) => void;
}

/**
 * Starts a control plane for each landscape in parallel; if one fails, all stop. No lifecycle-manager runs there, so
 * the generation `auto` means that of a current one.
 */
export async function startEmbedded(
  landscapes: readonly Landscape[],
  { data, progress, onIncident }: DemoPlanesOptions,
  run: Run,
): Promise<EmbeddedLandscapes> {
  const binaries = await findBinaries(environmentFrom(process.env), progress, run);
  const running: EmbeddedControlPlane[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((one) => one.stop()));
  };
  const start = async (
    landscape: Landscape,
  ): Promise<EmbeddedLandscape & { readonly started: EmbeddedControlPlane }> => {
    const { name, namespace, lifecycleManager, controlPlane: address } = landscape;
    const context = "context" in address ? address.context : name;
    const folder = data === undefined ? {} : { dataDir: join(data, name) };
    const options = {
      ...{ ...folder, name: context, binaries },
      onIncident: (incident: Incident) => {
        onIncident(name, incident);
      },
    };
    const started = await startControlPlane(options, run);
    running.push(started);
    const generation = lifecycleManager === "auto" ? "version-templates" : lifecycleManager;
    const controlPlane = await connect({ kubeconfig: started.kubeconfig }, ".");
    return { name, namespace, generation, controlPlane, context, started };
  };
  try {
    const starts = await Promise.allSettled(landscapes.map(start));
    const embedded = starts.map((one) => {
      if (one.status === "rejected") throw one.reason;
      return one.value;
    });
    const clusters = embedded.map(({ started }) => started);
    // In the folder of the first control plane, so that it is removed with it.
    const kubeconfig = join(dirname(embedded[0]?.started.kubeconfig ?? ""), "landscapes.kubeconfig");
    await writeKubeconfig(kubeconfig, clusters);
    return { landscapes: embedded, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/**
 * Yields whenever the catalogue in `repository` may have changed, and at the latest `intervalMs` after the previous
 * time.
 */
export function openChanges(repository: string, intervalMs: number, run: Run): AsyncIterable<undefined> {
  return changes(repository, intervalMs, run);
}

/** Whether kubectl is on the PATH, and whether `repository` is a Git repository with a commit to restore. */
export async function findTools(
  repository: string,
  run: Run,
): Promise<{ readonly kubectl: boolean; readonly git: boolean }> {
  return {
    kubectl: (await findOnPath("kubectl", process.env)) !== undefined,
    git:
      (await findOnPath("git", process.env)) !== undefined &&
      (await openRepository(repository).head(run)) !== undefined,
  };
}
