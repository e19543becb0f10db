import { writeFile } from "node:fs/promises";
import { stringify } from "yaml";

/** A control plane in a kubeconfig. */
export interface KubeconfigCluster {
  /** Name of the context, the cluster and the user. */
  readonly name: string;
  /** Its address, with the port. */
  readonly server: string;
  /** PEM of the authority that signed its certificate; may contain further certificates. */
  readonly certificateAuthority: string;
  /** A bearer token of an administrator. */
  readonly token: string;
}

/**
 * Writes a kubeconfig with one administrator context per control plane; the first one is the current context. The file
 * is self-contained.
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
