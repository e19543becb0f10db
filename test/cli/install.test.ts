import { rmSync } from "node:fs";
import { describe, expect, it, onTestFinished } from "vitest";
import { readYamlStream } from "../../src/document/yaml/stream.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { filesOf } from "../sync/catalogueFiles.ts";
import { collectionOf, signIn } from "../sync/users.ts";
import { eventually, sharedWorld, type World } from "../sync/world.ts";
import { mentions } from "../support/mentions.ts";
import { folderWith, run, type Ended } from "./program.ts";
import { SAMPLE, serving } from "./syncing.ts";

/** A catalogue with these landscapes. */
function folderOf(landscapes: readonly object[]): string {
  const folder = folderWith(filesOf({ ...SAMPLE, settings: { landscapes, forge: { kind: "none" } } }));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  return folder;
}

const AWAITS = { landscape: "dev", soak: "1h" };
const LANDSCAPES = [
  { name: "dev", controlPlane: { context: "kcp-dev" } },
  { name: "elsewhere", controlPlane: { inCluster: true }, namespace: "kyma-objects", after: AWAITS },
];
const GIT = ["--git", "https://git.example.com/name"];

function install(folder: string, ...args: readonly string[]): Promise<Ended> {
  return run(["install", "--repo", folder, ...args]);
}

/** The objects of the documents that were printed. */
function objectsIn({ code, stdout, stderr }: Ended): readonly KubernetesObject[] {
  expect([code, stderr]).toEqual([0, ""]);
  const { files, findings } = readYamlStream("stdout", Buffer.from(stdout));
  expect(findings).toEqual([]);
  return files.map(({ value }) => value as KubernetesObject);
}

const named = ({ kind, metadata: { name, namespace = "" } }: KubernetesObject): string =>
  `${namespace} ${kind} ${name}`;

