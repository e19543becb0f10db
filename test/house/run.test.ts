import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { root } from "./clone.ts";

const config = join(import.meta.dirname, "fixtures/vitest/vitest.config.ts");
const folder = mkdtempSync(join(tmpdir(), "kyma-modules-run-"));
const pidFile = join(folder, "pid");

afterAll(() => {
  rmSync(folder, { recursive: true });
});

interface Ended {
  readonly code: number | null;
  readonly lines: readonly string[];
}

/** `npm test -- FILTER` over the fixtures. */
function start(...filter: readonly string[]): {
  readonly ended: Promise<Ended>;
  readonly signal: (name: NodeJS.Signals) => void;
} {
  const args = [join(root, "test/run.ts"), "--config", config, ...filter];
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, PID_FILE: pidFile } });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const ended = new Promise<Ended>((resolve) => {
    child.on("close", (code) => {
      resolve({ code, lines: output.trimEnd().split("\n") });
    });
  });
  return { ended, signal: (name) => child.kill(name) };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ESRCH") return false;
    throw error;
  }
}

describe("npm test", () => {
  it("ends with the counts, after every skipped test and its reason", async () => {
    const { code, lines } = await start("green").ended;
    expect(lines.slice(-2)).toEqual([
      "skipped  green/green.fixture.ts > green > wants what is not here: no kubectl on the PATH",
      "1 passed, 0 failed, 1 skipped",
    ]);
    expect(code).toBe(0);
  });

  it("counts failed tests, files that do not load and skips without a reason as failed", async () => {
    const { code, lines } = await start("red").ended;
    expect(lines.slice(-5)).toEqual([
      "failed   red/red.fixture.ts > fails",
      "failed   red/broken.fixture.ts: does not load",
      "failed   red/red.fixture.ts > says nothing: skipped without a reason",
      "failed   red/red.fixture.ts > is yet to come: skipped without a reason",
      "1 passed, 4 failed, 0 skipped",
    ]);
    expect(code).toBe(1);
  });

  it("runs the long tests of a folder with the others if it is named, and by themselves with --long", async () => {
    const said = async (...args: readonly string[]): Promise<readonly string[]> =>
      (await start(...args).ended).lines.slice(-2);
    const unexplained = "failed   tagged/tagged.fixture.ts > takes long and says nothing: skipped without a reason";

    expect(await said("tagged")).toEqual([unexplained, "2 passed, 1 failed, 0 skipped"]);
    expect(await said("--long", "tagged")).toEqual([unexplained, "1 passed, 1 failed, 0 skipped"]);
    expect(await said("--long", "apart")).toEqual(["", "1 passed, 0 failed, 0 skipped"]);
  });

  it("counts only the tests of the name that -t gives", async () => {
    const { code, lines } = await start("-t", "^passes$", "red/red").ended;
    expect(lines.at(-1)).toBe("1 passed, 0 failed, 0 skipped");
    expect(code).toBe(0);
  });

  it("fails when no test has the name that -t gives", async () => {
    const { code, lines } = await start("-t", "nothing of this name", "green").ended;
    expect(lines.at(-1)).toMatch(/^0 passed, [1-9]\d* failed, 0 skipped$/);
    expect(code).toBe(1);
  });

  it("fails when there is no test at all", async () => {
    const { code, lines } = await start("nowhere").ended;
    expect(lines.at(-1)).toMatch(/^0 passed, \d+ failed, 0 skipped$/);
    expect(code).toBe(1);
  });

  it("leaves no process behind when it is stopped", async () => {
    const run = start("slow");
    await vi.waitUntil(() => existsSync(pidFile) && readFileSync(pidFile, "utf8") !== "", { timeout: 20_000 });
    const pid = Number(readFileSync(pidFile, "utf8"));
    expect(isAlive(pid)).toBe(true);
    run.signal("SIGINT");
    run.signal("SIGINT");
    expect((await run.ended).code).toBe(130);
    expect(isAlive(pid)).toBe(false);
  });
});

describe("npm test and npm run bench", () => {
  it.each(["test/run.ts", "test/bench/bench.ts"])(
    "tell their usage, and run nothing they do not know: %s",
    (script) => {
      const tried = ["--help", "-h", "--nope"].map((option) =>
        spawnSync(process.execPath, [join(root, script), option], { encoding: "utf8" }),
      );

      expect(tried.map(({ status }) => status)).toEqual([0, 0, 2]);
      expect(tried.map(({ stdout }) => stdout.startsWith("usage: npm "))).toEqual([true, true, false]);
      expect(tried.at(-1)?.stderr).toMatch(/^error: Unknown option '--nope'\.\nusage: npm .*/);
    },
  );
});
