import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { load } from "js-yaml";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { RESOURCES } from "../../src/kubernetes/object.ts";
import { listAll } from "../../src/sync/observe.ts";
import { openAccess } from "../../src/systems/kubernetes/access.ts";
import { controlPlane } from "../../src/systems/kubernetes/controlPlane.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { sharedWorld, type World } from "../sync/world.ts";
import { kubeconfigFile } from "./kubeconfigFile.ts";

type Cluster = Readonly<Record<string, unknown>>;

/** The cluster of the test run, as a kubeconfig describes it. */
function clusterOf({ access }: World): Cluster {
  const { clusters } = load(readFileSync(access.kubeconfig, "utf8")) as {
    readonly clusters: readonly { readonly cluster: Cluster }[];
  };
  return clusters[0]?.cluster ?? {};
}

/** Looks at the API server with this kubeconfig; gives how many namespaced templates there are. */
async function look(kubeconfig: string, namespace: string): Promise<number> {
  const opened = controlPlane(await openAccess({ kubeconfig }));
  return (await listAll(opened, RESOURCES.moduleTemplate, namespace, quietRun())).length;
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "it succeeded",
    (error: unknown) => error,
  );

describe("a kubeconfig", () => {
  it("is a configuration fault if it does not exist or names no cluster", async () => {
    const empty = kubeconfigFile({}, {});
    writeFileSync(empty, "{}");

    expect(await failure(openAccess({ kubeconfig: "/nowhere/kubeconfig" }))).toMatchObject({
      code: "CONFIGURATION",
      message: mentions("kubeconfig", "/nowhere/kubeconfig"),
    });
    expect(await failure(openAccess({ kubeconfig: empty }))).toMatchObject({ code: "CONFIGURATION" });
  });

  it("is refused with a list of its contexts if the requested one is missing", async () => {
    vi.stubEnv("KUBECONFIG", kubeconfigFile({ server: "https://127.0.0.1:1" }, {}));

    expect((await openAccess({ context: "test" })).server).toBe("https://127.0.0.1:1");
    expect(await failure(openAccess({ context: "prod" }))).toMatchObject({
      code: "CONFIGURATION",
      message: mentions("context prod", "test", "KUBECONFIG"),
    });
    vi.stubEnv("KUBECONFIG", "/nowhere/kubeconfig");
    expect(await failure(openAccess({ context: "prod" }))).toMatchObject({ code: "CONFIGURATION" });
  });

  it("for inCluster is refused outside of a pod", async () => {
    vi.stubEnv("KUBERNETES_SERVICE_HOST", undefined);

    expect(await failure(openAccess({ inCluster: true }))).toMatchObject({ code: "CONFIGURATION" });
  });

  it("may have an address with a trailing slash", async (context) => {
    const world = await sharedWorld(context);
    const path = kubeconfigFile(
      { ...clusterOf(world), server: `${world.access.server}/` },
      { token: world.access.token },
    );

    expect(await look(path, world.namespace)).toBe(0);
  });

  it("may get its token from a program", async (context) => {
    const world = await sharedWorld(context);
    const apiVersion = "client.authentication.k8s.io/v1";
    const credential = { apiVersion, kind: "ExecCredential", status: { token: world.access.token } };
    const exec = { apiVersion, command: "echo", args: [JSON.stringify(credential)], interactiveMode: "Never" };

    expect(await look(kubeconfigFile(clusterOf(world), { exec }), world.namespace)).toBe(0);
  });

  it("is read again if its token is no longer accepted", async (context) => {
    const world = await sharedWorld(context);
    const path = kubeconfigFile(clusterOf(world), { token: "rotated away" });
    const opened = controlPlane(await openAccess({ kubeconfig: path }));
    const renewed = readFileSync(path, "utf8").replace("rotated away", world.access.token);
    writeFileSync(path, renewed);

    expect(await listAll(opened, RESOURCES.moduleTemplate, world.namespace, quietRun())).toEqual([]);
  });

  it("is refused with the name of the context if its program fails", async (context) => {
    const world = await sharedWorld(context);
    const exec = { apiVersion: "client.authentication.k8s.io/v1", command: "false", interactiveMode: "Never" };

    expect(await failure(look(kubeconfigFile(clusterOf(world), { exec }), world.namespace))).toMatchObject({
      code: "CLUSTER_UNAUTHORIZED",
      message: mentions("credentials", "context test"),
    });
  });

  it("with a wrong certificate authority fails without a retry", async (context) => {
    const world = await sharedWorld(context);
    const { server } = clusterOf(world);

    expect(
      await failure(look(kubeconfigFile({ server }, { token: world.access.token }), world.namespace)),
    ).toMatchObject({
      code: "CLUSTER_UNREACHABLE",
      retry: false,
      message: expect.stringContaining(world.access.server) as string,
    });
  });
});

describe("a proxy", () => {
  it("of the kubeconfig is used", async (context) => {
    const world = await sharedWorld(context);
    const asked: string[] = [];
    const proxy = createServer().on("connect", ({ url = "" }: { url?: string }, client, head: Buffer) => {
      asked.push(url);
      const [host, port] = url.split(":");
      const upstream = connect(Number(port), host, () => {
        client.write("HTTP/1.1 200 OK\r\n\r\n");
        upstream.write(head);
        upstream.pipe(client).pipe(upstream);
      });
      upstream.on("error", () => client.destroy());
      client.on("error", () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => {
      proxy.closeAllConnections();
      proxy.close();
    });
    const { port } = proxy.address() as AddressInfo;
    const cluster = { ...clusterOf(world), "proxy-url": `http://127.0.0.1:${port}` };

    expect(await look(kubeconfigFile(cluster, { token: world.access.token }), world.namespace)).toBe(0);
    expect(asked).toEqual([world.access.server.replace("https://", "")]);
  });

  it("of another kind is a configuration fault", async (context) => {
    const world = await sharedWorld(context);
    const cluster = { ...clusterOf(world), "proxy-url": "socks5://127.0.0.1:1" };

    expect(await failure(look(kubeconfigFile(cluster, { token: "t" }), world.namespace))).toMatchObject({
      code: "CONFIGURATION",
    });
  });

  it("in the environment is ignored", async (context) => {
    const world = await sharedWorld(context);
    for (const name of ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "ALL_PROXY"])
      vi.stubEnv(name, "http://127.0.0.1:1");

    expect(await look(world.access.kubeconfig, world.namespace)).toBe(0);
  });
});