describe("install", () => {
  it("prints the target part, then the host part, with the purpose of each object", async () => {
    const folder = folderOf(LANDSCAPES);
    const printed = await install(folder, "dev", ...GIT, "--service-monitor");

    expect(objectsIn(printed).map(named)).toEqual([
      ...["ServiceAccount", "Role", "RoleBinding"].map((kind) => `kcp-system ${kind} kyma-modules`),
      ...["ServiceAccount", "Deployment", "Service", "NetworkPolicy", "PodDisruptionBudget", "ServiceMonitor"].map(
        (kind) => `kyma-system ${kind} kyma-modules`,
      ),
    ]);
    expect(printed.stdout.match(/^---\n# .*\n/gm)).toHaveLength(9);
    expect((await install(folder, "dev", ...GIT, "--service-monitor")).stdout).toBe(printed.stdout);
  });

  it("prints one part, by default for all landscapes", async () => {
    const folder = folderOf(LANDSCAPES);
    const parts = await Promise.all([
      install(folder, "--part", "target"),
      install(folder, "dev", "--part", "host", ...GIT),
      install(folder, "--one-shot"),
      install(folder, "--reader"),
    ]);
    const [targets = [], host = [], oneShot = [], reader = []] = parts.map((part) => objectsIn(part).map(named));

    expect(targets.filter((name) => name.includes(" Role "))).toEqual([
      "kcp-system Role kyma-modules",
      "kyma-objects Role kyma-modules",
    ]);
    expect(host.filter((name) => !name.startsWith("kyma-system "))).toEqual([]);
    expect(oneShot.filter((name) => name.includes(" Role "))).toEqual([
      "kcp-system Role kyma-modules-ci",
      "kyma-objects Role kyma-modules-ci",
    ]);
    expect(reader.filter((name) => name.includes(" Role "))).toEqual(["kcp-system Role kyma-modules-reader"]);
  });

  it("prints the same as a JSON List, which kubectl reads", async () => {
    const folder = folderOf(LANDSCAPES);
    const [yaml, json] = await Promise.all([
      install(folder, "elsewhere", "--in-cluster", ...GIT),
      install(folder, "elsewhere", "--in-cluster", ...GIT, "--format", "json"),
    ]);

    expect(JSON.parse(json.stdout)).toEqual({ apiVersion: "v1", kind: "List", items: objectsIn(yaml) });
  });

  it.each<readonly [args: readonly string[], message: RegExp]>([
    [["nowhere", ...GIT], /landscape nowhere\b.*\bdev, elsewhere\b/],
    [["--in-cluster", ...GIT], /--in-cluster .*\b2\b/],
    [["dev"], /--git URL/],
    [["dev", "--part", "host"], /--git URL/],
    [["dev", "--git", "http://git.example.com/name"], /by https or ssh/],
    [["dev", "--git", "https://token@git.example.com/name"], /--git-secret/],
    [["dev", "--git", "git@git.example.com:name"], /known_hosts/],
    [["elsewhere", ...GIT], /--in-cluster/],
    [["dev", ...GIT, "--publish"], /--git-secret/],
    [["dev", ...GIT, "--namespace", "Bad_NS"], /--namespace "Bad_NS"/],
    [["dev", ...GIT, "--image", "a b"], /--image "a b"/],
    [["dev", ...GIT, "--branch=-x"], /--branch "-x"/],
    [["dev", ...GIT, "--webhook-secret", "A b"], /--webhook-secret "A b"/],
    [["dev", "--one-shot", "--kymas"], /--kymas .*--reader/],
    [["dev", "--reader", "--one-shot"], /cannot be used with/],
    [["dev", "--reader", "--part", "host"], /cannot be used with/],
  ])("refuses %j", async (args, message) => {
    const { code, stdout, stderr } = await install(folderOf(LANDSCAPES), ...args);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it("names the landscape of an in-cluster pod, so that it keeps no later one", async () => {
    const { stdout } = await install(folderOf(LANDSCAPES.slice(0, 1)), "--in-cluster", ...GIT, "--format", "json");

    expect(stdout.replaceAll(/\s/g, "")).toContain('"sync","--watch","dev",');
    expect(stdout).toContain('"--in-cluster"');
  });

  it("says that no landscape needs a reader", async () => {
    const { code, stderr } = await install(folderOf(LANDSCAPES.slice(0, 1)), "--reader");

    expect([code, stderr]).toEqual([2, mentions("No landscape", "kyma-modules.yaml", "waits")]);
  });

  it("prints nothing if the catalogue is broken", async () => {
    const folder = folderWith(new Map([["kyma-modules.yaml", "format: 1\nlandscapes: 5\n"]]));
    onTestFinished(() => {
      rmSync(folder, { recursive: true });
    });

    expect(await install(folder, ...GIT)).toMatchObject({ code: 1, stdout: "" });
  });
});

/** What the API server of the tests says to these objects, without making them. */
async function dryRun({ outside, namespace }: World, objects: readonly KubernetesObject[]): Promise<readonly string[]> {
  const answers = objects.map(async (object) => {
    const path = `${collectionOf(object, namespace)}?dryRun=All&fieldValidation=Strict`;
    const { status, body } = await outside.send("POST", path, object);
    return status === 201 ? [] : [`${named(object)}: ${JSON.stringify(body)}`];
  });
  return (await Promise.all(answers)).flat();
}

/** Every document there is, but the ServiceMonitor, whose kind is no part of Kubernetes. */
async function everything(world: World): Promise<readonly KubernetesObject[]> {
  const { namespace } = world;
  const folder = folderOf([
    { name: "dev", controlPlane: { context: "kcp-dev" }, namespace },
    { name: "elsewhere", controlPlane: { inCluster: true }, namespace },
  ]);
  const secrets = ["--git-secret", "git", "--webhook-secret", "hook", "--namespace", namespace];
  const printed = await Promise.all([
    install(folder, "dev", ...GIT, ...secrets, "--publish"),
    install(folder, "dev", "--git", "git@git.example.com:name", "--branch", "release", ...secrets),
    install(folder, "elsewhere", "--in-cluster", ...GIT, ...secrets, "--kubeconfig-secret", "records"),
    install(folder, "dev", "--reader", "--kymas"),
    install(folder, "dev", "--one-shot"),
  ]);
  return printed.flatMap(objectsIn);
}

describe("the printed manifests", () => {
  it("are accepted by a real API server, without unknown fields", async (context) => {
    const world = await sharedWorld(context);

    expect(await dryRun(world, await everything(world))).toEqual([]);
  });

  it("have a pod that the Pod Security Standard restricted admits", async (context) => {
    const world = await sharedWorld(context);
    const labels = { "pod-security.kubernetes.io/enforce": "restricted" };
    await world.outside.must("PATCH", `/api/v1/namespaces/${world.namespace}`, { metadata: { labels } }, "merge-patch");
    const deployments = (await everything(world)).filter(({ kind }) => kind === "Deployment");
    const pods = deployments.map((deployment): KubernetesObject => {
      const { template } = deployment["spec"] as { readonly template: { readonly spec: object } };
      return { apiVersion: "v1", kind: "Pod", metadata: { name: "controller" }, spec: template.spec };
    });
    const privileged = pods.map((pod) => ({ ...pod, spec: { ...(pod["spec"] as object), hostNetwork: true } }));
    const refusals = async (): Promise<number> =>
      (await dryRun(world, privileged)).filter((said) => said.includes("PodSecurity")).length;

    await eventually(async () => (await refusals()) === 3);
    expect(await dryRun(world, pods)).toEqual([]);
  });
});

describe("the account that install --one-shot prints", () => {
  it("can plan and sync", async (context) => {
    const world = await sharedWorld(context);
    const landscape = { name: "dev", namespace: world.namespace, lifecycleManager: "version-templates" };
    const printing = folderOf([{ ...landscape, controlPlane: { context: "kcp-dev" } }]);
    const { kubeconfig } = await signIn(objectsIn(await install(printing, "dev", "--one-shot")), world);
    const settings = { landscapes: [{ ...landscape, controlPlane: { kubeconfig } }], forge: { kind: "none" } };
    const states = ["1.0.0", "1.1.0"].map((version) => folderWith(filesOf({ ...serving(version), settings })));
    onTestFinished(() => {
      for (const folder of states) rmSync(folder, { recursive: true });
    });

    for (const folder of states)
      for (const args of [["plan"], ["sync", "--prune"], ["plan", "--exit-code"]])
        expect(await run([...args, "dev", "--repo", folder, "--worktree"])).toMatchObject({ code: 0 });
    expect(await world.read("templates", "certs-1.1.0")).toBeDefined();
    expect(await world.read("templates", "certs-1.0.0")).toBeUndefined();
  });
});
