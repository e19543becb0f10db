import { importObjects } from "../../catalogue/import/import.ts";
import type { Import, ImportInput, EditReport, ImportedFile } from "../../catalogue/import/result.ts";
import { conform } from "../../catalogue/conform.ts";
import { isOfCatalogue, SETTINGS_PATH } from "../../catalogue/paths.ts";
import { DEFAULT_NAMESPACE } from "../../catalogue/settings.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { RESOURCES } from "../../kubernetes/object.ts";
import { Fault, type Run, type Snapshot } from "../../ports.ts";
import { listAll } from "../../sync/observe.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";
import type { ImportWorld } from "../compose/compose.ts";
import type { Style } from "../../document/printable.ts";
import { counted } from "../../document/counted.ts";

interface ImportCommand {
  /** Files and folders. */
  readonly paths: readonly string[];
  /** A kubeconfig context to import from. */
  readonly context?: string | undefined;
  readonly prefer?: "newest" | undefined;
}

/** `kyma-modules import`: makes a catalogue out of existing objects. Returns the exit code. */
export async function importCommand(
  command: ImportCommand,
  world: ImportWorld,
  output: Output,
  run: Run,
): Promise<number> {
  const { inputs, snapshot, changedMs } = await gather(command, world, run);
  const preferNewest = command.prefer === "newest";
  const decision = importObjects(inputs, snapshot.files, { preferNewest, context: command.context, changedMs });
  await world.write(new Map(decision.files.map(({ path, text }) => [path, text])), run);
  report(decision, world.clock.nowMs(), output);
  return decision.leftOut.length === 0 ? EXIT.fine : EXIT.findings;
}

function report(decision: Import, decidedAt: number, output: Output): void {
  output.report({
    text: (paper) => importText(decision, paper),
    json: () => jsonDocument("Import", { revision: undefined, decidedAt }, importItems(decision)),
  });
}

interface ImportSources {
  readonly inputs: readonly ImportInput[];
  readonly snapshot: Snapshot;
  readonly changedMs: ReadonlyMap<string, number>;
}

async function gather(command: ImportCommand, world: ImportWorld, run: Run): Promise<ImportSources> {
  const snapshot = await world.repository.snapshot(isOfCatalogue, run);
  const files = await readFiles(command, world, run);
  const objects = command.context === undefined ? [] : await readObjects(command.context, snapshot, world, run);
  const changedMs =
    command.prefer === undefined ? new Map() : await world.repositoryTimes([...snapshot.files.keys()], run);
  return { inputs: [...files, ...objects], snapshot, changedMs };
}

async function readFiles(
  { paths, prefer }: ImportCommand,
  world: ImportWorld,
  run: Run,
): Promise<readonly ImportInput[]> {
  const files = await world.namedFiles.read(paths, run);
  const names = files.map(({ name }) => name);
  const times = prefer === undefined ? new Map<string, number>() : await world.namedTimes(names, run);
  return files.map(({ name, content }) => ({ kind: "file", name, content, changedMs: times.get(name) }));
}

async function readObjects(
  context: string,
  snapshot: Snapshot,
  world: ImportWorld,
  run: Run,
): Promise<readonly ImportInput[]> {
  const namespace = importedNamespace(context, snapshot);
  const controlPlane = await world.connect({ context });
  const templates = await listAll(controlPlane, RESOURCES.moduleTemplate, namespace, run);
  // lifecycle-manager has this kind since 1.2 only.
  const metas = await listAll(controlPlane, RESOURCES.moduleReleaseMeta, namespace, run).catch((error: unknown) => {
    if (error instanceof Fault && error.code === "CLUSTER_KIND_MISSING") return [];
    throw error;
  });
  const objects = [...templates, ...metas];
  if (objects.length === 0) {
    const example = `landscapes: [{ name: dev, controlPlane: { context: ${context} }, namespace: NAMESPACE }]`;
    const message = `${context} has no ModuleTemplate and no ModuleReleaseMeta in the namespace ${namespace}. If they are in another one, name it in ${SETTINGS_PATH}: ${example}`;
    throw new Fault("CONFIGURATION", message);
  }
  return objects.map((object) => ({
    kind: "object",
    name: `${context}: ${object.kind} ${object.metadata.name}`,
    object,
  }));
}

/** The namespace for this context in the repository's settings. Throws CONFIGURATION for unreadable settings. */
function importedNamespace(context: string, { files }: Snapshot): string {
  const settings = files.get(SETTINGS_PATH);
  if (settings === undefined) return DEFAULT_NAMESPACE;
  const reading = readYaml(SETTINGS_PATH, settings);
  const value = reading.kind === "read" ? conform("settings", reading.file).value : undefined;
  if (value === undefined) {
    const message = `${SETTINGS_PATH} cannot be read, so the namespace of ${context} is unknown. Correct it: kyma-modules check shows the problems.`;
    throw new Fault("CONFIGURATION", message);
  }
  const landscape = value.landscapes.find(
    ({ controlPlane }) => "context" in controlPlane && controlPlane.context === context,
  );
  return landscape?.namespace ?? DEFAULT_NAMESPACE;
}

/** The result of an import as text: the files, the omitted inputs with the cause, then the counts. */
function importText(decision: Import, output: Output): string {
  const { files, present, leftOut } = decision;
  const lines = [
    ...files.flatMap((file) => fileLines(file, output)),
    ...present.map(({ path, from }) => `${head("there", "quiet", output)} ${path} (${from.join(", ")})`),
    ...leftOut.flatMap(({ source, message, problems }) => [
      `${head("left out", "bad", output)} ${source}: ${message}`,
      ...problems.map(
        ({ line, column, message: problem, remedy }) => `${INDENT}${line}:${column}: ${problem} ${remedy}`,
      ),
    ]),
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
    ...merged.map(
      ({ source, differs }) =>
        `${INDENT}merged ${source}: equal${differs.length === 0 ? "" : `, but ${differs.join(", ")}`}`,
    ),
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
function importItems({ files, present, leftOut }: Import): readonly object[] {
  return [
    ...files.map((file) => {
      if (file.kind === "made") return { kind: "made", path: file.path, because: file.because };
      const { text: _text, kind: _kind, ...template } = file;
      return { kind: "written", ...template };
    }),
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
