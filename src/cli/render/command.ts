import type { FolderContent } from "../../catalogue/init/decide.ts";
import { counted } from "../../document/counted.ts";
import { editText } from "../../document/yaml/edit.ts";
import { Fault, type Run } from "../../ports.ts";
import {
  decideRendering,
  isRendered,
  type RenderedEntry,
  type RenderedModule,
  type RenderRefusal,
} from "../../sync/render/decide.ts";
import { FOLDERS, isIn, LANDSCAPE_FILE, landscapeText, renderedLandscape } from "../../sync/render/folders.ts";
import { gatherRendering, renderTarget, type BaseSource, type OtherSource } from "../../sync/render/gather.ts";
import { renderObjects, type RenderedObject } from "../../sync/render/objects.ts";
import { entryKey } from "../../sync/plan/records.ts";
import { openSource } from "../compose/compose.ts";
import { openRenderFolder, renderWorld, type RenderFolder } from "../compose/render.ts";
import type { SyncScope } from "../compose/sync.ts";
import { listText, yamlText } from "../manifests.ts";
import { chosenLandscapes, openScope } from "../sync/landscapes.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { noteLine } from "../sync/report.ts";
import { deliveryFiles, type DeliveryArguments, type DeliveryFile } from "./delivery.ts";
import { catalogueAt } from "../../reading/catalogue.ts";

interface RenderArguments extends DeliveryArguments {
  readonly repo: string;
  readonly landscape: string;
  readonly revision: string;
  readonly output?: string | undefined;
  readonly base?: string | undefined;
  readonly first: boolean;
  readonly prune: boolean;
  readonly maxPrune?: number | undefined;
}

/** `kyma-modules render`: prints or writes the objects of a landscape. Returns the exit code. */
export async function renderCommand(arguments_: RenderArguments, output: Output, run: Run): Promise<number> {
  const scope = await openScope({ ...arguments_, worktree: false, withoutRegistry: true }, output, run);
  if (scope === undefined) return EXIT.findings;
  const { catalogue } = scope;
  const folder = arguments_.output === undefined ? undefined : openRenderFolder(arguments_.output);
  for (const landscape of chosenLandscapes(catalogue.settings, [arguments_.landscape])) {
    const [target, delivery] = [renderTarget(landscape), deliveryFiles(landscape, arguments_)];
    const base = await renderBase(arguments_, folder, scope, run);
    const { prune, maxPrune } = arguments_;
    const request = { catalogue, landscape, target, base, prune, maxPrune };
    const modules = decideRendering(await gatherRendering(request, renderWorld(scope), run));
    const objects = renderObjects(modules, target);
    const isWhole = modules.every(isRendered) && catalogue.findings.every(({ severity }) => severity !== "error");
    if (folder === undefined) {
      const all = [...objects, ...delivery.flatMap(({ manifests }) => manifests)];
      output.report({ text: () => yamlText(all), json: () => listText(all) });
    } else await write(folder, { landscape: landscape.name, modules, objects, delivery, isWhole }, output, run);
    output.say(renderText(modules, objects.length, output));
    if (!isWhole) return EXIT.findings;
  }
  return EXIT.fine;
}

/** The source of the last rendering: the folder, and for what it lacks a named commit, the history, or none. */
async function renderBase(
  arguments_: RenderArguments,
  folder: RenderFolder | undefined,
  scope: SyncScope,
  run: Run,
): Promise<BaseSource> {
  const { landscape, output: path = "" } = arguments_;
  const files = folder?.read() ?? new Map<string, Uint8Array | undefined>();
  const waiting = waitingIn(files, landscape, path);
  const otherwise = await otherBase(arguments_, scope, run);
  return files.size === 0 ? otherwise : { kind: "files", folder: path, files, waiting, otherwise };
}

