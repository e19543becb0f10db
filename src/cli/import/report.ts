import type { Style } from "../../document/printable.ts";
import { counted } from "../../document/counted.ts";
import type {
  EditReport,
  Import,
  ImportedFile,
  ImportedTemplate,
  SkippedInput,
  Merged,
} from "../../catalogue/import/result.ts";
import type { Output } from "../terminal/output.ts";

/** The result of an import as text: the files, the omitted inputs with the cause, then the counts. */
export function importText(decision: Import, output: Output): string {
  const { files, present, leftOut } = decision;
  const lines = [
    ...files.flatMap((file) => fileLines(file, output)),
    ...present.map(({ path, from }) => `${head("there", "quiet", output)} ${path} (${from.join(", ")})`),
    ...leftOut.flatMap((one) => leftOutLines(one, output)),
  ];
  return [...lines, summary(decision), ...nextLines(decision)].join("\n");
}

const INDENT = " ".repeat(12);

function head(verb: string, style: Style, output: Output): string {
  return output.paint(style, verb.padEnd(9));
}

function fileLines(file: ImportedFile, output: Output): readonly string[] {
  if (file.kind === "made") return [`${head("made", "good", output)} ${file.path}: ${file.because}`];
  const { path, module, version, from, releasedBy, merged, edits, replaces } = file;
  const verb = replaces ? head("replaced", "change", output) : head("taken", "good", output);
  return [
    `${verb} ${path}: ${module} ${version}`,
    `${INDENT}from ${from}`,
    ...releasedBy.map((source) => `${INDENT}as ${source} says`),
    ...edits.map((edit) => `${INDENT}${editText(edit)}`),
    ...merged.map((other) => `${INDENT}${mergedText(other)}`),
  ];
}

function editText({ kind, field, was = "a value", value = "", because }: EditReport): string {
  switch (kind) {
    case "filled":
      return `filled in ${field}: ${value} (${because})`;
    case "changed":
      return `${field === "metadata.name" ? "renamed" : "changed"} ${field}: ${was} → ${value} (${because})`;
    case "removed":
      return `removed ${field} (${because})`;
  }
}

function mergedText({ source, differs }: Merged): string {
  return `merged ${source}: equal${differs.length === 0 ? "" : `, but ${differs.join(", ")}`}`;
}

function leftOutLines({ source, message, problems }: SkippedInput, output: Output): readonly string[] {
  return [
    `${head("left out", "bad", output)} ${source}: ${message}`,
    ...problems.map(({ line, column, message: problem, remedy }) => `${INDENT}${line}:${column}: ${problem} ${remedy}`),
  ];
}

function summary({ files, present, leftOut }: Import): string {
  const templates = files.filter((file) => file.kind === "template");
  const inChannels = templates.filter(({ channel }) => channel !== undefined).length;
  const taken = `${counted(templates.length, "template")} taken (${inChannels} in channels, ${templates.length - inChannels} of versions)`;
  return `${taken}, ${counted(files.length - templates.length, "file")} made, ${present.length} already there, ${leftOut.length} left out`;
}

/** The next command, if no channel serves the imported templates yet. */
function nextLines({ files }: Import): readonly string[] {
  const templates = files.filter((file) => file.kind === "template");
  const [first] = templates;
  if (first === undefined || templates.some(({ channel }) => channel !== undefined)) return [];
  return [`no channel serves these versions yet: kyma-modules bump ${first.module}@${first.version} --channel CHANNEL`];
}

/** The result of an import as JSON; schemas/output/import.schema.json. */
export function importItems({ files, present, leftOut }: Import): readonly object[] {
  return [
    ...files.map((file) =>
      file.kind === "made" ? { kind: "made", path: file.path, because: file.because } : writtenItem(file),
    ),
    ...present.map((place) => ({ kind: "present", ...place })),
    ...leftOut.map(({ source, reason, message, path, problems }) => ({
      kind: "left-out",
      source,
      reason,
      message,
      ...(path !== undefined && { path }),
      problems: problems.map(({ line, column, message: problem, remedy }) => ({
        line,
        column,
        message: problem,
        remedy,
      })),
    })),
  ];
}

function writtenItem({ text: _text, kind: _kind, ...template }: ImportedTemplate): object {
  return { kind: "written", ...template };
}
