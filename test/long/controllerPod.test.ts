import { rmSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, it, type TestContext } from "vitest";
import { servedIn, serving } from "../cli/syncing.ts";
import { temporaryFolder } from "../house/clone.ts";
import { openOutside, type Outside } from "../sync/outside.ts";
import { startRelay } from "../sync/relay.ts";
import { eventually, installKinds, sharedWorld, worldIn, type World } from "../sync/world.ts";
import { readKubeconfig } from "../systems/embedded/apiClient.ts";
import { kubeconfigFile } from "../systems/kubeconfigFile.ts";
import { kubectl, openSite, type Site } from "./pod/site.ts";

const folder = temporaryFolder();
let site: Site | { readonly skipped: string } = { skipped: "it was not opened" };

beforeAll(async () => {
  site = await openSite(folder);
});

afterAll(async () => {
  if ("close" in site) await site.close();
  rmSync(folder, { recursive: true });
});

/** The site, or the reason to skip a test. */
function open(context: TestContext): Site {
  return "skipped" in site ? context.skip(site.skipped) : site;
}

describe("install, applied by kubectl to a node that runs pods", () => {
  it("syncs another control plane with exactly the printed rights", async (context) => {
    const { kubeconfig, hostAddress, host } = open(context);
    const world = await sharedWorld(context);
    const { namespace, access } = world;
    const controller = await host("kyma-system", { controlPlane: { context: "test" }, namespace });
    controller.commit(serving("1.0.0"));
    await kubectl(access.kubeconfig, ["apply", "-f", "-"], await controller.install("--part", "target"));
    const token = await kubectl(access.kubeconfig, ["create", "token", "-n", namespace, "kyma-modules"]);
    const secret = `--from-file=kubeconfig=${await podKubeconfig(world, token, hostAddress)}`;
    await controller.kubectl("create", "secret", "generic", "kyma-modules-kubeconfig", secret);
    await kubectl(kubeconfig, ["apply", "-f", "-"], await controller.install("--part", "host"));
    await controller.rolledOut();
    await serves(world, "1.0.0");

    controller.commit(serving("1.1.0"));
    await controller.announcePush();
    await serves(world, "1.1.0");
    await expectPrintedRights(openOutside({ ...access, token }), world);

    const leader = await leaderOf(world);
    const startedMs = Date.now();
    await controller.kubectl("delete", "pod", "--wait=false", leader);
    await eventually(async () => !["", leader].includes(await leaderOf(world)));
    // A Lease that is not released expires after 15 seconds.
    expect(Date.now() - startedMs).toBeLessThan(10_000);
    await controller.rolledOut();
    await expect(controller.kubectl("exec", await leaderOf(world), "--", "sh", "-c", ": > /opt/any")).rejects.toThrow(
      /Read-only file system/,
    );
  });

  it("syncs its own cluster with --in-cluster", async (context) => {
    const { kubeconfig, host } = open(context);
    const world = await worldIn("own", { kubeconfig, ...readKubeconfig(kubeconfig) });
    await installKinds(world.outside);
    const controller = await host("own", { controlPlane: { context: "of people" }, namespace: "own" });
    controller.commit(serving("1.0.0"));
    await kubectl(kubeconfig, ["apply", "-f", "-"], await controller.install("--in-cluster"));
    await controller.rolledOut();
    await serves(world, "1.0.0");
  });
});

async function serves(world: World, version: string): Promise<void> {
  await eventually(async () => (await servedIn(world, "certs"))["fast"] === version);
}

/** The pod that holds the Lease, from the holder without the prefix of controllers. */
async function leaderOf({ outside, namespace }: World): Promise<string> {
  const path = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/kyma-modules`;
  const { holderIdentity = "" } = (await outside.must("GET", path))["spec"] as { readonly holderIdentity?: string };
  return holderIdentity.split("_")[1] ?? "";
}

/** A kubeconfig with which a pod reaches the API server of the tests, which listens only on this machine. */
async function podKubeconfig(
  { access: { server, kubeconfig } }: World,
  token: string,
  hostAddress: string,
): Promise<string> {
  const relay = await startRelay(hostAddress);
  relay.to(Number(new URL(server).port));
  const cluster = {
    server: `https://${hostAddress}:${relay.port}`,
    "tls-server-name": "kubernetes",
    "certificate-authority-data": Buffer.from(readKubeconfig(kubeconfig).ca).toString("base64"),
  };
  return kubeconfigFile(cluster, { token });
}

/** The rules that an account has in one namespace but not in another: exactly those of its Role. */
async function expectPrintedRights(account: Outside, { outside, namespace }: World): Promise<void> {
  const role = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/roles/kyma-modules`;
  const { rules } = (await outside.must("GET", role)) as { readonly rules?: readonly object[] };
  const elsewhere = await rightsOf(account, "default");

  const added = (await rightsOf(account, namespace)).filter((right) => !elsewhere.includes(right));
  expect(added.toSorted()).toEqual(rules?.map(textOf).toSorted());
  expect(elsewhere.join()).not.toMatch(/secrets|pods|configmaps|operator\.kyma-project\.io|"\*"/);
  for (const resource of ["secrets", "pods", "configmaps"])
    expect(await account.send("GET", `/api/v1/namespaces/${namespace}/${resource}`)).toMatchObject({ status: 403 });
}

async function rightsOf(account: Outside, namespace: string): Promise<readonly string[]> {
  const path = "/apis/authorization.k8s.io/v1/selfsubjectrulesreviews";
  const { status } = await account.must("POST", path, { spec: { namespace } });
  return (status as { readonly resourceRules: readonly object[] }).resourceRules.map(textOf);
}

/** A text that is equal for equal rules, independent of the order of their fields. */
function textOf(rule: object): string {
  return JSON.stringify(Object.entries(rule).toSorted());
}
