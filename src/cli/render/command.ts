import type { FolderContent } from "../../catalogue/init/decide.ts";
import { parse } from "../../catalogue/parse.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import { usableOf } from "../../catalogue/usable.ts";
import { counted } from "../../document/counted.ts";
import { editText } from "../../document/yaml/edit.ts";
import { Fault, type Run } from "../../ports.ts";
import { parseGitAddress } from "../../sync/install/git.ts";
import type { PrintedManifest } from "../../sync/install/manifest.ts";
import {
  decideRendering,
  isRendered,
  type RenderedEntry,
  type RenderedModule,
  type RenderRefusal,
} from "../../sync/render/decide.ts";
import { argoApplication, fluxObjects, type ArgoCluster, type RenderedSource } from "../../sync/render/delivery.ts";
import { FOLDERS, isIn, LANDSCAPE_FILE, landscapeText, renderedLandscape } from "../../sync/render/folders.ts";
import { gatherRendering, renderTarget, type BaseSource } from "../../sync/render/gather.ts";
import { renderObjects, type RenderedObject } from "../../sync/render/objects.ts";
import { openSource } from "../compose/compose.ts";
import { openRenderFolder, renderWorld, type RenderFolder } from "../compose/render.ts";
import type { SyncScope } from "../compose/sync.ts";
import { listText, yamlText } from "../manifests.ts";
import { chosenLandscapes, openScope } from "../sync/landscapes.ts";
import { EXIT, type Output } from "../terminal/output.ts";
import { noteLine } from "../sync/report.ts";

interface RenderArguments extends DeliveryArguments {
  readonly repo: string;
  readonly landscape: string;
  readonly revision: string;
  readonly output?: string | undefined;
  readonly base?: string | undefined;
  readonly first: boolean;
  readonly prune: boolean;
}

/** `kyma-modules render`: prints or writes the objects of a landscape. Returns the exit code. */
export async function renderCommand(arguments_: RenderArguments, output: Output, run: Run): Promise<number> {
  const scope = await openScope({ ...arguments_, worktree: false, withoutRegistry: true }, output, run);
  if (scope === undefined) return EXIT.findings;
  const { catalogue } = scope;
  const folder = arguments_.output === undefined ? undefined : openRenderFolder(arguments_.output);
  for (const landscape of chosenLandscapes(catalogue.settings, [arguments_.landscape])) {
    const [target, delivery] = [renderTarget(landscape), deliveryOf(landscape, arguments_)];
    const base = await baseOf(arguments_, folder, scope, run);
    const request = { catalogue, landscape, target, base, prune: arguments_.prune };
    const modules = decideRendering(await gatherRendering(request, renderWorld(scope), run));
    const objects = renderObjects(modules, target);
    const isWhole = modules.every(isRendered) && catalogue.findings.every(({ severity }) => severity !== "error");
    if (folder === undefined) {
      const all = [...objects, ...delivery.flatMap(({ manifests }) => manifests)];
      output.report({ text: () => yamlText(all), json: () => listText(all) });
    } else await write(folder, { landscape: landscape.name, objects, delivery, isWhole }, output, run);
    output.say(renderText(modules, objects.length, output));
    if (!isWhole) return EXIT.findings;
  }
  return EXIT.fine;
}

/** The source of the last rendering: the folder, a named commit, the history, or none. */
async function baseOf(
  { repo, landscape, base, first, output: path = "" }: RenderArguments,
  folder: RenderFolder | undefined,
  { git }: SyncScope,
  run: Run,
): Promise<BaseSource> {
  const files = folder?.read() ?? new Map<string, Uint8Array | undefined>();
  refuseOther(files, landscape, path);
  if (files.size > 0) {
    if (base === undefined && !first) return { kind: "files", folder: path, files };
    throw new Fault("CONFIGURATION", `${path} holds the last rendering. Omit --base and --first.`);
  }
  if (first) return { kind: "first" };
  if (base === undefined) return { kind: "history" };
  const commit = await git.resolve(base, run);
  const { files: theirs } = await openSource(repo, commit).snapshot(isOfCatalogue, run);
  const catalogue = usableOf(parse(commit, theirs));
  if (catalogue !== undefined) return { kind: "commit", commit, catalogue };
  throw new Fault(
    "CONFIGURATION",
    `The catalogue of ${base} is broken, so it was not rendered. Name another commit: --base REV.`,
  );
}

