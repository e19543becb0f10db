import { createHmac } from "node:crypto";
import { launch, type Running } from "./program.ts";
import type { TwoLandscapes } from "./syncing.ts";
import { emptyFolder } from "../systems/repository.ts";
import { onTestFinished } from "vitest";
import type { World } from "../sync/world.ts";

/** A controller that follows a repository. */
export interface Watching extends Running {
  /** Where its probes are. */
  readonly address: string;
  /** Waits for a line of its log with these fields; each line counts once. */
  readonly logs: (fields: LogLine) => Promise<LogLine>;
}

/** A line of a log. */
export type LogLine = Readonly<Record<string, unknown>>;

/** By which a push is announced. */
export const HOOK_SECRET = "it is a secret";

/** Starts `sync --watch` on the two landscapes of a test, with a cache of its own; it is ended with the test. */
export async function watching(
  { repository }: Pick<TwoLandscapes, "repository">,
  ...args: readonly string[]
): Promise<Watching> {
  const cache = emptyFolder();
  const options = ["--listen", "127.0.0.1:0", "--interval", "1h", "--cache", cache.path];
  const running = launch(["sync", "--watch", "--repo", repository.path, ...options, ...args], {
    KYMA_MODULES_WEBHOOK_SECRET: HOOK_SECRET,
  });
  onTestFinished(async () => {
    running.signal("SIGTERM");
    await running.ended;
  });
  const seen: LogLine[] = [];
  let read = 0;
  const readLine = async (): Promise<void> => {
    const [line = ""] = (await running.says(/\n/, read)).split("\n");
    read += line.length + 1;
    seen.push(line.startsWith("{") ? (JSON.parse(line) as LogLine) : { said: line });
  };
  const logs = async (fields: LogLine): Promise<LogLine> => {
    for (;;) {
      const index = seen.findIndex((line) => has(line, fields));
      const [found] = index === -1 ? [] : seen.splice(index, 1);
      if (found !== undefined) return found;
      await readLine();
    }
  };
  const { address } = await logs({ message: "controller started" });
  return { ...running, address: String(address), logs };
}

/** All lines of its log so far. */
export async function linesOf({ says }: Pick<Running, "says">): Promise<readonly LogLine[]> {
  const lines = (await says(/(?:)/)).split("\n").slice(0, -1);
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as LogLine);
}

function has(line: LogLine, fields: LogLine): boolean {
  return Object.entries(fields).every(([name, value]) =>
    value instanceof RegExp ? value.test(String(line[name])) : line[name] === value,
  );
}

/** Tells a controller by GitHub's webhook that the branch moved. */
export async function announcePush(address: string): Promise<number> {
  const body = JSON.stringify({ ref: "refs/heads/main", after: "0".repeat(40) });
  const signature = `sha256=${createHmac("sha256", HOOK_SECRET).update(body).digest("hex")}`;
  const headers = { "content-type": "application/json", "x-github-event": "push", "x-hub-signature-256": signature };
  return (await fetch(`${address}/hooks/github`, { method: "POST", headers, body })).status;
}

/** Where a ConfigMap of a world is. */
export function configMap({ namespace }: World, name: string): string {
  return `/api/v1/namespaces/${namespace}/configmaps/${name}`;
}

/** What the controller says of a landscape. */
export async function statusIn(world: World): Promise<unknown> {
  return (await world.outside.must("GET", configMap(world, "kyma-modules-status")))["data"];
}

/** The samples of a metric of a controller. */
export async function numbers(address: string, metric: string): Promise<readonly string[]> {
  const text = await (await fetch(`${address}/metrics`)).text();
  return text.split("\n").filter((line) => line.startsWith(`kyma_modules_${metric}`));
}
