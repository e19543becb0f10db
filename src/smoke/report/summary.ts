import { printable } from "../../document/printable.ts";
import { type Footprint, isFailed, type PathResult, pathText, smokeSteps, type StepResult } from "../path.ts";
import { troubleLines } from "./trouble.ts";

const SIGNS = { passed: "✅", failed: "❌", notChecked: "➖" } as const;
/** The sign of a step that passed, but with parts that were not checked. */
const PARTLY = "☑️";

/** The results as Markdown, for the summary of a GitHub job: a line for each path, then the failures. */
export function smokeSummary(results: readonly PathResult[], place: string): string {
  const rows = results.map(({ path, steps, kubernetes, world }) => {
    const signs = smokeSteps(path).map((name) => {
      const step = steps.find((one) => one.step === name);
      return `${step === undefined ? "❔" : stepSign(step)} ${name}`;
    });
    const cells = [pathText(path), kubernetes, world === undefined ? signs.join(" ") : `❔ ${world}`];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  const failures = results.filter(isFailed).map(failureText);
  const head = [`## Smoke on ${cell(place)}`, "", "| path | Kubernetes | steps |", "| --- | --- | --- |", ...rows];
  return [...head, "", ...partlyLines(results), ...failures, ...footprintLines(results)].join("\n");
}

function stepSign(step: StepResult): string {
  return isPartly(step) ? PARTLY : SIGNS[step.result];
}

function isPartly({ result, unchecked = [] }: StepResult): boolean {
  return result === "passed" && unchecked.length > 0;
}

/** Explains the sign of steps that passed only in part; nothing without one. */
function partlyLines(results: readonly PathResult[]): readonly string[] {
  if (!results.some(({ steps }) => steps.some(isPartly))) return [];
  const pods = results.every((result) => result.pods) ? "" : " Nothing ran pods here.";
  return [`${PARTLY} passed, but parts of the step were not checked.${pods} report.json lists them.`, ""];
}

function failureText({ path, steps }: PathResult): string {
  const lines = steps.filter(({ result }) => result === "failed").flatMap((step) => [step.step, ...troubleLines(step)]);
  return [
    `### ${cell(pathText(path))}`,
    "",
    "```text",
    ...lines.map((line) => printable(line).replaceAll("```", "'''")),
    "```",
    "",
  ].join("\n");
}

function footprintLines(results: readonly PathResult[]): readonly string[] {
  const rows = results.flatMap(({ path, footprint }) =>
    footprint === undefined
      ? []
      : [`| ${cell(pathText(path))} | ${footprintCell(footprint.from)} | ${footprintCell(footprint.to)} |`],
  );
  return rows.length === 0 ? [] : ["| footprint | before | now |", "| --- | --- | --- |", ...rows, ""];
}

function footprintCell(footprint: Footprint | undefined): string {
  if (footprint === undefined) return "";
  const { images, requests, memoryBytes, startSeconds } = footprint;
  const mebibytes = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
  const memory = memoryBytes === undefined ? "" : `, uses ${mebibytes(memoryBytes)}`;
  const start = startSeconds === undefined ? "" : `, ${startSeconds.toFixed(1)} s`;
  return `${images.length} images, ${requests.cpuMillicores}m, ${mebibytes(requests.memoryBytes)}${memory}${start}`;
}

function cell(text: string): string {
  return printable(text).replaceAll("|", "\\|").replaceAll("\n", " ");
}
