import { basename } from "node:path";
import { counted } from "../../document/counted.ts";
import { decideInit, type FolderContent } from "../../catalogue/init/decide.ts";
import { catalogueFiles } from "../../catalogue/init/files.ts";
import {
  type NewFiles,
  isLockFile,
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

interface InitArguments {
  /** The folder as given on the command line. */
  readonly folder: string;
  readonly request: InitRequest;
  /** `undefined` for the running program. */
  readonly spec: PackageSpec | undefined;
}

/** The ports of `init`. */
export interface InitWorld {
  readonly clock: Clock;
  /** How npm installed this program; `undefined` in a clone. */
  readonly installed: Installed | undefined;
  /** The version of the npm package `node`, if it runs this program. */
  readonly node: string | undefined;
  /** The texts of the program's own workflows, channels and modules. Throws FILE_UNREADABLE. */
  ownFiles(run: Run): Promise<ReadonlyMap<string, string>>;
  readonly namedFiles: NamedFiles;
  /**
   * The content of the folder. Files are read only below the names in `isOurs`. Throws CONFIGURATION, FILE_UNREADABLE.
   */
  list(isOurs: (name: string) => boolean): FolderContent;
  /** Whether the folder is a Git repository, and whether it has a remote. Throws GIT_FAILED. */
  git(run: Run): Promise<GitState>;
  /** Makes npm's lock file for these files. Throws PROCESS_FAILED. */
  lock(files: NewFiles, run: Run): Promise<Locking>;
  /** Writes files, in this order, each atomically. Throws DISK_FULL, FILE_UNREADABLE. */
  write(files: NewFiles, run: Run): Promise<void>;
  /** Removes files. Throws FILE_UNREADABLE. */
  remove(paths: readonly string[]): void;
}

type Locked = Exclude<Locking, { kind: "refused" }>;

/** `kyma-modules init`: makes a catalogue in an empty folder. Returns the exit code. */
export async function initCommand(
  arguments_: InitArguments,
  world: InitWorld,
  output: Output,
  run: Run,
): Promise<number> {
  const { folder, request } = arguments_;
  const manifest = manifestFiles(await initProgram(arguments_.spec, world, run));
  const wanted = new Map([...catalogueFiles(request, await world.ownFiles(run)), ...manifest]);
  const tops = new Set([...wanted.keys(), LOCK_PATH].map((path) => path.split("/", 1)[0]));
  const content = world.list((name) => tops.has(name.replace(/^\.(.+)\.\d+\.tmp$/, "$1")));
  const known = knownLock(content, String(manifest.get(MANIFEST_PATH)));
  const decision = decideInit(wanted.set(LOCK_PATH, known ?? ""), content);
  if (decision.kind === "refused") throw new Fault("CONFIGURATION", `${decision.why} ${decision.remedy}`);
  const { files, present, leftOver } = decision;
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
    `${LOCK_PATH} is missing. ${locking.why} All other files are written: begin with the first step, or run this command again.`,
  );
}

/** The program that the catalogue pins. Throws CONFIGURATION if it is unknown, or its file does not exist. */
async function initProgram(named: PackageSpec | undefined, world: InitWorld, run: Run): Promise<Program> {
  const spec = named ?? (world.installed && specOfInstalled(world.installed));
  if (spec === undefined) {
    const remedy = "Run npm pack, then name the file: --package kyma-modules-VERSION.tgz.";
    throw new Fault("CONFIGURATION", `This program runs from a clone, which a catalogue cannot install. ${remedy}`);
  }
  if (spec.kind !== "file") return { spec, tarball: undefined, node: world.node };
  const file = await world.namedFiles.readOne(spec.path, run);
  return { spec, tarball: { name: basename(spec.path), content: file.content }, node: world.node };
}

function knownLock({ files }: FolderContent, manifest: string): string | undefined {
  const found = files.get(LOCK_PATH);
  const text = found && new TextDecoder().decode(found);
  return text !== undefined && isLockFile(text, manifest) ? text : undefined;
}

/** Throws CONFIGURATION if npm refuses the program, or if the package is not this program. */
async function lock(manifest: NewFiles, world: InitWorld, run: Run): Promise<Locked> {
  run.log.info("Asking npm for the lock file.");
  const locking = await world.lock(manifest, run);
  if (locking.kind === "unavailable") return locking;
  const remedy = "Name another package: --package SPEC. Nothing was written.";
  if (locking.kind === "refused")
    throw new Fault("CONFIGURATION", `npm cannot install this program: ${locking.why} ${remedy}`);
  if (isLockFile(locking.text, String(manifest.get(MANIFEST_PATH)))) return locking;
  throw new Fault("CONFIGURATION", `The named package is not kyma-modules. ${remedy}`);
}

/**
 * The lock file comes last: without it nothing can be installed, so that an incomplete catalogue does not look
 * complete.
 */
function withLock(files: NewFiles, locking: Locked): NewFiles {
  const others = [...files].filter(([path]) => path !== LOCK_PATH);
  return new Map(locking.kind === "locked" && files.has(LOCK_PATH) ? [...others, [LOCK_PATH, locking.text]] : others);
}

/** The result as text, or as JSON: schemas/output/init.schema.json. */
function report(result: InitResult, decidedAt: number, output: Output): void {
  const { written, present, steps } = result;
  output.report({
    text: (paper) => initText(result, paper),
    json: () =>
      jsonDocument("Init", { revision: undefined, decidedAt }, [
        ...written.map((path) => ({ kind: "written", path })),
        ...present.map((path) => ({ kind: "present", path })),
        ...steps.map((step) => ({ kind: "step", ...step })),
      ]),
  });
}

/** The result of `init`, and the next steps. */
interface InitResult {
  /** The written paths, in order. */
  readonly written: readonly string[];
  /** The paths that existed already. */
  readonly present: readonly string[];
  readonly steps: readonly NextStep[];
}

/** The result as text. Files of a module are shown as their folder. */
function initText({ written, present, steps }: InitResult, output: Output): string {
  const lines = [
    ...grouped(written).map((text) => `${output.paint("good", "written")}  ${text}`),
    ...grouped(present).map((text) => `${output.paint("quiet", "there")}    ${text}`),
    "",
    "Next:",
    ...steps.flatMap(({ command, because }) => [
      ...(because === "" ? [] : [output.paint("quiet", `  # ${because}`)]),
      `  ${output.paint("strong", command)}`,
    ]),
  ];
  return lines.join("\n");
}

/** Groups the files of each module; other files are named. */
function grouped(paths: readonly string[]): readonly string[] {
  const groups = Map.groupBy(paths, (path) => /^modules\/[^/]+\//.exec(path)?.[0] ?? path);
  return [...groups].map(([name, members]) =>
    name.endsWith("/") ? `${name} (${counted(members.length, "file")})` : name,
  );
}
