import { check } from "../../src/check/check.ts";
import type { ExampleFiles } from "../../src/check/example.ts";
import type { Facts } from "../../src/check/facts.ts";
import type { Outside } from "../../src/check/gather/outside.ts";
import { Fault, type FaultCode, type Links, type Registry, type Releases, type Run } from "../../src/ports.ts";
import { quietRun } from "../support/quietRun.ts";
import { filesWith, NOW_MS, sourceOf } from "./exampleWorld.ts";
import { NO_HISTORY } from "../support/noHistory.ts";

/** What answers instead of nothing. */
export interface Ports {
  readonly registry?: Partial<Registry>;
  readonly links?: Links;
  readonly releases?: Releases;
  readonly server?: NonNullable<Outside["server"]>;
}

/** Ports that have nothing, but for these. */
export function asked({ registry, links, releases, server }: Ports = {}): Outside {
  const nothing: Registry = {
    digestOf: () => Promise.resolve(undefined),
    component: () => Promise.resolve(undefined),
    hasLayer: () => Promise.resolve(false),
  };
  return {
    kind: "asked",
    registry: () => Promise.resolve({ ...nothing, ...registry }),
    links: () => Promise.resolve(links ?? { download: () => Promise.resolve(undefined) }),
    releases: () => Promise.resolve(releases ?? { tagExists: () => Promise.resolve(true) }),
    ...(server && { server }),
  };
}

/** What was gathered for a change of the sample. */
export async function gathered(
  change: ExampleFiles,
  outside: Outside,
  base: ExampleFiles = {},
  run: Run = quietRun(),
): Promise<Facts> {
  const [before, after] = [filesWith(base), filesWith(base, change)];
  const people = { author: undefined, approvedBy: [], teams: new Map() };
  const { context } = await check(
    { head: sourceOf(after), base: sourceOf(before), paths: Object.keys(change), people, rules: [] },
    {
      clock: { nowMs: () => NOW_MS, pause: () => Promise.resolve() },
      validator: { judge: () => Promise.resolve([]), close: () => Promise.resolve() },
      history: NO_HISTORY,
      outside,
    },
    run,
  );
  return context.facts;
}

/** A port that fails with this code. */
export const failing =
  (code: FaultCode): (() => Promise<never>) =>
  () =>
    Promise.reject(new Fault(code, "It broke. Repair it."));
/** An unknown fact. */
export const unknown = (why: unknown): object => ({ kind: "unknown", why });
/** A known fact. */
export const known = (value: unknown): object => ({ kind: "known", value });
