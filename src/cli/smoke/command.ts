import { mergedInto } from "../../check/overlay.ts";
import type { Run, Source } from "../../ports.ts";
import { gatherSmoke, type Gathered } from "../../smoke/gather.ts";
import type { Chosen } from "../../smoke/matrix.ts";
import { pathText } from "../../smoke/path.ts";
import { smoke, verdictOn } from "../../smoke/smoke.ts";
import type { SmokeLimits } from "../../smoke/step.ts";
import type { SmokePorts } from "../compose/smoke.ts";
import { sayUnreadable } from "../loadCatalogue.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { planJson, planText, reportFiles, smokeJson, smokeText, stepLine } from "./report.ts";

/** The arguments of `smoke`. */
export interface SmokeArguments {
  readonly modules: readonly string[];
  /** The revision that the working tree is compared with. */
  readonly base?: string | undefined;
  readonly all: boolean;
  /** Whether the paths are printed only. */
  readonly plan: boolean;
  readonly cluster: string;
  /** Whether clusters may be anywhere. */
  readonly yes: boolean;
  readonly concurrency: number;
  /** Whether also what passed before is run. */
  readonly fresh: boolean;
  /** A folder for reports. */
  readonly report?: string | undefined;
  readonly deadlineMs?: number | undefined;
}

/** `kyma-modules smoke`: whether versions install, and upgrade from every version in service. Gives the exit code. */
export async function smokeCommand(
  arguments_: SmokeArguments,
  ports: SmokePorts,
  output: Output,
  run: Run,
): Promise<number> {
  const { clock } = ports.world;
  const sides = await sidesOf(arguments_, ports, run);
  const gathered = await gatherSmoke({ ...sides, history: ports.history, clock }, run);
  if (gathered.kind === "unreadable") {
    sayUnreadable(gathered.findings, output);
    return EXIT.findings;
  }
  const facts = { revision: gathered.head.revision, decidedAt: clock.nowMs() };
  if (arguments_.plan) {
    output.report({ text: () => planText(gathered.paths), json: () => planJson(gathered.paths, facts) });
    return EXIT.fine;
  }
  return runAll(arguments_, gathered, ports, output, run);
}

async function runAll(
  arguments_: SmokeArguments,
  gathered: Gathered,
  ports: SmokePorts,
  output: Output,
  run: Run,
): Promise<number> {
  const { clock } = ports.world;
  const supply = ports.supply(arguments_.cluster, arguments_.yes);
  const startedMs = clock.elapsedMs();
  try {
    const options = {
      limits: limitsOf(arguments_, supply.pods),
      concurrency: arguments_.concurrency,
      onStep: (path: Gathered["paths"][number], result: Parameters<typeof stepLine>[1]) => {
        output.say(stepLine(path, result, output));
      },
      onRetry: (path: Gathered["paths"][number], why: string) => {
        output.say(`${pathText(path)}: the cluster failed, trying once more on another one: ${why}`);
      },
    };
    const memory = arguments_.fresh ? undefined : ports.memory;
    const results = await smoke(gathered.paths, gathered, options, { ...ports.world, memory, supply }, run);
    const seconds = (clock.elapsedMs() - startedMs) / 1000;
    const facts = { revision: gathered.head.revision, decidedAt: clock.nowMs() };
    const json = (): string => smokeJson(results, supply, facts);
    output.report({ text: (paper) => smokeText(results, { ...supply, seconds }, paper), json });
    if (arguments_.report !== undefined) {
      const observed = { observedAt: new Date(facts.decidedAt).toISOString(), source: ports.source(supply.place) };
      await ports.check.writeFolder(arguments_.report, reportFiles(results, supply, observed, json()), run);
    }
    const codes = { passed: EXIT.fine, failed: EXIT.findings, world: EXIT.world };
    return codes[verdictOn(results)];
  } finally {
    await supply.close();
  }
}

interface Sides {
  readonly head: Source;
  readonly base: Source | undefined;
  readonly chosen: Chosen;
}

async function sidesOf({ base, all, modules }: SmokeArguments, { check }: SmokePorts, run: Run): Promise<Sides> {
  const head = check.openHead();
  if (base === undefined) return { head, base: undefined, chosen: all ? { kind: "all" } : { kind: "named", modules } };
  const { revision, isBehind, paths } = await check.changesSince(base, run);
  const before = check.openRevision(revision);
  const merged = isBehind ? mergedInto(before, head, paths) : head;
  return { head: merged, base: before, chosen: { kind: "changed", paths: new Set(paths) } };
}

/** Three minutes are enough for a manager that starts slowly; an API server alone settles at once. Milliseconds. */
function limitsOf({ deadlineMs }: SmokeArguments, pods: boolean): SmokeLimits {
  return { settleMs: deadlineMs ?? (pods ? 180_000 : 20_000), holdMs: 10_000, lookMs: 1_000 };
}
