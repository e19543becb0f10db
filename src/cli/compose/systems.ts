import { isAbsolute, join } from "node:path";
import type { ControlPlaneAddress } from "../../catalogue/settings.ts";
import { type SteadyClock, type ControlPlane, Fault } from "../../ports.ts";
import { systemClock } from "../../systems/clock.ts";
import { systemUser } from "../../systems/process.ts";
import { Repository } from "../../systems/git/repository.ts";

export { untilAborted } from "../../systems/pause.ts";

/** The clock of this machine. */
export const clock: SteadyClock = systemClock;

/** Who runs this program, as CI or the operating system calls them. */
export function userName(): string {
  return process.env["GITHUB_ACTOR"] ?? systemUser();
}

/** The repository of a folder, in which Git is asked with the environment of this process. */
export function openRepository(directory: string): Repository {
  return new Repository(directory, process.env);
}

/**
 * The control plane at `address`. A relative kubeconfig is relative to the repository that names it. `onAnswer` hears of
 * every answer: a method of HTTP or `watch`, and the status code; `undefined` where there was none.
 */
export async function connect(
  address: ControlPlaneAddress,
  repository: string,
  onAnswer?: (verb: string, code: number | undefined) => void,
): Promise<ControlPlane> {
  if ("embedded" in address) {
    throw new Fault(
      "CONFIGURATION",
      "An embedded control plane runs only as long as its demo: kyma-modules demo. Name a context or a kubeconfig in kyma-modules.yaml.",
    );
  }
  // Loading the client takes longer than all else together: only commands that need a cluster pay for it.
  const [{ openAccess }, { controlPlane }] = await Promise.all([
    import("../../systems/kubernetes/access.ts"),
    import("../../systems/kubernetes/controlPlane.ts"),
  ]);
  const isRelative = "kubeconfig" in address && !isAbsolute(address.kubeconfig);
  const access = await openAccess(isRelative ? { kubeconfig: join(repository, address.kubeconfig) } : address);
  return controlPlane({ ...access, onAnswer });
}
