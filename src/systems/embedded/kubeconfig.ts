import { writeFile } from "node:fs/promises";
import type { Identity } from "./identity.ts";

/** A control plane as a kubeconfig has it. */
export interface Cluster {
  /** Names its context, its cluster and its user. */
  readonly name: string;
  /** Its address, with the port. */
  readonly server: string;
  readonly identity: Pick<Identity, "authority" | "admin">;
}

/**
 * Writes a kubeconfig with one context a control plane, for its administrator; the first one is the current context. It
 * holds everything: no path to other files.
 */
export async function writeKubeconfig(path: string, clusters: readonly Cluster[]): Promise<void> {
  const names = clusters.map(({ name }) => JSON.stringify(name));
  const text = `apiVersion: v1
kind: Config
current-context: ${names[0] ?? '""'}
contexts:
${names.map((name) => `  - { name: ${name}, context: { cluster: ${name}, user: ${name} } }`).join("\n")}
clusters:
${clusters.map(clusterText).join("\n")}
users:
${clusters.map(userText).join("\n")}
`;
  await writeFile(path, text, { mode: 0o600 });
}

function clusterText({ name, server, identity }: Cluster): string {
  return `  - name: ${JSON.stringify(name)}
    cluster:
      server: ${server}
      certificate-authority-data: ${base64(identity.authority)}`;
}

function userText({ name, identity: { admin } }: Cluster): string {
  return `  - name: ${JSON.stringify(name)}
    user:
      client-certificate-data: ${base64(admin.certificate)}
      client-key-data: ${base64(admin.key)}`;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
