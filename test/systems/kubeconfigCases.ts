import { join } from "node:path";

/** Where a case takes place. */
export interface Scene {
  readonly folder: string;
  /** A cluster that answers, over TLS. */
  readonly cluster: { readonly server: string; readonly "certificate-authority-data": string };
  /** The address of the same server over plain HTTP. */
  readonly plain: string;
}

type Named = Readonly<Record<string, object>>;

/** A kubeconfig whose context `test` has the user and the cluster `test`. */
function config(users: Named, clusters: Named, more: object = {}): string {
  const list = (what: string, named: Named): object[] =>
    Object.entries(named).map(([name, one]) => ({ name, [what]: one }));
  return JSON.stringify({
    ...{ apiVersion: "v1", kind: "Config", "current-context": "test" },
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    ...{ users: list("user", users), clusters: list("cluster", clusters) },
    ...more,
  });
}

/** One context, of which only the user matters. */
const userOf =
  (user: object) =>
  ({ cluster }: Scene): Files => ({ a: config({ test: user }, { test: cluster }) });
/** One context, of which only the cluster matters. */
const clusterOf =
  (cluster: (scene: Scene) => object) =>
  (scene: Scene): Files => ({
    a: config({ test: { token: "t" } }, { test: cluster(scene) }),
  });
const EXEC = { apiVersion: "client.authentication.k8s.io/v1", interactiveMode: "Never" };
/** A program whose token is what `text` prints. */
const program = (text: string): string =>
  `#!/bin/sh\necho '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'"$(${text})"'"}}'\n`;

/** Files by name; KUBECONFIG lists those that begin with one letter, in order, and a file `absent`. */
export type Files = Readonly<Record<string, string>>;