async function otherBase({ repo, base, first }: RenderArguments, { git }: SyncScope, run: Run): Promise<OtherSource> {
  if (first) return { kind: "first" };
  if (base === undefined) return { kind: "history" };
  const commit = await git.resolve(base, run);
  const { usable: catalogue } = await catalogueAt(openSource(repo, commit), run);
  if (catalogue !== undefined) return { kind: "commit", commit, catalogue };
  throw new Fault(
    "CONFIGURATION",
    `The catalogue of ${base} is broken, so it was not rendered. Name another commit: --base REV.`,
  );
}

/**
 * The entries that the folder says were never rendered. Throws CONFIGURATION if it belongs to another landscape, whose
 * entries say nothing about this one.
 */
function waitingIn(files: FolderContent["files"], landscape: string, path: string): readonly string[] {
  const owner = renderedLandscape(files);
  if (owner === undefined) return [];
  if (owner !== "unreadable" && owner.landscape === landscape) return owner.waiting;
  const said =
    owner === "unreadable" ? `${path}/${LANDSCAPE_FILE} cannot be read` : `${path} was rendered for ${owner.landscape}`;
  throw new Fault("CONFIGURATION", `${said}. Name another folder for ${landscape}: --output DIR.`);
}

interface Rendering {
  readonly landscape: string;
  readonly modules: readonly RenderedModule[];
  readonly objects: readonly RenderedObject[];
  readonly delivery: readonly DeliveryFile[];
  /** Whether nothing is missing: only then other files are removed. */
  readonly isWhole: boolean;
}

async function write(
  folder: RenderFolder,
  { landscape, modules, objects, delivery, isWhole }: Rendering,
  output: Output,
  run: Run,
): Promise<void> {
  const waiting = modules.flatMap(({ entries }) => entries.filter(({ kind }) => kind === "waiting").map(entryKey));
  const files = new Map([
    [LANDSCAPE_FILE, landscapeText({ landscape, waiting })] as const,
    ...objects.map(({ path, object }) => [path, editText(undefined, object, [])] as const),
    ...delivery.map(({ path, manifests }) => [path, `${yamlText(manifests)}\n`] as const),
  ]);
  const before = isWhole ? [...folder.read().keys()] : [];
  const stale = before.filter(
    (path) => (isIn(FOLDERS.templates, path) || isIn(FOLDERS.releaseMetas, path)) && !files.has(path),
  );
  await folder.write(files, run);
  folder.remove(stale);
  output.say(`Wrote ${counted(files.size, "file")}.`);
  for (const one of stale) output.say(`Removed ${one}.`);
}

/** The notes on a rendering: entries that differ from the repository, and what Argo CD and Flux do not do. */
function renderText(modules: readonly RenderedModule[], objects: number, output: Output): string {
  const entries = modules.flatMap((module) => module.entries);
  const count = (kind: RenderedEntry["kind"]): number => entries.filter((entry) => entry.kind === kind).length;
  const counts = (["current", "kept", "waiting", "left-out", "refused"] as const)
    .filter((kind) => count(kind) > 0)
    .map((kind) => `${count(kind)} ${WORDS[kind]}`);
  return [
    ...modules.flatMap((module) => [
      ...module.entries.flatMap((entry) => entryLines(entry, output)),
      ...module.refused.flatMap((refusal) => refusalLines(module.module, refusal, output)),
      ...(isRendered(module) ? [] : [`${INDENT}${module.module} is not rendered at all.`]),
    ]),
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

const LEFT_OUT = "Kymas that use it will be in Error. If a release meta is omitted completely, delete it by hand.";

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
  "They apply an older commit and a revert: reverting rendered files lowers entries, and brings changed content.",
  "They write no records, which waves of later landscapes, status LANDSCAPE and evidence need.",
  "They repair drift endlessly, where a sync stops and names the client that undoes the repair.",
  "They delete nothing, as the annotations of these objects request: delete templates by hand once no release meta, Kyma or Manifest names them.",
];
