import { counted } from "../../document/counted.ts";
import { isRendered, type RenderedEntry, type RenderedModule, type RenderRefusal } from "../../sync/render/decide.ts";
import type { Output } from "../terminal/output.ts";
import { noteLine } from "../sync/report.ts";

/** The notes on a rendering: entries that differ from the repository, and what Argo CD and Flux do not do. */
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
  return isRendered(module) ? lines : [...lines, `${INDENT}${module.module} is not rendered at all.`];
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

const LEFT_OUT = "Kymas that use it will be in Error. Delete a release meta that is omitted completely by hand.";

function refusalLines(name: string, { because, remedy }: RenderRefusal, output: Output): readonly string[] {
  return [line("bad", "refused", name, output), `${INDENT}${because}`, `${INDENT}${remedy}`];
}

function line(style: "bad" | "change", verb: string, name: string, output: Output): string {
  return `  ${output.paint(style, verb.padEnd(9))} ${name}`;
}

/** The guards of a sync that Argo CD and Flux do not have. */
const GUARDS: readonly string[] = [
  "Argo CD and Flux apply templates before release metas, as the annotations of these objects request. The other guards of a sync are missing:",
  "They do not look up artifacts: a version without its artifact puts its Kymas into Error, and ends the guard against lower versions.",
  "They do not check which clusters use a version: an entry below the running version may downgrade a cluster that lost its record of it.",
  "They do not wait for an earlier landscape or a soak, and ignore halts and pauses.",
  "They apply changed content of a served version, an older commit, and a revert: reverting rendered files lowers entries.",
  "They write no records, which waves of later landscapes, status LANDSCAPE and evidence need.",
  "They repair drift endlessly, where a sync stops and names the client that undoes the repair.",
  "They delete nothing, as the annotations of these objects request: delete templates by hand once no release meta, Kyma or Manifest names them.",
];
