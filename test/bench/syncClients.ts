import { cpSync, existsSync } from "node:fs";
import { join } from "node:path";
import { findOnPath } from "../../src/systems/environment.ts";
import { SAMPLE_LANDSCAPE } from "./sampleCatalogue.ts";
import { runToEnd, type Program } from "./wholeProcess.ts";
import { ROOT, type Workbench } from "./workbench.ts";

/** Who applies. Flux stands for its library, which kustomize-controller applies with. */
export type Client = "sync" | "kubectl" | "flux";
/** Into an empty namespace; once more; and after others edited one template in a hundred. */
export const TURNS = ["first", "second", "drift"] as const;
/** One of them. */
export type Turn = (typeof TURNS)[number];

/** What a client applies, in a namespace of its own. */
export interface Prepared {
  readonly namespace: string;
  /** A folder with a file for each object. */
  readonly manifests: string;
}

interface ClientStage extends Pick<Workbench, "folder" | "say" | "signal"> {
  readonly plane: { readonly kubeconfig: string };
  readonly catalogue: string;
}

/** How a client applies what was prepared for it; `namespace` is its own. */
export type ClientProgram = (prepared: Prepared) => Program;

/** The folder is in no Git repository and has no registry, and no soak waits. */
const OPTIONS = ["--worktree", "--without-registry", "--now", "--reason", "it is a benchmark", "--format", "json"];

/** The clients that this machine has. */
export async function clientsOf(stage: ClientStage): Promise<ReadonlyMap<Client, ClientProgram>> {
  const flux = await buildFlux(stage);
  return new Map<Client, ClientProgram>([
    ["sync", () => syncProgram(stage)],
    ["kubectl", ({ manifests }) => applyProgram(stage, manifests)],
    ...(flux === undefined
      ? []
      : [["flux", ({ manifests }: Prepared) => fluxProgram(flux, stage, manifests)] as const]),
  ]);
}

function syncProgram({ catalogue, folder }: Pick<ClientStage, "catalogue" | "folder">): Program {
  const main = join(ROOT, "src", "cli", "kyma-modules.js");
  const args = [main, "sync", SAMPLE_LANDSCAPE, "--repo", catalogue, ...OPTIONS];
  return { program: process.execPath, args, cwd: ROOT, env: { NODE_COMPILE_CACHE: join(folder, "compile-cache") } };
}

function applyProgram({ folder, plane }: Pick<ClientStage, "folder" | "plane">, manifests: string): Program {
  const flags = ["--kubeconfig", plane.kubeconfig, "--cache-dir", join(folder, "kubectl-cache")];
  // Once others edited something, kubectl wants to be told that it may put it back.
  const args = [...flags, "apply", "--server-side", "--force-conflicts", "-f", manifests];
  return { program: "kubectl", args, cwd: ROOT };
}

function fluxProgram(flux: string, { plane }: Pick<ClientStage, "plane">, manifests: string): Program {
  return { program: flux, args: ["-kubeconfig", plane.kubeconfig, "-dir", manifests, "-phase", "noop"], cwd: ROOT };
}

/** Flux's library in a small program, where the sources of that lie beside this repository and there is Go. */
async function buildFlux({
  folder,
  say,
  signal,
}: Pick<ClientStage, "folder" | "say" | "signal">): Promise<string | undefined> {
  const sources = join(ROOT, "..", "shared", "peer-bench", "ssa-bench");
  const go = await findOnPath("go", process.env);
  const isThere = existsSync(sources) && go !== undefined;
  if (!isThere) {
    say("sync: without Flux: its program is not beside this repository, or there is no go");
    return undefined;
  }
  const copy = join(folder, "ssa-bench");
  if (existsSync(join(copy, "ssa-bench"))) return join(copy, "ssa-bench");
  say("sync: building a program with Flux's library");
  cpSync(sources, copy, { recursive: true });
  for (const args of [
    ["mod", "tidy"],
    ["build", "-o", "ssa-bench", "."],
  ])
    await runToEnd({ program: go, args, cwd: copy, env: { GOFLAGS: "-buildvcs=false" } }, signal);
  return join(copy, "ssa-bench");
}

/** How many objects a client says that it made, found unchanged, or put back; kubectl says the same of all. */
export const COUNTS: Readonly<Record<Client, (stdout: string, turn: Turn) => number>> = {
  sync: (stdout, turn) => countObjects(stdout, { first: "create", second: "unchanged", drift: "change" }[turn]),
  kubectl: (stdout) => stdout.split("\n").filter((line) => line.endsWith("serverside-applied")).length,
  flux: (stdout, turn) => {
    const { actions } = JSON.parse(stdout) as { readonly actions: Readonly<Record<string, number>> };
    return actions[{ first: "created", second: "unchanged", drift: "configured" }[turn]] ?? 0;
  },
};

/** Entries are items as well, and are of the objects that hold them. */
function countObjects(stdout: string, kind: string): number {
  const { items } = JSON.parse(stdout) as { readonly items: readonly { readonly kind: string; object?: object }[] };
  return items.filter((item) => item.object !== undefined && item.kind === kind).length;
}
