import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { text } from "node:stream/consumers";
import { parse } from "yaml";

/** Who asks: the administrator of a kubeconfig file, or the bearer of a token. */
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

/** The first cluster and the first user of a kubeconfig file, decoded. */
export function readKubeconfig(path: string): Readonly<Record<"server" | "ca" | "cert" | "key", string>> {
  const { clusters, users } = parse(readFileSync(path, "utf8")) as Kubeconfig;
  const decode = (value = ""): string => Buffer.from(value, "base64").toString();
  const { server = "", "certificate-authority-data": ca } = clusters[0]?.cluster ?? {};
  const { "client-certificate-data": cert, "client-key-data": key } = users[0]?.user ?? {};
  return { server, ca: decode(ca), cert: decode(cert), key: decode(key) };
}

/** Sends one request, with the certificate of the server verified. Without a body it reads. */
export async function ask({ kubeconfig, token }: Caller, path: string, body?: object): Promise<Answer> {
  const { server, ca, cert, key } = readKubeconfig(kubeconfig);
  const agent = new Agent(token === undefined ? { ca, cert, key } : { ca });
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const headers = {
    "content-type": "application/json",
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  const asking = request(`${server}${path}`, { agent, headers, method: body === undefined ? "GET" : "POST" });
  asking.once("error", reject).once("response", (response) => {
    text(response).then((answer) => {
      resolve({ status: response.statusCode, body: JSON.parse(answer) });
    }, reject);
  });
  asking.end(body === undefined ? undefined : JSON.stringify(body));
  return promise;
}
