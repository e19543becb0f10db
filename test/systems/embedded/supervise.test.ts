import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startGuard, type Guarded } from "../../../src/systems/embedded/guarded.ts";
import { supervise, type Incident, type Readiness } from "../../../src/systems/embedded/supervise.ts";

const PATH = { PATH: process.env["PATH"] };

describe("supervising programs", () => {
  let home: string;
  let guarded: Guarded;

  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), "supervise-test-"));
    guarded = startGuard({}, PATH);
  });

  afterEach(async () => {
    await guarded.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** A program that notes each of its starts; `script` is what it does then. */
  const program = (name: string, script: string) =>
    ({
      name,
      command: "sh",
      args: ["-c", `echo ${name} >> ${home}/starts; ${script}`],
      log: join(home, name),
      stop: "kill",
    }) as const;

  const starts = (): string[] => readFileSync(join(home, "starts"), "utf8").trim().split("\n");

  /** Supervises until nothing is started any more, or until it is ready. */
  async function incidentsOf(
    programs: readonly ReturnType<typeof program>[],
    untilReady: (ended: Promise<unknown>) => Promise<Readiness>,
  ): Promise<readonly Incident[]> {
    const incidents: Incident[] = [];
    guarded.start(programs);
    const { promise: settled, resolve } = Promise.withResolvers<undefined>();
    const onIncident = (incident: Incident): void => {
      incidents.push(incident);
      if (incident.kind !== "ended") resolve(undefined);
    };
    void supervise({ guarded, programs, untilReady, onIncident, stopped: new AbortController().signal });
    await settled;
    return incidents;
  }

  const endsAgain = (ended: Promise<unknown>): Promise<Readiness> => ended.then(() => "ended");
  const isReady = (): Promise<Readiness> => Promise.resolve("ready");

  it("restarts only the program that ended, and reports when all is ready again", async () => {
    const script = `[ -e ${home}/once ] && exec sleep 1000; touch ${home}/once
      until grep -q lasting ${home}/starts; do sleep 0.05; done; exit 3`;
    const dying = program("dying", script);
    expect(await incidentsOf([program("lasting", "exec sleep 1000"), dying], isReady)).toEqual([
      { kind: "ended", name: "dying", outcome: "ended with code 3" },
      { kind: "ready", name: "dying" },
    ]);
    expect(starts().filter((name) => name === "lasting")).toEqual(["lasting"]);
  });

  it("restarts both if both end", async () => {
    const once = (name: string) =>
      program(name, `[ -e ${home}/${name}.once ] && exec sleep 1000; touch ${home}/${name}.once; exit 3`);
    let ends = 0;
    const incidents = await incidentsOf([once("first"), once("second")], (ended) => {
      ends += 1;
      return ends < 2 ? endsAgain(ended) : isReady();
    });
    expect(incidents.map(({ kind }) => kind)).toEqual(["ended", "ended", "ready"]);
  });

  it("gives up on a program that ends repeatedly, with the end of its log", async () => {
    const incidents = await incidentsOf([program("dying", "echo cannot do it; exit 3")], endsAgain);
    expect(starts()).toEqual(Array.from({ length: 6 }, () => "dying"));
    expect(incidents).toEqual([
      ...Array.from({ length: 5 }, () => ({ kind: "ended", name: "dying", outcome: "ended with code 3" })),
      { kind: "lost", fault: expect.objectContaining({ code: "PROCESS_FAILED" }) as Error },
    ]);
    const last = incidents.at(-1);
    expect(last?.kind === "lost" && last.fault.message).toBe(
      "dying ended with code 3, after 5 restarts within 2 minutes; the end of its log:\ncannot do it",
    );
  });

  it("gives up if the program does not become ready", async () => {
    const incidents = await incidentsOf([program("dying", "exit 3")], () => Promise.resolve("late"));
    expect(incidents.map(({ kind }) => kind)).toEqual(["ended", "lost"]);
  });

  it("reports nothing for a deliberate stop", async () => {
    const incidents: Incident[] = [];
    const stopping = new AbortController();
    const programs = [program("lasting", "exec sleep 1000")];
    guarded.start(programs);
    const onIncident = (incident: Incident): void => void incidents.push(incident);
    const supervised = supervise({ guarded, programs, untilReady: isReady, onIncident, stopped: stopping.signal });
    stopping.abort();
    await guarded.stop();
    await supervised;
    expect(incidents).toEqual([]);
  });
});
