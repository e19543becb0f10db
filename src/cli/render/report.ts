import { counted } from "../../document/counted.ts";
import { isRendered, type RenderedEntry, type RenderedModule, type RenderRefusal } from "../../sync/render/decide.ts";
import type { Output } from "../terminal/output.ts";
import { noteLine } from "../sync/report.ts";

/** What people should know of a rendering: what is not as the repository says, and what Argo CD and Flux do not do. */
export function renderText(modules: readonly RenderedModule[], objects: number, output: Output): string {
  const entries = modules.flatMap((module) => module.entries);
  const count = (kind: RenderedEntry["kind"]): number => entries.filter((entry) => entry.kind === kind).length;
  const counts = (["current", "kept", "waiting", "left-out", "refused"] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${count(kind)} ${WORDS[kind]}`);
  return [
    ...modules.flatMap((module) => moduleLines(module, output)),
    ...GUARDS.map(noteLine),
    `entries: ${counts.join(", ") || "none"}; ${counted(objects, "object")}`,
  ].join("\n");
}

const WORDS = {
  current: "current",
  kept: "kept",
  waiting: "waiting",
  "left-out": "left out",
  refused: "refused",
} as const;

const INDENT = " ".repeat(14);

function moduleLines(module: RenderedModule, output: Output): readonly string[] {
  const refusals = module.refused.flatMap((refusal) => refusalLines(module.module, refusal, output));
  const lines = [...module.entries.flatMap((entry) => entryLines(entry, output)), ...refusals];
  return isRendered(module) ? lines : [...lines, `${INDENT}Nothing of ${module.module} is rendered.`];
}

function entryLines(entry: RenderedEntry, output: Output): readonly string[] {
  const name = `${entry.channel}/${entry.module}`;
  switch (entry.kind) {
    case "current":
      return [];
    case "kept":
      return [line("change", "kept", `${name} ${entry.version}`, output), `${INDENT}${entry.because}`];
    case "waiting":
      return [line("change", "waiting", name, output), `${INDENT}${entry.because}`];
    case "left-out":
      return [line("change", "left out", `${name} ${entry.version}`, output), `${INDENT}${LEFT_OUT}`];
    case "refused":
      return refusalLines(name, entry, output);
  }
}

const LEFT_OUT = "Its users will be in Error. A release meta that is left out as a whole is to be deleted by hand.";

function refusalLines(name: string, { because, remedy }: RenderRefusal, output: Output): readonly string[] {
  return [line("bad", "refused", name, output), `${INDENT}${because}`, `${INDENT}${remedy}`];
}

function line(style: "bad" | "change", verb: string, name: string, output: Output): string {
  return `  ${output.paint(style, verb.padEnd(9))} ${name}`;
}

/** What a sync does, and neither Argo CD nor Flux does. */
const GUARDS: readonly string[] = [
  "Argo CD and Flux apply templates before release metas, as these objects ask. They do not do what else a sync does:",
  "They do not look up artifacts: without its artifact, a version puts its Kymas into Error and ends the guard against lower versions.",
  "They do not ask who uses what: a cluster that forgot its version may be downgraded by any entry below what it runs.",
  "They wait for no earlier landscape and no soak, and know no halt and no pause.",
  "They apply new content of a version that is served already, an older commit, and a revert: reverting rendered files lowers entries.",
  "They write no records: waves of later landscapes, status LANDSCAPE and evidence have nothing to read.",
  "They repair drift without end, where a sync stops and names who contests it.",
  "They delete nothing, as these objects ask: delete templates by hand once no release meta, Kyma or Manifest names them.",
];
