// Plain JavaScript for Node >= 20 without packages, because it runs before packages are installed.
// `pretest`, `prestart` and the bin shim call it, so one command after `git clone` is enough.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { lstatSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

const WAIT_MS = 200;

/** When the file was last written, in Unix milliseconds; 0 if it does not exist. */
const writtenMs = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;

/** npm writes the hidden lock file last, so one that is younger than the lock file means a complete installation. */
function isInstalled(root) {
  const lockMs = writtenMs(join(root, "package-lock.json"));
  return lockMs > 0 && writtenMs(join(root, "node_modules", ".package-lock.json")) >= lockMs;
}

/**
 * The environment without `node_modules/.bin` on the PATH: npm must not run on the Node 24 that it reinstalls.
 */
function environment() {
  const isOwn = (folder) => basename(folder) === ".bin";
  const path = (process.env.PATH ?? "").split(delimiter).filter((folder) => !isOwn(folder));
  return { ...process.env, PATH: path.join(delimiter) };
}

function npmCi(root) {
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  const { npm_execpath: cli, npm_node_execpath: node } = process.env;
  const isNpm = cli !== undefined && node !== undefined && basename(cli) === "npm-cli.js";
  const [program, ...before] = isNpm ? [node, cli] : ["npm"];
  const { status, error } = spawnSync(program, [...before, ...args], {
    cwd: root,
    env: environment(),
    // stdout belongs to the command that runs afterwards, which may print one JSON document
    stdio: ["ignore", 2, 2],
    shell: process.platform === "win32" && !isNpm,
  });
  if (status === 0) return 0;
  const why = error?.code === "ENOENT" ? " (there is no npm on the PATH)" : "";
  process.stderr.write(`kyma-modules: \`npm ci\` failed in ${root}${why}; fix the reported problem and run again\n`);
  return 3;
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === "EPERM";
  }
}

/** The process that holds the lock file; 0 if the file is gone or still empty. */
function holder(lock) {
  try {
    return Number(readFileSync(lock, "utf8"));
  } catch (error) {
    if (error.code === "ENOENT") return 0;
    throw error;
  }
}

/** Takes the lock, and waits while another running process holds it: two `npm ci` at once break each other. */
function acquire(lock) {
  let told = false;
  for (;;) {
    try {
      writeFileSync(lock, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (error.code !== "EEXIST") {
        rmSync(lock, { force: true }); // a full disk leaves an empty lock, for which others would wait forever
        throw error;
      }
    }
    const pid = holder(lock);
    if (pid > 0 && !isAlive(pid)) rmSync(lock, { force: true });
    else if (pid > 0 && !told) {
      process.stderr.write(`kyma-modules: process ${pid} is installing the packages here; waiting for it\n`);
      told = true;
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
  }
}

/**
 * Runs `npm ci` in the clone at `root` when its packages are missing or older than the lock file.
 * Returns 0, or the exit code after it printed the cause to stderr.
 */
export function install(root) {
  if (isInstalled(root)) return 0;
  if (lstatSync(join(root, "node_modules"), { throwIfNoEntry: false })?.isSymbolicLink() === true) {
    // `npm ci` would empty the target of the link, which another clone uses.
    process.stderr.write(
      `kyma-modules: node_modules in ${root} is a link to packages of another lock file; remove the link and run again\n`,
    );
    return 3;
  }
  const name = createHash("sha256").update(realpathSync(root)).digest("hex").slice(0, 16);
  const lock = join(tmpdir(), `kyma-modules-install-${name}.pid`);
  acquire(lock);
  try {
    if (isInstalled(root)) return 0;
    process.stderr.write("kyma-modules: installing the packages of package-lock.json (npm ci), once\n");
    return npmCi(root);
  } finally {
    rmSync(lock, { force: true });
  }
}

const self = fileURLToPath(import.meta.url);
if (process.argv[1] !== undefined && realpathSync(process.argv[1]) === self) {
  process.exitCode = install(fileURLToPath(new URL("../..", import.meta.url)));
}
