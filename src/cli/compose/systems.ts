import { isAbsolute, join } from "node:path";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { type SteadyClock, type ControlPlane, Fault } from "../../ports.ts";
import { systemClock } from "../../systems/clock.ts";
import { systemUser } from "../../systems/process.ts";
import { Repository } from "../../systems/git/repository.ts";

export { untilAborted } from "../../systems/pause.ts";

/** The clock of this machine. */
export const clock: SteadyClock = systemClock;

/** The name of the user, from CI or the operating system. */
export function userName(): string {
  return process.env["GITHUB_ACTOR"] ?? systemUser();
}

/** The repository of a folder. Git runs with the environment of this process, without what names another one. */
export function openRepository(directory: string): Repository {
  return Repository.of(directory, process.env);
}

/**
 * Connects to the control plane at `address`. A relative kubeconfig is relative to the repository that names it.
 * `onAnswer` gets each answer: an HTTP method or `watch`, and the status code, `undefined` without an answer.
 */
export async function connect(
  address: ControlPlaneAddress,
  repository: string,
  onAnswer?: (verb: string, code: number | undefined) => void,
): Promise<ControlPlane> {
  if ("embedded" in address) {
    throw new Fault(
      "CONFIGURATION",
      "An embedded control plane runs only during kyma-modules demo. Name a context or a kubeconfig in kyma-modules.yaml.",
    );
  }
  // Loading the client takes longer than everything else together, so only commands that need a cluster load it.
  const [{ openAccess }, { controlPlane }] = await Promise.all([
    import("../../systems/kubernetes/access.ts"),
    import("../../systems/kubernetes/controlPlane.ts"),
  ]);
  const isRelative = "kubeconfig" in address && !isAbsolute(address.kubeconfig);
  const access = await openAccess(isRelative ? { kubeconfig: join(repository, address.kubeconfig) } : address);
  return controlPlane({ ...access, onAnswer });
}
