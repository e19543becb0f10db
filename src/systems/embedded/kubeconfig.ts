import type { Identity } from "./identity.ts";

/** A kubeconfig with one context, called `name`, for the administrator. It holds everything: no path to other files. */
export function kubeconfigOf(name: string, server: string, { authority, admin }: Identity): string {
  const quoted = JSON.stringify(name);
  return `apiVersion: v1
kind: Config
current-context: ${quoted}
contexts:
  - name: ${quoted}
    context: { cluster: ${quoted}, user: ${quoted} }
clusters:
  - name: ${quoted}
    cluster:
      server: ${server}
      certificate-authority-data: ${base64(authority)}
users:
  - name: ${quoted}
    user:
      client-certificate-data: ${base64(admin.certificate)}
      client-key-data: ${base64(admin.key)}
`;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");
