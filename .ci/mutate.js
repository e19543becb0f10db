// `node .ci/mutate.js [--lines N] [--seed N] [GLOB…]`: changes code of the pure files in a clone of HEAD, and prints how many of
// the changes some pure test notices. `--lines N` changes about N lines, chosen by the seed; without it, all, which takes hours.
import { execFileSync } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { pureFiles } from "../test/house/pureFiles.ts";

const root = resolve(import.meta.dirname, "..");
const options = { lines: { type: "string" }, seed: { type: "string", default: "1" } };
const { values, positionals } = parseArgs({ options, allowPositionals: true });

/** Stryker changes whole ranges of lines, so the sample consists of some. */
const RANGE = 6;
const STRYKER = ["core", "vitest-runner"].map((name) => `@stryker-mutator/${name}@10.1.1`);
const ROOMS = "document|catalogue|kubernetes|check|promote|sync|smoke|fleet|rehearsal|dashboard";
/** Stryker 10 finds the changes of no test if the configuration of vitest has projects. */
const VITEST = `export default { test: {
  include: ["test/@(${ROOMS})/**/*.test.ts"],
  exclude: ["node_modules/**", "**/fixtures/**", "test/**/*.contract.test.ts"],
  setupFiles: ["test/support/environment.ts"],
} };
`;

/** Numbers from 0 to 1 that depend on the seed only. */
function* chances(seed) {
  for (let state = seed; ; yield state / 2 ** 32) state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
}

/** The files, or about so many of their lines. */
function sample(files, lines) {
  if (lines === undefined) return files;
  const ranges = files.flatMap((file) => {
    const count = Math.floor(readFileSync(join(root, file), "utf8").split("\n").length / RANGE);
    return Array.from({ length: count }, (_, at) => `${file}:${at * RANGE + 1}-${(at + 1) * RANGE}`);
  });
  const chance = chances(Number(values.seed));
  const share = Number(lines) / RANGE / ranges.length;
  return ranges.filter(() => chance.next().value < share);
}

/** Of each room, how many changes were noticed, and how many there were. */
function scores({ files }) {
  const all = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.filter(({ status }) => status !== "Ignored").map(({ status }) => [file.split("/")[1], status]),
  );
  const noticed = (some) => some.filter(([, status]) => status === "Killed" || status === "Timeout").length;
  const rooms = Object.entries(Object.groupBy(all, ([room]) => room));
  return Object.fromEntries([...rooms, ["all", all]].map(([room, some]) => [room, [noticed(some), some.length]]));
}

const folder = mkdtempSync(join(tmpdir(), "kyma-modules-mutate-"));
const cwd = join(folder, "main");
const call = (...command) => execFileSync(command[0], command.slice(1), { cwd, stdio: ["ignore", 2, "inherit"] });
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
process.on("SIGINT", () => process.exit(130));

execFileSync("git", ["clone", "--quiet", root, cwd], { stdio: "inherit" });
const shared = join(root, "../shared");
if (existsSync(shared)) symlinkSync(shared, join(folder, "shared"));
call("npm", "ci", "--no-audit", "--no-fund");
// Not a dependency: it brings 180 packages, and is seldom wanted.
call("npm", "install", "--no-save", "--no-audit", "--no-fund", ...STRYKER);
writeFileSync(join(cwd, "vitest.mutate.config.js"), VITEST);
const globs = positionals.length > 0 ? positionals : pureFiles;
const configuration = {
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "vitest.mutate.config.js", related: false },
  mutate: sample(globSync(globs, { cwd: root }).sort(), values.lines),
  // Tests do not assert sentences.
  mutator: { excludedMutations: ["StringLiteral"] },
  ignoreStatic: true,
  coverageAnalysis: "perTest",
  timeoutMS: 120_000,
  reporters: ["json", "clear-text", "progress-append-only"],
  jsonReporter: { fileName: "mutation.json" },
  clearTextReporter: { allowColor: false, reportTests: false },
  tempDirName: join(folder, "sandbox"),
};
writeFileSync(join(cwd, "stryker.config.json"), JSON.stringify(configuration));
call("npx", "stryker", "run");
const report = JSON.parse(readFileSync(join(cwd, "mutation.json"), "utf8"));
process.stdout.write(`${JSON.stringify(scores(report))}\n`);
