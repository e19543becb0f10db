import { cpSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";

/** This repository. */
export const root: string = join(import.meta.dirname, "../..");

/** A fresh temporary folder; the caller removes it. */
export function temporaryFolder(): string {
  return realpathSync(mkdtempSync(join(tmpdir(), "kyma-modules-clone-")));
}

/** Makes `folder` a clone whose program is `main`, and whose installed packages are those of this repository. */
export function cloneWith(folder: string, main: string): void {
  for (const file of ["src/cli/kyma-modules.js", "src/cli/install.js", "package.json", "package-lock.json"]) {
    cpSync(join(root, file), join(folder, file), { preserveTimestamps: true });
  }
  writeFileSync(join(folder, "src/cli/main.ts"), main);
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
}

/** Makes `folder` a clone with one package, from beside it, that is not installed yet. */
export function cloneWithoutPackages(folder: string): void {
  mkdirSync(join(folder, "own"), { recursive: true });
  writeFileSync(join(folder, "own/package.json"), JSON.stringify({ name: "own", version: "1.0.0" }));
  const manifest = { name: "clone", version: "1.0.0", type: "module", dependencies: { own: "file:own" } };
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest));
  cpSync(join(root, "src/cli/install.js"), join(folder, "src/cli/install.js"));
  npm(["install", "--package-lock-only", "--offline"], folder);
}

/** What a finished program left. */
export interface Ended {
  /** `null` when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The environment of a person's shell: without what npm adds for its scripts. */
export function plainEnvironment(): Record<string, string | undefined> {
  const variables = Object.entries(process.env).filter(([name]) => !name.startsWith("npm_") && name !== "NODE_OPTIONS");
  const path = (process.env["PATH"] ?? "").split(delimiter).filter((entry) => basename(entry) !== ".bin");
  return { ...Object.fromEntries(variables), PATH: path.join(delimiter) };
}

/** Runs npm in `folder` as a person would; throws when it fails. */
export function npm(args: readonly string[], folder: string): string {
  const { status, stdout, stderr } = spawnSync("npm", args, {
    cwd: folder,
    encoding: "utf8",
    env: plainEnvironment(),
  });
  if (status !== 0) throw new Error(`npm ${args.join(" ")} ended with ${status ?? "a signal"}\n${stdout}${stderr}`);
  return stdout;
}

/** A program that runs, and how to signal it. */
export interface Started {
  readonly ended: Promise<Ended>;
  readonly signal: (name: NodeJS.Signals) => void;
  /** Resolves as soon as stdout holds `text`; rejects when the program ends before. */
  readonly printed: (text: string) => Promise<void>;
}

/** Starts `program` in `folder` as a person would. */
export function start(program: string, args: readonly string[], folder: string): Started {
  const child = spawn(program, args, { cwd: folder, env: plainEnvironment(), stdio: ["ignore", "pipe", "pipe"] });
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => {
      resolve({ code, stdout, stderr });
    });
  });
  const printed = async (text: string): Promise<void> => {
    while (!stdout.includes(text)) {
      const more = await Promise.race([ended, once(child.stdout, "data")]);
      if ("code" in more && !stdout.includes(text)) throw new Error(`it ended without printing ${text}\n${stderr}`);
    }
  };
  return { ended, printed, signal: (name) => child.kill(name) };
}

/** The Node that a person has on the PATH when it is older than the program needs. */
export function olderNode(): string | undefined {
  const script = "console.log(JSON.stringify([process.execPath, Number.parseInt(process.versions.node)]))";
  const { stdout } = spawnSync("node", ["-e", script], { encoding: "utf8", env: plainEnvironment() });
  const [path, major] = JSON.parse(stdout) as [string, number];
  return major < 24 ? path : undefined;
}
