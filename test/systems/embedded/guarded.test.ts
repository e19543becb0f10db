import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startGuard } from "../../../src/systems/embedded/guarded.ts";
import { mentions } from "../../support/mentions.ts";
import { processesWith } from "./processes.ts";

const PATH = { PATH: process.env["PATH"] };
const FIXTURE = join(import.meta.dirname, "fixtures", "guard.ts");
const eventually = { timeout: 20_000, interval: 50 };

describe("a guard", () => {
  let home: string;
  let folder: string;
  let lock: string;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "guard-test-"));
    folder = mkdtempSync(join(home, "temporary-"));
    lock = join(home, "lock");
    writeFileSync(lock, "");
  });

  afterEach(() => {
    rmSync(home, { recursive: true, force: true });
  });

  const program = (script: string) =>
    ({ name: "program", command: "sh", args: ["-c", script, folder], log: join(folder, "log"), stop: "kill" }) as const;

  async function startFixture(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [FIXTURE, folder, lock], { stdio: ["ignore", "ignore", "pipe"] });
    await vi.waitFor(() => {
      expect([existsSync(join(folder, "first")), existsSync(join(folder, "second"))]).toEqual([true, true]);
    }, eventually);
    return child;
  }

  const expectAllGone = (): Promise<void> =>
    vi.waitFor(() => {
      expect(processesWith(folder)).toEqual([]);
      expect([existsSync(folder), existsSync(lock)]).toEqual([false, false]);
    }, eventually);

  it("reports how a program ended, with the end of its output", async () => {
    const guarded = startGuard({}, PATH);
    guarded.start([program("seq 1 100; echo last words >&2; exit 3")]);
    const { tail, ...ended } = await guarded.ended;
    expect(ended).toMatchObject({ name: "program", ok: false, outcome: "ended with code 3" });
    expect(tail).toMatch(/\n100\nlast words\n$/);
    await guarded.stop();
  });

  it("reports a program that cannot be started", async () => {
    const guarded = startGuard({}, PATH);
    guarded.start([{ ...program(""), command: join(home, "absent") }]);
    const { ok, outcome } = await guarded.ended;
    expect([ok, outcome]).toEqual([false, mentions("not be started", `program ${join(home, "absent")}`)]);
    await guarded.stop();
  });

  it("ends programs, removes their belongings, and may be stopped twice", async () => {
    const guarded = startGuard({ temporaryFolder: folder, lock }, PATH);
    guarded.start([program("sleep 1000 & touch $0/started; wait")]);
    await vi.waitFor(() => {
      expect(existsSync(join(folder, "started"))).toBe(true);
    }, eventually);
    await Promise.all([guarded.stop(), guarded.stop()]);
    await guarded.stop();
    await expectAllGone();
  });

  it("ends a program with SIGTERM if its data is kept", async () => {
    const guarded = startGuard({}, PATH);
    const script = `trap 'echo saved > ${home}/saved; exit 0' TERM; touch $0/started; while :; do sleep 0.05; done`;
    guarded.start([{ ...program(script), stop: "ask" }]);
    await vi.waitFor(() => {
      expect(existsSync(join(folder, "started"))).toBe(true);
    }, eventually);
    await guarded.stop();
    expect(readFileSync(join(home, "saved"), "utf8")).toBe("saved\n");
  });

  it("passes exactly the given variables to its programs", async () => {
    const guarded = startGuard({}, { ...PATH, WANTED: "yes" });
    guarded.start([program('echo "$WANTED $HOME"')]);
    await expect(guarded.ended).resolves.toMatchObject({ ok: true, tail: "yes \n" });
    await guarded.stop();
  });

  it("keeps the lock fresh", async () => {
    const before = statSync(lock).mtimeMs;
    const guarded = startGuard({ lock }, PATH);
    await vi.waitFor(() => {
      expect(statSync(lock).mtimeMs).toBeGreaterThan(before);
    }, eventually);
    await guarded.stop();
  });

  it("ends everything when its parent is killed", async (context) => {
    if (process.platform !== "linux") context.skip("only Linux shows the processes of others in /proc");
    const parent = await startFixture();
    expect(processesWith(folder).length).toBeGreaterThanOrEqual(5);
    parent.kill("SIGKILL");
    await expectAllGone();
  });

  it("is replaced by its parent when it is killed itself", async (context) => {
    if (process.platform !== "linux") context.skip("only Linux shows the processes of others in /proc");
    const parent = await startFixture();
    const said: string[] = [];
    parent.stderr?.on("data", (text: Buffer) => said.push(text.toString()));
    const exited = once(parent, "close");
    const [guard = 0] = childrenOf(parent.pid ?? 0);
    process.kill(guard, "SIGKILL");
    await expectAllGone();
    await exited;
    expect(said.join("")).toContain("the guard process ended with SIGKILL");
  });
});

function childrenOf(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8");
  return children.trim().split(" ").map(Number);
}
