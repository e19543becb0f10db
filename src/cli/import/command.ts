import { importObjects } from "../../catalogue/import/import.ts";
import type { Import, ImportInput } from "../../catalogue/import/result.ts";
import { conform } from "../../catalogue/conform.ts";
import { isOfCatalogue, SETTINGS_PATH } from "../../catalogue/paths.ts";
import { DEFAULT_NAMESPACE } from "../../catalogue/settings.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { RESOURCES, type KubernetesObject, type Resource } from "../../kubernetes/object.ts";
import { Fault, type ControlPlane, type Run, type Snapshot } from "../../ports.ts";
import { listAll } from "../../sync/observe.ts";
import { importItems, importText } from "./report.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";
import type { ImportWorld } from "../compose/compose.ts";

/** The arguments of `import`. */
export interface ImportCommand {
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
  const controlPlane = await world.connect({ context });
  const namespace = namespaceOf(context, snapshot);
  const lists = [
    await list(controlPlane, RESOURCES.moduleTemplate, namespace, run),
    // lifecycle-manager has this kind since 1.2 only.
    await list(controlPlane, RESOURCES.moduleReleaseMeta, namespace, run).catch((error: unknown) => {
      if (error instanceof Fault && error.code === "CLUSTER_KIND_MISSING") return [];
      throw error;
    }),
  ];
  return lists.flat().map((object) => ({ kind: "object", name: nameOf(context, object), object }));
}

function list(
  controlPlane: ControlPlane,
  resource: Resource,
  namespace: string,
  run: Run,
): Promise<readonly KubernetesObject[]> {
  return listAll(controlPlane, resource, namespace, run);
}

function nameOf(context: string, { kind, metadata }: KubernetesObject): string {
  return `${context}: ${kind} ${metadata.name}`;
}

/** The namespace for this context in the repository's settings. */
function namespaceOf(context: string, { files }: Snapshot): string {
  const settings = files.get(SETTINGS_PATH);
  const reading = settings && readYaml(SETTINGS_PATH, settings);
  const { landscapes = [] } = (reading?.kind === "read" ? conform("settings", reading.file).value : undefined) ?? {};
  const landscape = landscapes.find(
    ({ controlPlane }) => "context" in controlPlane && controlPlane.context === context,
  );
  return landscape?.namespace ?? DEFAULT_NAMESPACE;
}
