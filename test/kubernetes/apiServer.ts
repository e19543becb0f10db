import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { load } from "js-yaml";
import { inject } from "vitest";
import type { Json } from "../../src/kubernetes/object.ts";

/** What the API server answered. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Speaks plain HTTP to the control plane of the test run: what `src/systems` does is not to be judged by itself. */
export interface ApiServer {
  readonly send: (method: string, path: string, body?: Json | object) => Promise<Answer>;
}

/** The API server that the tests share, or why there is none. */
export function sharedApiServer(): ApiServer | { readonly skipped: string } {
  const shared = inject("controlPlane");
  if ("skipped" in shared) return shared;
  const { server, token, kubeconfig } = shared;
  const agent = new Agent({ ca: authority(kubeconfig), keepAlive: true, maxSockets: 8 });
  const send: ApiServer["send"] = (method, path, body) =>
    new Promise((resolve, reject) => {
      const type = method === "PATCH" ? "application/apply-patch+yaml" : "application/json";
      const headers = { authorization: `Bearer ${token}`, "content-type": type };
      const outgoing = request(new URL(path, server), { method, headers, agent }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => {
          resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() });
        });
      });
      outgoing.on("error", reject);
      outgoing.end(body === undefined ? undefined : JSON.stringify(body));
    });
  return { send };
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly "certificate-authority-data": string } }[];
}

function authority(kubeconfig: string): string {
  const { clusters } = load(readFileSync(kubeconfig, "utf8")) as Kubeconfig;
  return Buffer.from(clusters[0]?.cluster["certificate-authority-data"] ?? "", "base64").toString();
}

/** Writes a CustomResourceDefinition and waits until its kind is served. */
export async function installDefinition(server: ApiServer, definition: DefinitionLike): Promise<void> {
  const { metadata, spec } = definition;
  const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${metadata.name}`;
  const answer = await server.send("PATCH", `${path}?fieldManager=test&force=true&fieldValidation=Strict`, definition);
  if (answer.status >= 300) throw new Error(`${metadata.name}: ${answer.text}`);
  const version = spec.versions.find(({ served }) => served)?.name ?? "";
  const kind = `/apis/${spec.group}/${version}/namespaces/default/${spec.names.plural}`;
  for (let attempt = 0; attempt < 200; attempt++) {
    if ((await server.send("GET", kind)).status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${metadata.name} is not served`);
}

/** The part of a CustomResourceDefinition that the tests read. */
export interface DefinitionLike {
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly group: string;
    readonly names: { readonly plural: string };
    readonly versions: readonly { readonly name: string; readonly served: boolean }[];
  };
}
