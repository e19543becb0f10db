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

/** A control plane of our own that stands for a landscape. */
export interface EmbeddedLandscape {
  readonly name: LandscapeName;
  readonly namespace: string;
  readonly generation: Generation;
  readonly controlPlane: ControlPlane;
  /** Its context in the kubeconfig: that of the landscape's own settings, so that `plan` and `sync` work on it. */
  readonly context: string;
}

/** Control planes of our own. */
export interface EmbeddedLandscapes {
  readonly landscapes: readonly EmbeddedLandscape[];
  /** Path of one kubeconfig for all of them. */
  readonly kubeconfig: string;
  /** Ends them and removes their temporary folders. May be called again. */
  stop(): Promise<void>;
}

/** How control planes are started. */
export interface DemoPlanesOptions {
  /** A folder that is kept, with one folder a landscape; temporary folders when undefined. */
  readonly data: string | undefined;
  /** Says one line to the person who waits. */
  readonly progress: (line: string) => void;
  /** Hears when a program of a landscape's control plane ends by itself, and what comes of it. */
  readonly onIncident: (landscape: string, incident: Incident) => void;
}

/**
 * Starts a control plane for each landscape, side by side; all of them or none. No lifecycle-manager runs there that
 * could be asked for its generation, so `auto` means what a current one reads.
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
    const hear = (incident: Incident): void => {
      onIncident(name, incident);
    };
    const started = await startControlPlane({ ...folder, name: context, binaries, onIncident: hear }, run);
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
    // In the folder of the first one, so that it goes with that.
    const kubeconfig = join(dirname(embedded[0]?.started.kubeconfig ?? ""), "landscapes.kubeconfig");
    await writeKubeconfig(kubeconfig, clusters);
    return { landscapes: embedded, kubeconfig, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Yields whenever the catalogue in `repository` may have changed, and `patienceMs` after the last time. */
export function openChanges(repository: string, patienceMs: number, run: Run): AsyncIterable<undefined> {
  return changes(repository, patienceMs, run);
}

/** Whether there is kubectl on the PATH, and whether `repository` is a Git repository with a commit to go back to. */
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