/** Throws CONFIGURATION if the folder belongs to another landscape, whose entries say nothing about this one. */
function refuseOther(files: FolderContent["files"], landscape: string, path: string): void {
  const owner = renderedLandscape(files);
  if (owner === undefined || owner === landscape) return;
  const said = owner === "" ? `${path}/${LANDSCAPE_FILE} cannot be read` : `${path} was rendered for ${owner}`;
  throw new Fault("CONFIGURATION", `${said}. Name another folder for ${landscape}: --output DIR.`);
}

interface Rendering {
  readonly landscape: string;
  readonly objects: readonly RenderedObject[];
  readonly delivery: readonly DeliveryFile[];
  /** Whether nothing is missing: only then other files are removed. */
  readonly isWhole: boolean;
}

async function write(
  folder: RenderFolder,
  { landscape, objects, delivery, isWhole }: Rendering,
  output: Output,
  run: Run,
): Promise<void> {
  const files = new Map([
    [LANDSCAPE_FILE, landscapeText(landscape)] as const,
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

/** The arguments about Argo CD and Flux. */
interface DeliveryArguments {
  readonly argoCd: boolean;
  readonly flux: boolean;
  readonly git?: string | undefined;
  readonly branch: string;
  readonly path?: string | undefined;
  readonly cluster?: string | undefined;
  readonly gitSecret?: string | undefined;
  readonly kubeconfigSecret?: string | undefined;
}

/** A file with objects for Argo CD or Flux. It is outside of the folder that they read. */
interface DeliveryFile {
  readonly path: string;
  readonly manifests: readonly PrintedManifest[];
}

/** The requested files for Argo CD and Flux. Throws CONFIGURATION. */
function deliveryOf(landscape: Landscape, arguments_: DeliveryArguments): readonly DeliveryFile[] {
  const { argoCd, flux, gitSecret: git, kubeconfigSecret: kubeconfig } = arguments_;
  if (!argoCd && !flux) return [];
  const source = sourceOf(landscape, arguments_);
  return [
    ...(argoCd
      ? [{ path: "argo-cd.yaml", manifests: [argoApplication(landscape, source, clusterOf(landscape, arguments_))] }]
      : []),
    ...(flux ? [{ path: "flux.yaml", manifests: fluxObjects(landscape, source, { git, kubeconfig }) }] : []),
  ];
}

function sourceOf({ name }: Landscape, { git: url, branch, path = name, flux }: DeliveryArguments): RenderedSource {
  if (url === undefined)
    throw new Fault("CONFIGURATION", "--argo-cd and --flux need the repository of the rendered files: --git URL.");
  const address = parseGitAddress(url);
  if (address === undefined || (flux && !URL.canParse(url)))
    throw new Fault(
      "CONFIGURATION",
      "--git must be an address by https or ssh, such as https://github.com/ORG/NAME or ssh://git@github.com/ORG/NAME.",
    );
  if (address.hasCredentials)
    throw new Fault(
      "CONFIGURATION",
      "--git contains credentials, which everyone could read. Configure them in Argo CD, or in a Secret for Flux: --git-secret NAME.",
    );
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw new Fault("CONFIGURATION", "--path must be a folder of the repository.");
  return { url, branch, folder: parts.join("/") };
}

function clusterOf({ controlPlane }: Landscape, { cluster }: DeliveryArguments): ArgoCluster {
  if (cluster !== undefined) return { name: cluster };
  if ("inCluster" in controlPlane) return "in-cluster";
  if ("context" in controlPlane) return { name: controlPlane.context };
  throw new Fault(
    "CONFIGURATION",
    "kyma-modules.yaml names no context. Give the name of the cluster in Argo CD: --cluster NAME.",
  );
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
  "They apply changed content of a served version, an older commit, and a revert: reverting rendered files lowers entries.",
  "They write no records, which waves of later landscapes, status LANDSCAPE and evidence need.",
  "They repair drift endlessly, where a sync stops and names the client that undoes the repair.",
  "They delete nothing, as the annotations of these objects request: delete templates by hand once no release meta, Kyma or Manifest names them.",
];
