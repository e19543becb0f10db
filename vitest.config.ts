import { globSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { defineConfig, type TestProjectInlineConfiguration, type ViteUserConfigFnObject } from "vitest/config";
import { pureFiles } from "./test/house/pureFiles.ts";
import { LONG_TAG } from "./test/house/longTag.ts";
import { LEAN_NODE } from "./test/support/leanNode.ts";

/** Ends tests that hang. It is long, because the machine may be busy with other work. Milliseconds. */
const DEADLINE_MS = 600_000;
/** Ends a wait for what a test polls; by default a second, which a busy machine may take. Milliseconds. */
const POLL_MS = 30_000;
const EVERY_BRANCH = { branches: 100 };

const NO_TESTS = ["node_modules/**", "**/fixtures/**"];
/** Their tests need no server, and start at once. */
const PURE_ROOMS = "document|catalogue|kubernetes|check|promote|sync|smoke|fleet|rehearsal|dashboard";
const CONTRACT = "test/**/*.contract.test.ts";
const PURE = [`test/@(${PURE_ROOMS})/**/*.test.ts`];
/** Pure tests of so many inputs, or of a browser, that code which counts its branches would double their time. Others cover all. */
const UNCOUNTED = [
  "test/catalogue/{schemaConstraint,yamlAgreement,history/servedContent,import/kymaData}.test.ts",
  "test/{check/hostile,document/yaml/large}.test.ts",
  "test/dashboard/*/browser.test.ts",
  "test/{fleet,promote,sync/model}/**/!(evidence).property.test.ts",
];
const globalSetup = ["test/support/globalSetup.ts"];

/** A part of the tests, with the settings that all have in common. */
function project(name: string, test: ProjectOptions): TestProjectInlineConfiguration {
  return { extends: true, test: { name, ...test } };
}

type ProjectOptions = NonNullable<TestProjectInlineConfiguration["test"]>;

const EVERYTHING = [
  // Files that share a process load what they test once.
  project("pure", { include: PURE, exclude: [...NO_TESTS, CONTRACT, ...UNCOUNTED], isolate: false }),
  project("uncounted", { include: UNCOUNTED, exclude: NO_TESTS, isolate: false }),
  // All other tests. One control plane is started for all of them.
  project("contract", {
    include: [`test/!(${PURE_ROOMS}|long|faults|e2e|endurance)/**/*.test.ts`, CONTRACT],
    exclude: NO_TESTS,
    globalSetup,
    isolate: false,
    execArgv: [...LEAN_NODE],
  }),
];
/** What tries random inputs, with more of them than by day. */
const searches = (): TestProjectInlineConfiguration =>
  project("search", {
    include: globSync("test/**/*.test.ts").filter((file) => readFileSync(file, "utf8").includes("support/tries.ts")),
    env: { TRIES_TIMES: "20" },
  });
/** Tests that run by themselves, each in a folder of its name. */
const apart = (name: string): TestProjectInlineConfiguration[] => [
  project(name, { include: [`test/${name}/**/*.test.ts`], exclude: NO_TESTS, globalSetup }),
  ...(name === "long" ? [searches()] : []),
];

const APART = ["long", "faults", "e2e", "endurance"];

/** `--mode long` runs test/long, and so on; without a mode, everything else runs. */
const config: ViteUserConfigFnObject = defineConfig(({ mode }) => ({
  test: {
    projects: APART.includes(mode) ? apart(mode) : EVERYTHING,
    setupFiles: ["test/support/environment.ts"],
    tags: [LONG_TAG],
    // many tests wait for a process, a server or a clock: with a worker for each core, a third of the time stood idle
    maxWorkers: availableParallelism() + 1,
    testTimeout: DEADLINE_MS,
    hookTimeout: DEADLINE_MS,
    expect: { poll: { timeout: POLL_MS } },
    allowOnly: false,
    coverage: {
      provider: "custom",
      customProviderModule: "test/house/coverage.ts",
      include: [...pureFiles],
      reporter: [["text", { skipFull: true }]],
      thresholds: Object.fromEntries(pureFiles.map((glob) => [glob, EVERY_BRANCH])),
    },
  },
}));

export default config;
