import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";

/** A control plane as a kubeconfig has it. */
export interface KubeconfigCluster {
  /** Names its context, its cluster and its user. */
  readonly name: string;
  /** Its address, with the port. */
  readonly server: string;
  /** PEM of the authority that signed its certificate; other certificates may stand beside it. */
  readonly certificateAuthority: string;
  /** A bearer token of an administrator. */
  readonly token: string;
}

/**
 * Writes a kubeconfig with one context a control plane, for its administrator; the first one is the current context. It
 * holds everything: no path to other files.
 */
export async function writeKubeconfig(path: string, clusters: readonly KubeconfigCluster[]): Promise<void> {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": clusters[0]?.name ?? "",
    contexts: clusters.map(({ name }) => ({ name, context: { cluster: name, user: name } })),
    clusters: clusters.map(({ name, server, certificateAuthority }) => ({
      name,
      cluster: { server, "certificate-authority-data": Buffer.from(certificateAuthority).toString("base64") },
    })),
    users: clusters.map(({ name, token }) => ({ name, user: { token } })),
  };
  await writeFile(path, stringify(config), { mode: 0o600 });
}
