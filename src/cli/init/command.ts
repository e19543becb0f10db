import { basename } from "node:path";
import { counted } from "../../document/counted.ts";
import { decideInit, type FolderContent, type InitDecision } from "../../catalogue/init/decide.ts";
import { catalogueFiles } from "../../catalogue/init/files.ts";
import {
  type NewFiles,
  isLockOf,
  LOCK_PATH,
  type Locking,
  MANIFEST_PATH,
  manifestFiles,
  type Program,
} from "../../catalogue/init/manifest.ts";
import { type Installed, type PackageSpec, specOfInstalled } from "../../catalogue/init/packageSpec.ts";
import type { InitRequest } from "../../catalogue/init/settings.ts";
import { type GitState, nextSteps, type NextStep } from "../../catalogue/init/steps.ts";
import { type Clock, Fault, type NamedFiles, type Run } from "../../ports.ts";
import { EXIT, jsonDocument, type Output } from "../terminal/output.ts";

/** What `init` is asked to do. */
export interface InitArguments {
  /** As it was named. */
  readonly folder: string;
  readonly request: InitRequest;
  /** `undefined`: the program that runs. */
  readonly spec: PackageSpec | undefined;
}

/** What `init` asks of the world. */
export interface InitWorld {
  readonly clock: Clock;
  /** How npm installed this program; `undefined` in a clone. */
  readonly installed: Installed | undefined;
  /** The version of npm's own Node, where it runs this program. */
  readonly node: string | undefined;
  /** The text of the program's own workflows, channels and modules. Throws FILE_UNREADABLE. */
  ownFiles(run: Run): Promise<ReadonlyMap<string, string>>;
  readonly namedFiles: NamedFiles;
  /** What lies in the folder; files are read below the names that are ours. Throws CONFIGURATION, FILE_UNREADABLE. */
  list(isOurs: (name: string) => boolean): FolderContent;
  /** Whether the folder is a Git repository, and whether that knows a remote. Throws GIT_FAILED. */
  git(run: Run): Promise<GitState>;
  /** npm's lock file of these files. Throws PROCESS_FAILED. */
  lock(files: NewFiles, run: Run): Promise<Locking>;
  /** Writes files, in this order, each as a whole. Throws DISK_FULL, FILE_UNREADABLE. */
  write(files: NewFiles, run: Run): Promise<void>;
  /** Removes files. Throws FILE_UNREADABLE. */
  remove(paths: readonly string[]): void;
}

/** What init goes on with. */
type Locked = Exclude<Locking, { kind: "refused" }>;

/** `kyma-modules init`: an empty folder becomes a catalogue. Gives the exit code. */
export async function initCommand(
  arguments_: InitArguments,
  world: InitWorld,
  output: Output,
  run: Run,
): Promise<number> {
  const { folder, request } = arguments_;
  const manifest = manifestFiles(await programOf(arguments_.spec, world, run));
  const wanted = new Map([...catalogueFiles(request, await world.ownFiles(run)), ...manifest]);
  const tops = new Set([...wanted.keys(), LOCK_PATH].map((path) => path.split("/", 1)[0]));
  const content = world.list((name) => tops.has(name.replace(/^\.(.+)\.\d+\.tmp$/, "$1")));
  const known = knownLock(content, String(manifest.get(MANIFEST_PATH)));
  const { files, present, leftOver } = accepted(decideInit(wanted.set(LOCK_PATH, known ?? ""), content));
  const locking: Locked = known === undefined ? await lock(manifest, world, run) : { kind: "locked", text: known };
  world.remove(leftOver);
  const written = withLock(files, locking);
  await world.write(written, run);
  const isLocked = locking.kind === "locked";
  const steps = nextSteps({ request, folder, isLocked, git: await world.git(run) });
  report({ written: [...written.keys()], present, steps }, world.clock.nowMs(), output);
  if (locking.kind === "locked") return EXIT.fine;
  throw new Fault(
    "PROCESS_FAILED",
    `${LOCK_PATH} is missing. ${locking.why} Everything else is written: begin with the first step, or run this again.`,
  );
}

