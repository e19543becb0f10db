import { expect } from "vitest";
import type { RunningModule } from "../sync/fleet.ts";
import { kymaIn } from "./promoting.ts";
import { documentOf, type Item, type TwoLandscapes } from "./syncing.ts";

/** What `rollout` says. */
export interface Looked {
  readonly code: number | null;
  readonly text: string;
  readonly items: readonly Item[];
  /** The versions of the first landscape. */
  readonly versions: readonly Item[];
}

/** What `rollout` says as text of 80 columns and as JSON, which its schema accepted; both end with one exit code. */
export async function rollout(
  { repository }: Pick<TwoLandscapes, "repository">,
  ...args: readonly string[]
): Promise<Looked> {
  const text = await kymaIn(repository.path, ["rollout", ...args]);
  const json = await kymaIn(repository.path, ["rollout", ...args, "--format", "json"]);
  expect(json.code).toBe(text.code);
  const { items } = documentOf("rollout", json.stdout);
  return { code: text.code, text: text.stdout, items, versions: (items[0]?.["versions"] ?? []) as readonly Item[] };
}

/** The module certs of a Kyma, with this version. */
export const running = (version: string | undefined, said: Partial<RunningModule> = {}): readonly RunningModule[] => [
  { name: "certs", channel: "fast", version, ...said },
];

/** A kubeconfig of an API server that cannot be reached. */
export const NOWHERE: object = {
  ...{ apiVersion: "v1", kind: "Config", "current-context": "a" },
  clusters: [{ name: "a", cluster: { server: "http://127.0.0.1:9" } }],
  users: [],
  contexts: [{ name: "a", context: { cluster: "a", user: "" } }],
};
