import type { EvidenceOf } from "../../catalogue/evidence/evidence.ts";
import { counted } from "../../document/counted.ts";
import { printable, printableJson, type Painter } from "../../document/printable.ts";
import { pathName } from "../../catalogue/commands.ts";
import { isFailed, type PathResult, pathText, type SmokePath, type StepResult } from "../../smoke/path.ts";
import { smokeEvidence } from "../../smoke/report/evidence.ts";
import { junitReport } from "../../smoke/report/junit.ts";
import { smokeSummary } from "../../smoke/report/summary.ts";
import type { GatheredSmoke } from "../../smoke/gather.ts";
import { troubleLines } from "../../smoke/report/trouble.ts";
import { type DocumentFacts, jsonDocument, type Output } from "../terminal/output.ts";

/** The paths, one per line, with the channels that need them; then what cannot be tested. */
export function planText({ paths, untested }: Pick<GatheredSmoke, "paths" | "untested">): string {
  const lines = [
    ...paths.map((path) => `${pathText(path)}  (${path.channels.join(", ") || "no channel yet"})`),
    ...untestedLines(untested),
  ];
  return lines.join("\n") || "Nothing to test: no channel file and no input of a version differs.";
}

/** A line for each version that cannot be tested. */
export function untestedLines(untested: readonly string[]): readonly string[] {
  return untested.map(
    (version) =>
      `not tested: ${printable(version)} has no template. Bring it into a channel, or add template.yaml to its folder.`,
  );
}

/** schemas/output/smoke-plan.schema.json. */
export function planJson(paths: readonly SmokePath[], facts: DocumentFacts): string {
  return printableJson(jsonDocument("SmokePlan", facts, paths.map(pathItem)));
}

function pathItem(path: SmokePath): object {
  const { module, from, to, channels } = path;
  return {
    path: pathName(path),
    ...{ module, version: to.version, specHash: to.specHash, channels },
    ...{ from: from?.version ?? null, fromSpecHash: from?.specHash ?? null },
  };
}

/** Where paths ran, and for how long. */
export interface Ran extends Where {
  readonly seconds: number;
}

/** Where paths ran. */
interface Where {
  readonly place: string;
  /** How versions were installed; `undefined` if manifests were applied. */
  readonly through: "lifecycle-manager" | undefined;
}

/** The place as options: `kind`, or `kind --through lifecycle-manager`. */
export function placeOption({ place, through }: Where): string {
  return through === undefined ? place : `${place} --through ${through}`;
}

/** The place as text: `kind`, or `kind through lifecycle-manager`. */
function placeText({ place, through }: Where): string {
  return through === undefined ? place : `${place} through ${through}`;
}

/** The report: a block for each path, a line for each step, and the counts. */
export function smokeText(results: readonly PathResult[], ran: Ran, paper: Output): string {
  const blocks = results.map((result) => pathBlock(result, paper));
  const failed = results.filter(isFailed).length;
  const lost = results.filter(({ world }) => world !== undefined).length;
  const counts = [
    counted(results.length, "path"),
    `${results.length - failed - lost} passed`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(lost > 0 ? [`${lost} not decided, because the cluster or a server failed`] : []),
  ];
  const hasPods = results.every(({ pods }) => pods);
  const where = `on ${placeText(ran)}${hasPods ? "" : ", without pods: steps that need pods are not checked"}`;
  return [...blocks, `${counts.join(", ")}, in ${ran.seconds.toFixed(1)} s ${where}`].join("\n\n");
}

function pathBlock({ path, steps, world, isRemembered }: PathResult, paper: Painter): string {
  if (isRemembered === true)
    return `${paper.paint("strong", pathText(path))}\n  passed before with the same content: --fresh runs it again`;
  const lines = steps.flatMap((step) => stepLines(step, paper));
  const lost = world === undefined ? [] : [`  ${paper.paint("change", "not decided")}: ${printable(world)}`];
  return [paper.paint("strong", pathText(path)), ...lines, ...lost].join("\n");
}

const WORDS = { passed: "passed", failed: "failed", notChecked: "not checked" } as const;
const STYLES = { passed: "good", failed: "bad", notChecked: "quiet" } as const;

function stepLines(result: StepResult, paper: Painter): readonly string[] {
  const { step, seconds, result: kind } = result;
  const took = kind === "notChecked" ? "" : `${seconds.toFixed(1)} s`;
  const word = paper.paint(STYLES[kind], WORDS[kind].padEnd(11));
  const first = `  ${step.padEnd(12)} ${word} ${took.padStart(7)}`;
  if (kind !== "failed") return [`${first}  ${printable(remark(result))}`.trimEnd()];
  return [first.trimEnd(), ...troubleLines(result).map((text) => `      ${printable(text)}`)];
}

/** The last column of a step that did not fail. */
function remark({ result, said = "", notes = [], unchecked = [] }: StepResult): string {
  if (result === "notChecked") return said;
  const missing = unchecked.length === 0 ? [] : [`not checked: ${shortened(unchecked)}`];
  return [...notes.slice(0, 1), ...missing].join("; ");
}

function shortened(texts: readonly string[]): string {
  const [first = "", ...others] = texts;
  return others.length === 0 ? first : `${first}, and ${others.length} more`;
}

/** The progress line of a finished step. */
export function stepLine(path: SmokePath, { step, result, seconds, object, said }: StepResult, paper: Painter): string {
  const why = result === "failed" ? `: ${object === undefined ? "" : `${object}: `}${printable(said ?? "")}` : "";
  const word = paper.paint(STYLES[result], WORDS[result]);
  return `${pathText(path)}: ${step} ${word}${result === "notChecked" ? "" : ` (${seconds.toFixed(1)} s)`}${why}`;
}

/** schemas/output/smoke.schema.json. */
export function smokeJson(results: readonly PathResult[], { place, through }: Where, facts: DocumentFacts): string {
  const items = results.map(({ path, kubernetes, pods, steps, world, footprint, isRemembered }) => ({
    ...pathItem(path),
    ...{ cluster: place, through: through ?? null, kubernetes: kubernetes === "" ? null : kubernetes, pods },
    result: isFailed({ steps }) ? "failed" : world === undefined ? "passed" : "undecided",
    steps: steps.map((step) => ({ ...step, seconds: Math.round(step.seconds * 1000) / 1000 })),
    ...(world !== undefined && { world }),
    isRemembered: isRemembered ?? false,
    ...(footprint && { footprint }),
  }));
  return printableJson(jsonDocument("Smoke", facts, items));
}

/** The files of `--report`, by name. */
export function reportFiles(
  results: readonly PathResult[],
  where: Where,
  observed: Pick<EvidenceOf<"smoke">, "observedAt" | "source">,
  json: string,
): ReadonlyMap<string, string> {
  return new Map([
    ["report.json", `${json}\n`],
    ["evidence.json", `${printableJson(JSON.stringify(smokeEvidence(results, observed), null, 2))}\n`],
    ["junit.xml", `${junitReport(results)}\n`],
    ["summary.md", `${smokeSummary(results, placeText(where))}\n`],
  ]);
}
