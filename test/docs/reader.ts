import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "vitest";
import { parse } from "../../src/catalogue/parse.ts";
import { openSource } from "../../src/cli/compose/compose.ts";
import { clock } from "../../src/cli/compose/systems.ts";
import { startEmbedded } from "../../src/cli/compose/demo.ts";
import { isOfCatalogue } from "../../src/catalogue/paths.ts";
import { lifecycleManagerDefinitions } from "../../src/kubernetes/customResourceDefinition.ts";
import { installPrerequisites } from "../../src/sync/prerequisites.ts";
import { findOnPath } from "../../src/systems/environment.ts";
import { root, temporaryFolder } from "../house/clone.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { quietRun } from "../support/quietRun.ts";
import { folderAt } from "../systems/repository.ts";
import { openTerminal, type Terminal } from "./terminal.ts";

/** Where the sample was committed: so long ago that every soak has passed. */
const COMMITTED_MS = Date.UTC(2026, 4, 4, 10);

/** The terminals of a reader who follows a page, by their names. */
export type Terminals = (name: string) => Terminal;

/** A clone of the sample, with what it was cloned from beside it. */
export function cloneOfSample(context: TestContext): string {
  const folder = temporaryFolder();
  context.onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const clone = folderAt(join(folder, "kyma-modules"));
  mkdirSync(clone.path);
  clone.git("init", "--quiet", "--initial-branch=main");
  for (const name of ["kyma-modules.yaml", "channels", "modules", ".github", "test/sample"])
    cpSync(join(root, name), join(clone.path, name), { recursive: true });
  clone.commit("Begin the catalogue", COMMITTED_MS);
  clone.git("clone", "--quiet", "--bare", ".", "../origin.git");
  clone.git("remote", "add", "origin", "../origin.git");
  clone.git("fetch", "--quiet", "origin");
  clone.git("branch", "--quiet", "--set-upstream-to=origin/main");
  return clone.path;
}

/** Opens terminals in `folder`, each when it is first asked for. */
export function terminalsIn(
  folder: string,
  environment: Readonly<Record<string, string>>,
  context: TestContext,
): Terminals {
  const opened = new Map<string, Terminal>();
  context.onTestFinished(() => {
    for (const terminal of opened.values()) terminal.close();
  });
  return (name) => {
    const terminal = opened.get(name) ?? openTerminal(folder, environment);
    opened.set(name, terminal);
    return terminal;
  };
}

/** Starts an empty control plane for each of these landscapes, as lifecycle-manager would leave it; gives their kubeconfig. */
export async function controlPlanes(names: readonly string[], clone: string, context: TestContext): Promise<string> {
  const { files } = await openSource(clone, undefined).snapshot(isOfCatalogue, quietRun());
  const parsing = parse(undefined, files);
  if (parsing.kind === "refused") throw new Error("the sample is broken");
  const landscapes = parsing.catalogue.settings.landscapes.filter(({ name }) => names.includes(name));
  const options = { data: undefined, progress: () => undefined, onIncident: () => undefined };
  const started = await startEmbedded(landscapes, options, quietRun());
  context.onTestFinished(() => started.stop());
  for (const { controlPlane, namespace } of started.landscapes)
    await installPrerequisites(lifecycleManagerDefinitions(), namespace, { controlPlane, clock }, quietRun());
  return started.kubeconfig;
}

/** Skips a page that needs what this machine lacks. */
export async function skipWithout(programs: readonly string[], context: TestContext): Promise<void> {
  if (programs.includes("kube-apiserver")) needControlPlane(context);
  for (const program of programs)
    if (program !== "kube-apiserver" && (await findOnPath(program, process.env)) === undefined)
      context.skip(`no ${program} on the PATH`);
}
