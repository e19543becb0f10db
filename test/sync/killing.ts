import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { onTestFinished } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { namedTemplates } from "../../src/kubernetes/releaseMeta.ts";
import { filesOf, type Sample } from "./catalogueFiles.ts";
import { pathOf, type WatchEvent } from "./outside.ts";
import { eventually, type World } from "./world.ts";
import { COMPILE_CACHE } from "../support/compileCache.ts";

/** A watch of all changes of templates and release metas. */
export interface Witness {
  /** The number of events so far. */
  readonly seen: () => number;
  /** Stops after all events; returns each moment at which a release meta named an absent template. */
  readonly testimony: () => Promise<readonly string[]>;
}

/** Starts to watch the world as another client. */
export async function watchFromOutside({ outside, namespace }: World): Promise<Witness> {
  const stop = new AbortController();
  const events: WatchEvent[] = [];
  const paths = (["templates", "metas"] as const).map(async (kind) => {
    const list = await outside.must("GET", pathOf(kind, namespace));
    return `${pathOf(kind, namespace)}?watch=true&resourceVersion=${list.metadata.resourceVersion ?? ""}`;
  });
  const watching = (await Promise.all(paths)).map(async (path) => {
    try {
      for await (const event of outside.stream(path, stop.signal)) events.push(event);
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    }
  });
  return {
    seen: () => events.length,
    testimony: async () => {
      const sentinel = { apiVersion: "operator.kyma-project.io/v1beta2", metadata: { name: "sentinel" } };
      await outside.must("POST", pathOf("templates", namespace), { ...sentinel, kind: "ModuleTemplate" });
      await outside.must("POST", pathOf("metas", namespace), { ...sentinel, kind: "ModuleReleaseMeta" });
      await eventually(() => events.filter(({ object }) => object.metadata.name === "sentinel").length === 2);
      stop.abort();
      await Promise.all(watching);
      return findAbsent(events);
    },
  };
}

/** Both kinds are in one etcd, so their resourceVersions have a common order. */
function findAbsent(events: readonly WatchEvent[]): readonly string[] {
  const live = new Map<string, KubernetesObject>();
  return events
    .toSorted((a, b) => Number(a.object.metadata.resourceVersion) - Number(b.object.metadata.resourceVersion))
    .flatMap(({ type, object }) => {
      const { name } = object.metadata;
      if (type === "DELETED") live.delete(`${object.kind} ${name}`);
      else live.set(`${object.kind} ${name}`, object);
      const metas = [...live.values()].filter(({ kind }) => kind === "ModuleReleaseMeta");
      return metas.flatMap((meta) =>
        namedTemplates(meta)
          .filter((template) => !live.has(`ModuleTemplate ${template}`))
          .map((template) => `${meta.metadata.name} named ${template} after ${type} ${name}`),
      );
    });
}

/** A folder with the files of a repository, and the program, which syncs them with pruning. */
export interface Repository {
  readonly write: (sample: Sample) => void;
  /** Runs the program to its end, or kills it as soon as `isTime`; returns whether it was killed. */
  readonly sync: (isTime: () => boolean) => Promise<boolean>;
}

const MAIN = join(import.meta.dirname, "../../src/cli/main.ts");

/** A repository for the world's control plane; removed with the test. */
export function repositoryFor({ access, namespace, outside }: World): Repository {
  // A killed sync leaves its Lease behind, which expires 15 s later.
  const endLease = (): Promise<unknown> =>
    outside.send("DELETE", `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases/kyma-modules`);
  const folder = mkdtempSync(join(tmpdir(), "kyma-modules-killed-"));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    write: (sample) => {
      for (const [path, text] of filesOf({ ...sample, kubeconfig: access.kubeconfig, namespace })) {
        mkdirSync(dirname(join(folder, path)), { recursive: true });
        writeFileSync(join(folder, path), text);
      }
    },
    sync: (isTime) =>
      new Promise((resolve, reject) => {
        const options = ["--worktree", "--prune", "--max-prune", "1000"];
        const args = [MAIN, "sync", "dev", "--repo", folder, ...options];
        const child = spawn(process.execPath, args, {
          env: { PATH: process.env["PATH"], ...COMPILE_CACHE },
          stdio: ["ignore", "pipe", "pipe"],
        });
        let said = "";
        child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
        child.stderr.on("data", (chunk: Buffer) => (said += chunk.toString()));
        const looking = setInterval(() => {
          if (isTime()) child.kill("SIGKILL");
        }, 1);
        child.on("close", (code, signal) => {
          clearInterval(looking);
          if (signal === "SIGKILL") resolve(endLease().then(() => true));
          else if (code === 0) resolve(false);
          else reject(new Error(`sync ended with ${code ?? signal ?? ""}: ${said}`));
        });
      }),
  };
}

/** Random numbers below 1, the same for the same seed. */
export function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A repository in which each of `count` modules has this version in one channel, and the previous one in the other. */
export function sampleOf(count: number, version: number): Sample {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  const modules = Array.from({ length: count }, (_, index) => {
    const [first = "", second = ""] = [letters[index % 26], letters[Math.floor(index / 26)]];
    return `module-${first}${first}${second}`;
  });
  const channel = (served: number): Readonly<Record<string, string>> =>
    Object.fromEntries(modules.map((module) => [module, `1.${Math.max(served, 0)}.0`]));
  return { channels: { fast: channel(version), regular: channel(version - 1) } };
}