/** Throws CONFIGURATION where it is unknown which program the catalogue is to pin, or there is no such file. */
async function programOf(named: PackageSpec | undefined, world: InitWorld, run: Run): Promise<Program> {
  const spec = named ?? (world.installed && specOfInstalled(world.installed));
  if (spec === undefined) {
    const remedy = "Pack it, and name the file: npm pack, then --package kyma-modules-VERSION.tgz.";
    throw new Fault("CONFIGURATION", `This program runs from a clone, which a catalogue cannot install. ${remedy}`);
  }
  if (spec.kind !== "file") return { spec, tarball: undefined, node: world.node };
  const file = await world.namedFiles.readOne(spec.path, run);
  return { spec, tarball: { name: basename(spec.path), content: file.content }, node: world.node };
}

function knownLock({ files }: FolderContent, manifest: string): string | undefined {
  const found = files.get(LOCK_PATH);
  const text = found && new TextDecoder().decode(found);
  return text !== undefined && isLockOf(text, manifest) ? text : undefined;
}

function accepted(decision: InitDecision): Extract<InitDecision, { kind: "write" }> {
  if (decision.kind === "refused") throw new Fault("CONFIGURATION", `${decision.why} ${decision.remedy}`);
  return decision;
}

/** Throws CONFIGURATION where npm refuses the program, or the package is another one. */
async function lock(manifest: NewFiles, world: InitWorld, run: Run): Promise<Locked> {
  run.log.info("Asking npm for the lock file.");
  const locking = await world.lock(manifest, run);
  if (locking.kind === "unavailable") return locking;
  const remedy = "Name another one: --package SPEC. Nothing was written.";
  if (locking.kind === "refused")
    throw new Fault("CONFIGURATION", `npm cannot install this program: ${locking.why} ${remedy}`);
  if (isLockOf(locking.text, String(manifest.get(MANIFEST_PATH)))) return locking;
  throw new Fault("CONFIGURATION", `What was named is not the package of kyma-modules. ${remedy}`);
}

/** The lock file comes last: without it nothing can be installed, so that a half catalogue is not taken for a whole. */
function withLock(files: NewFiles, locking: Locked): NewFiles {
  const others = [...files].filter(([path]) => path !== LOCK_PATH);
  return new Map(locking.kind === "locked" && files.has(LOCK_PATH) ? [...others, [LOCK_PATH, locking.text]] : others);
}

function report(result: InitResult, decidedAt: number, output: Output): void {
  output.report({
    text: (paper) => initText(result, paper),
    json: () => jsonDocument("Init", { revision: undefined, decidedAt }, initItems(result)),
  });
}

/** What `init` did, and what comes next. */
interface InitResult {
  /** Paths, in the order in which they were written. */
  readonly written: readonly string[];
  /** What was there already. */
  readonly present: readonly string[];
  readonly steps: readonly NextStep[];
}

/** What `init` did, as people read it: where files are many, the folder that they are in. */
function initText({ written, present, steps }: InitResult, output: Output): string {
  const lines = [
    ...grouped(written).map((text) => `${output.paint("good", "written")}  ${text}`),
    ...grouped(present).map((text) => `${output.paint("quiet", "there")}    ${text}`),
    "",
    "Next:",
    ...stepLines(steps, output),
  ];
  return lines.join("\n");
}

/** Files of a module are counted; all others are named. */
function grouped(paths: readonly string[]): readonly string[] {
  const groups = Map.groupBy(paths, (path) => /^modules\/[^/]+\//.exec(path)?.[0] ?? path);
  return [...groups].map(([name, members]) =>
    name.endsWith("/") ? `${name} (${counted(members.length, "file")})` : name,
  );
}

function stepLines(steps: readonly NextStep[], output: Output): readonly string[] {
  return steps.flatMap(({ command, because }) => [
    ...(because === "" ? [] : [`  # ${because}`].map((text) => output.paint("quiet", text))),
    `  ${output.paint("strong", command)}`,
  ]);
}

/** What `init` did, as JSON; schemas/output/init.schema.json. */
function initItems({ written, present, steps }: InitResult): readonly object[] {
  return [
    ...written.map((path) => ({ kind: "written", path })),
    ...present.map((path) => ({ kind: "present", path })),
    ...steps.map((step) => ({ kind: "step", ...step })),
  ];
}
