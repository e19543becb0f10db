import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { parse } from "yaml";

/** Who asks: the administrator of a kubeconfig file, or the bearer of another token. */
export interface Caller {
  readonly kubeconfig: string;
  readonly token?: string;
}

/** Status code and body of an answer. */
export interface Answer {
  readonly status: number | undefined;
  readonly body: unknown;
}

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: Readonly<Record<string, string>> }[];
  readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
}

/** The first cluster of a kubeconfig file, with its authority as PEM, and the token of the first user. */
export function readKubeconfig(path: string): Readonly<Record<"server" | "ca" | "token", string>> {
  const { clusters, users } = parse(readFileSync(path, "utf8")) as Kubeconfig;
  const { server = "", "certificate-authority-data": ca = "" } = clusters[0]?.cluster ?? {};
  return { server, ca: Buffer.from(ca, "base64").toString(), token: users[0]?.user["token"] ?? "" };
}

/** Sends one request, with the certificate of the server verified. Without a body it reads. */
export async function ask(caller: Caller, path: string, body?: object): Promise<Answer> {
  const { server, ca, token } = { ...readKubeconfig(caller.kubeconfig), ...caller };
  const agent = new Agent({ ca });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const asking = request(`${server}${path}`, { agent, headers, method: body === undefined ? "GET" : "POST" });
  asking.once("error", reject).once("response", (response) => {
    text(response).then((answer) => {
      resolve({ status: response.statusCode, body: JSON.parse(answer) });
    }, reject);
  });
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