/** Situations of kubeconfigs. */
export const CASES: Readonly<Record<string, (scene: Scene) => Files>> = {
  "one file": userOf({ token: "one" }),
  "two files with one user: the first wins": ({ cluster }) => ({
    a: config({ test: { token: "first" } }, {}, { contexts: [] }),
    b: config({ test: { token: "second" } }, { test: cluster }),
  }),
  "two files with one user: nothing of the second counts": ({ cluster }) => ({
    a: config({ test: { username: "u", password: "p" } }, {}, { contexts: [] }),
    b: config({ test: { token: "second" } }, { test: cluster }),
  }),
  "two files with one cluster": ({ cluster }) => ({
    a: config({}, { test: { ...cluster, server: `${cluster.server}/first` } }, { contexts: [] }),
    b: config({ test: { token: "t" } }, { test: { ...cluster, server: `${cluster.server}/second` } }),
  }),
  "two files with one context": ({ cluster }) => ({
    a: config({ test: { token: "t" } }, { test: cluster }),
    b: config(
      { other: { token: "o" } },
      {},
      { contexts: [{ name: "test", context: { cluster: "test", user: "other" } }] },
    ),
  }),
  "an empty file in the list": ({ cluster }) => ({ a: "", b: config({ test: { token: "t" } }, { test: cluster }) }),
  "a file of spaces in the list": ({ cluster }) => ({
    a: "\n",
    b: config({ test: { token: "t" } }, { test: cluster }),
  }),
  "a file of null in the list": ({ cluster }) => ({
    a: "null",
    b: config({ test: { token: "t" } }, { test: cluster }),
  }),
  "a list in the list": ({ cluster }) => ({ a: "[]", b: config({ test: { token: "t" } }, { test: cluster }) }),
  "a broken file in the list": ({ cluster }) => ({ a: "{", b: config({ test: { token: "t" } }, { test: cluster }) }),
  "a file of another kind": ({ cluster }) => ({
    a: config({ test: { token: "t" } }, { test: cluster }, { kind: "ConfigMap" }),
  }),
  "a file without apiVersion and kind": ({ cluster }) => ({
    a: config({ test: { token: "t" } }, { test: cluster }, { kind: undefined, apiVersion: undefined }),
  }),
  "no file at all": () => ({}),
  "two users with one name in a file": ({ cluster }) => ({
    a: config({}, { test: cluster }, { users: ["x", "y"].map((token) => ({ name: "test", user: { token } })) }),
  }),
  "two clusters with one name in a file": ({ cluster }) => ({
    a: config({ test: { token: "t" } }, {}, { clusters: [1, 2].map(() => ({ name: "test", cluster })) }),
  }),
  "two contexts with one name in a file": ({ cluster }) => ({
    a: config(
      { test: { token: "t" } },
      { test: cluster },
      {
        contexts: [1, 2].map(() => ({ name: "test", context: { cluster: "test", user: "test" } })),
      },
    ),
  }),
  "a context without a user": ({ cluster }) => ({
    a: config({}, { test: cluster }, { contexts: [{ name: "test", context: { cluster: "test" } }] }),
  }),
  "a context with a user that is missing": ({ cluster }) => ({ a: config({}, { test: cluster }) }),
  "a context with a cluster that is missing": () => ({ a: config({ test: { token: "t" } }, {}) }),
  "no such context": ({ cluster }) => ({ a: config({ test: { token: "t" } }, { test: cluster }, { contexts: [] }) }),
  "a token file": ({ cluster, folder }) => ({
    a: config({ test: { tokenFile: join(folder, "token") } }, { test: cluster }),
    token: "of a file\n",
  }),
  "a relative token file": ({ cluster }) => ({
    "in/a": config({ test: { tokenFile: "token" } }, { test: cluster }),
    "in/token": "t",
  }),
  "a token file that is absent": userOf({ tokenFile: "nowhere" }),
  "a token and a token file": ({ cluster }) => ({
    a: config({ test: { token: "t", tokenFile: "token" } }, { test: cluster }),
    token: "f",
  }),
  "a token and an absent token file": userOf({ token: "t", tokenFile: "nowhere" }),
  "token-file, which nothing reads": ({ cluster }) => ({
    a: config({ test: { "token-file": "token" } }, { test: cluster }),
    token: "f",
  }),
  "a token that is a number": userOf({ token: 7 }),
  "a password": userOf({ username: "u", password: "p:w" }),
  "a token and a password": userOf({ token: "t", username: "u", password: "p" }),
  "a user to impersonate": userOf({ token: "t", as: "someone" }),
  "groups to impersonate": userOf({ token: "t", as: "someone", "as-groups": ["a", "b"], "as-uid": "7" }),
  "extra fields to impersonate": userOf({
    token: "t",
    as: "someone",
    "as-user-extra": { "x/y": ["1", "2"], reason: ["r"] },
  }),
  "groups to impersonate without a user": userOf({ token: "t", "as-groups": ["a"] }),
  "a uid to impersonate without a user": userOf({ token: "t", "as-uid": "7" }),
  "a program in the folder": ({ cluster }) => ({
    "in/a": config({ test: { exec: { ...EXEC, command: "./program" } } }, { test: cluster }),
    "in/program": program("echo from a program"),
  }),
  "a program in a folder": ({ cluster }) => ({
    "in/a": config({ test: { exec: { ...EXEC, command: "bin/program" } } }, { test: cluster }),
    "in/bin/program": program("echo from a program"),
  }),
  "a program with arguments and variables": ({ cluster }) => ({
    a: config(
      { test: { exec: { ...EXEC, command: "./program", args: ["x"], env: [{ name: "Y", value: "y" }] } } },
      { test: cluster },
    ),
    program: program("echo $1$Y"),
  }),
  "a program that wants to know the cluster": ({ cluster }) => ({
    a: config(
      { test: { exec: { ...EXEC, command: "./program", provideClusterInfo: true } } },
      {
        test: {
          ...cluster,
          extensions: [{ name: "client.authentication.k8s.io/exec", extension: { audience: "kcp" } }],
        },
      },
    ),
    program: program('echo "$KUBERNETES_EXEC_INFO" | grep -o "audience[^}]*\\|server[^,]*" | tr -d "\\":\\n"'),
  }),
  "a program that is told whether it may ask": ({ cluster }) => ({
    a: config({ test: { exec: { ...EXEC, command: "./program" } } }, { test: cluster }),
    program: program('echo "$KUBERNETES_EXEC_INFO" | grep -c interactive'),
  }),
  "a program beside a token": ({ cluster }) => ({
    a: config({ test: { token: "t", exec: { ...EXEC, command: "false" } } }, { test: cluster }),
  }),
  "a program that fails": userOf({ exec: { ...EXEC, command: "false" } }),
  "a program without interactiveMode": userOf({ exec: { apiVersion: EXEC.apiVersion, command: "echo" } }),
  "an old program without interactiveMode": ({ cluster }) => ({
    a: config(
      { test: { exec: { apiVersion: "client.authentication.k8s.io/v1beta1", command: "./program" } } },
      { test: cluster },
    ),
    program: program("echo old").replace('/v1"', '/v1beta1"'),
  }),
  "a program without apiVersion": userOf({ exec: { command: "echo", interactiveMode: "Never" } }),
  "a program of another apiVersion": userOf({
    exec: { ...EXEC, apiVersion: "client.authentication.k8s.io/v1alpha1", command: "echo" },
  }),
  "a program without a command": userOf({ exec: EXEC }),
  "a program and a provider": userOf({ exec: { ...EXEC, command: "echo" }, "auth-provider": { name: "oidc" } }),
  "a variable without a name": userOf({ exec: { ...EXEC, command: "echo", env: [{ value: "x" }] } }),
  "a certificate without a key": userOf({ "client-certificate-data": "YQ==" }),
  "a certificate in a file that is absent": userOf({ "client-certificate": "nowhere", "client-key": "nowhere" }),
  "a certificate that is not base64": userOf({ "client-certificate-data": "%", "client-key-data": "%" }),
  "a server with a path": clusterOf(({ cluster }) => ({ ...cluster, server: `${cluster.server}/k8s/clusters/c-1` })),
  "a server with a slash at its end": clusterOf(({ cluster }) => ({ ...cluster, server: `${cluster.server}/k8s/` })),
  "a server without a scheme": clusterOf(({ plain }) => ({ server: plain.replace("http://", "") })),
  "a server without a scheme, but with an authority": clusterOf(({ cluster }) => ({
    ...cluster,
    server: cluster.server.replace("https://", ""),
  })),
  "no server": clusterOf(() => ({})),
  "a server of another scheme": clusterOf(({ cluster }) => ({
    ...cluster,
    server: cluster.server.replace("https:", "ftp:"),
  })),
  "plain HTTP: credentials stay at home": clusterOf(({ plain }) => ({ server: plain })),
  "plain HTTP with a path": clusterOf(({ plain }) => ({ server: `${plain}/k8s` })),
  "plain HTTP that waives TLS": clusterOf(({ plain }) => ({ server: plain, "insecure-skip-tls-verify": true })),
  "plain HTTP and a program, which is not asked": ({ plain }) => ({
    a: config({ test: { exec: { ...EXEC, command: "false" } } }, { test: { server: plain } }),
  }),
  "plain HTTP and a user to impersonate": ({ plain }) => ({
    a: config({ test: { token: "t", as: "someone", "as-groups": ["g"] } }, { test: { server: plain } }),
  }),
  "TLS that is not verified": clusterOf(({ cluster: { server } }) => ({ server, "insecure-skip-tls-verify": true })),
  "TLS that is not verified, with an authority": clusterOf(({ cluster }) => ({
    ...cluster,
    "insecure-skip-tls-verify": true,
  })),
  "TLS with an unknown authority": clusterOf(({ cluster: { server } }) => ({ server })),
  "TLS with the name of another server": clusterOf(({ cluster }) => ({ ...cluster, "tls-server-name": "other" })),
  "TLS with another name of the server": clusterOf(({ cluster }) => ({ ...cluster, "tls-server-name": "kcp.test" })),
  "an authority in a relative file": ({ cluster: { server, ...authority } }) => ({
    "in/a": config({ test: { token: "t" } }, { test: { server, "certificate-authority": "ca.pem" } }),
    "in/ca.pem": Buffer.from(authority["certificate-authority-data"], "base64").toString(),
  }),
  "an authority twice": clusterOf(({ cluster }) => ({ ...cluster, "certificate-authority": "a" })),
  "an authority that is absent": clusterOf(({ cluster: { server } }) => ({
    server,
    "certificate-authority": "nowhere",
  })),
  "a proxy of an unknown scheme": clusterOf(({ cluster }) => ({ ...cluster, "proxy-url": "gopher://127.0.0.1:1" })),
  "keys that come twice": ({ cluster }) => ({
    a: config({ test: { token: "t" } }, { test: cluster }).replace('"kind"', '"kind":"Config","kind"'),
  }),
};
