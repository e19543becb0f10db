import { printable } from "../../document/printable.ts";
import { type Footprint, isFailed, type PathResult, pathText, stepsOf } from "../path.ts";
import { troubleLines } from "./trouble.ts";

const SIGNS = { passed: "✅", failed: "❌", notChecked: "➖" } as const;

/** The results as Markdown, for the summary of a GitHub job: a line for each path, then the failures. */
export function summaryOf(results: readonly PathResult[], place: string): string {
  const rows = results.map(({ path, steps, kubernetes, world }) => {
    const signs = stepsOf(path).map((name) => {
      const step = steps.find((one) => one.step === name);
      return `${step === undefined ? "❔" : SIGNS[step.result]} ${name}`;
    });
    const cells = [pathText(path), kubernetes, world === undefined ? signs.join(" ") : `❔ ${world}`];
    return `| ${cells.map(cell).join(" | ")} |`;
  });
  const failures = results.filter(isFailed).map(failureText);
  const head = [`## Smoke on ${cell(place)}`, "", "| path | Kubernetes | steps |", "| --- | --- | --- |", ...rows];
  return [...head, "", ...failures, ...footprintLines(results)].join("\n");
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
