import { Agent, request } from "undici";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { readKubeconfig } from "../systems/embedded/apiClient.ts";

/** A response of the API server to another client. */
export interface Answer {
  readonly status: number;
  readonly body: KubernetesObject;
}

/** The address of the API server, and the credentials. */
export interface OutsideAccess {
  /** Path of a kubeconfig. */
  readonly kubeconfig: string;
  readonly server: string;
  readonly token: string;
}

type AnyAccess = Pick<OutsideAccess, "kubeconfig"> & Partial<OutsideAccess>;

/** Another client of the API server: a team with kubectl, another controller, or the test itself. */
export interface Outside {
  readonly send: (method: Method, path: string, body?: object, type?: PatchType) => Promise<Answer>;
  /** Like `send`, for a request that must succeed. */
  readonly must: (method: Method, path: string, body?: object, type?: PatchType) => Promise<KubernetesObject>;
  /** The lines of a response as they arrive, until `signal` ends it. */
  readonly stream: (path: string, signal: AbortSignal) => AsyncGenerator<WatchEvent>;
}

/** One line of a watch. */
export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK" | "ERROR";
  readonly object: KubernetesObject;
}

/** The options of a request. */
export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type PatchType = "merge-patch" | "json-patch" | "apply-patch";

const CONTENT = {
  "merge-patch": "application/merge-patch+json",
  "json-patch": "application/json-patch+json",
  "apply-patch": "application/apply-patch+yaml",
} as const;

/**
 * A plain HTTP client for the first cluster and the first user of a kubeconfig, unless others are named. It does not
 * use `src/systems`, which would otherwise test itself.
 */
export function openOutside(access: AnyAccess): Outside {
  const { server, ca, token } = { ...readKubeconfig(access.kubeconfig), ...access };
  const dispatcher = new Agent({ connect: { ca } });
  const headers = { accept: "application/json", authorization: `Bearer ${token}` };
  const send: Outside["send"] = async (method, path, body, type) => {
    const contentType = type === undefined ? "application/json" : CONTENT[type];
    const answer = await request(`${server}${path}`, {
      method,
      dispatcher,
      headers: { ...headers, ...(body !== undefined && { "content-type": contentType }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.body.text();
    return {
      status: answer.statusCode,
      body: (text.startsWith("{") ? JSON.parse(text) : { text }) as KubernetesObject,
    };
  };
  return {
    send,
    must: async (method, path, body, type) => {
      const answer = await send(method, path, body, type);
      if (answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    },
    stream: async function* (path, signal) {
      const answer = await request(`${server}${path}`, { dispatcher, headers, signal });
      let rest = "";
      for await (const chunk of answer.body.setEncoding("utf8")) {
        const lines = (rest + String(chunk)).split("\n");
        rest = lines.pop() ?? "";
        for (const line of lines) yield JSON.parse(line) as WatchEvent;
      }
    },
  };
}

const ROOTS = {
  templates: ["/apis/operator.kyma-project.io/v1beta2", "moduletemplates"],
  metas: ["/apis/operator.kyma-project.io/v1beta2", "modulereleasemetas"],
  kymas: ["/apis/operator.kyma-project.io/v1beta2", "kymas"],
  manifests: ["/apis/operator.kyma-project.io/v1beta2", "manifests"],
  configmaps: ["/api/v1", "configmaps"],
} as const;

/** The kinds that tests read. */
export type Kind = keyof typeof ROOTS;

/** The path of the objects of a kind in a namespace, or of one of them. */
export function pathOf(kind: Kind, namespace: string, name?: string): string {
  const [root, plural] = ROOTS[kind];
  return `${root}/namespaces/${namespace}/${plural}${name === undefined ? "" : `/${name}`}`;
}
