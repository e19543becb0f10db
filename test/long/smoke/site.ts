import { rmSync } from "node:fs";
import { afterAll, beforeAll, onTestFinished, type TestContext } from "vitest";
import { type Ended, type Running, start } from "../../cli/program.ts";
import { temporaryFolder } from "../../house/clone.ts";
import { writeManagerImage } from "../../single-node/managerImage.ts";
import { type SingleNode, startSingleNode } from "../../single-node/singleNode.ts";
import { managerImage } from "../../smoke/managedModule.ts";
import { type SampleVersion, writeModule } from "../../smoke/sampleModule.ts";
import { openOutside, type Outside } from "../../sync/outside.ts";
import { folderAt } from "../../systems/repository.ts";

/** A node with the image of the manager of sample modules. */
export interface SmokeSite {
  readonly outside: Outside;
  /** See `startSmoke`. */
  readonly smoke: (module: string, versions: Versions, ...args: readonly string[]) => Running;
  /** See `startSmokeIn`. */
  readonly smokeIn: (repository: string, ...args: readonly string[]) => Running;
  readonly close: () => Promise<void>;
}

/** The version that users have, and the submitted one. */
export type Versions = readonly [older: SampleVersion, newer: SampleVersion];

/** Starts a node for the tests of a file, with more names of the image. The result skips a test if there is no node. */
export function openSmokeSite(...images: readonly string[]): (context: TestContext) => SmokeSite {
  let site: SmokeSite | { readonly skipped: string } = { skipped: "it was not opened" };
  beforeAll(async () => {
    site = await openSite([...["1.0.0", "1.1.0"].map(managerImage), ...images]);
  });
  afterAll(async () => {
    if ("close" in site) await site.close();
  });
  return (context) => ("skipped" in site ? context.skip(site.skipped) : site);
}

async function openSite(images: readonly string[]): Promise<SmokeSite | { readonly skipped: string }> {
  const node = await startSingleNode("node");
  if ("skipped" in node) return node;
  const folder = temporaryFolder();
  const image = await writeManagerImage(folder, images);
  if (typeof image !== "string") {
    await node.stop();
    return image;
  }
  await node.loadImage(image);
  rmSync(folder, { recursive: true });
  return {
    outside: openOutside({ kubeconfig: node.kubeconfigPath }),
    smoke: (...about) => startSmoke(node, ...about),
    smokeIn: (...about) => startSmokeIn(node, ...about),
    close: () => node.stop(),
  };
}

/** Starts `smoke` on a node, for the newer version of a module. */
export function startSmoke(
  node: Pick<SingleNode, "kubeconfigPath">,
  module: string,
  versions: Versions,
  ...args: readonly string[]
): Running {
  return startSmokeIn(node, repositoryOf(module, versions), "--base", "HEAD", "--worktree", ...args);
}

/** Starts `smoke` of a repository, on a node of this name. */
function startSmokeIn(
  { kubeconfigPath }: Pick<SingleNode, "kubeconfigPath">,
  repository: string,
  ...args: readonly string[]
): Running {
  const place = ["--cluster", "context:node", "--yes", "--deadline", "20s"];
  const { LIFECYCLE_MANAGER } = process.env;
  const manager = LIFECYCLE_MANAGER === undefined ? {} : { LIFECYCLE_MANAGER };
  return start(["smoke", "--repo", repository, ...place, ...args], { KUBECONFIG: kubeconfigPath, ...manager });
}

/** A repository whose last commit serves the older version, and whose working tree serves the newer one in `fast`. */
function repositoryOf(module: string, [older, newer]: Versions): string {
  const path = temporaryFolder();
  onTestFinished(() => {
    rmSync(path, { recursive: true });
  });
  const repository = folderAt(path);
  repository.git("init", "--quiet", "--initial-branch=main", "--template=");
  writeModule(repository, module, { "1.0.0": older });
  repository.commit();
  writeModule(repository, module, { "1.0.0": older, "1.1.0": newer });
  return path;
}

/** One path of a report. */
export interface Item {
  readonly from: string | null;
  readonly version: string;
  readonly result: string;
  readonly pods: boolean;
  readonly through: string | null;
  readonly world?: string;
  readonly steps: readonly ItemStep[];
  readonly footprint?: { readonly from?: object; readonly to: object };
}

/** One step of a path. */
export interface ItemStep {
  readonly step: string;
  readonly result: string;
  readonly object?: string;
  readonly said?: string;
  readonly notes?: readonly string[];
}

/** The paths of a report in JSON. */
export function itemsOf({ stdout, stderr }: Ended): readonly Item[] {
  try {
    return (JSON.parse(stdout) as { readonly items: readonly Item[] }).items;
  } catch (cause) {
    throw new Error(stderr + stdout, { cause });
  }
}

/** The step at which a path failed: its name, the object, and the message. */
export function failureOf(item: Item | undefined): readonly (string | undefined)[] {
  const failed = item?.steps.find(({ result }) => result === "failed");
  return [failed?.step, failed?.object, failed?.said];
}

/** The objects of a module on the cluster. */
export async function traces({ must }: Outside, module: string): Promise<readonly string[]> {
  const paths = [
    "/api/v1/namespaces",
    "/api/v1/configmaps",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    "/apis/rbac.authorization.k8s.io/v1/clusterroles",
    "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  ];
  const lists = await Promise.all(paths.map((path) => must("GET", path)));
  const names = lists.flatMap(({ items }) => items as readonly { readonly metadata: { readonly name: string } }[]);
  return names.map(({ metadata }) => metadata.name).filter((name) => name.includes(module) || name.includes("smoke"));
}
