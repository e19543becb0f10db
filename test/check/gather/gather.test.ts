import { describe, expect, it } from "vitest";
import type { SnapshotFile } from "../../../src/document/snapshot.ts";
import { check, type CheckRequest } from "../../../src/check/check.ts";
import type { Context } from "../../../src/check/context.ts";
import {
  FAST,
  manifestPath,
  manifestText,
  SAMPLE,
  templateText,
  type ExampleFiles,
} from "../../../src/check/example.ts";
import type { CheckWorld } from "../../../src/check/gather/gather.ts";
import { Fault, type History, type ReadHistory } from "../../../src/ports.ts";
import { quietRun } from "../../support/quietRun.ts";
import { filesWith, NOW_MS, sourceOf } from "../exampleWorld.ts";
import { NO_HISTORY } from "../../support/noHistory.ts";
import { recordedOf } from "../../catalogue/history/recorded.ts";

const PEOPLE = { author: "alice", approvedBy: ["bob"], teams: new Map() };
const BASE_REVISION = "b".repeat(40);

function world(history: History = NO_HISTORY): CheckWorld {
  return {
    clock: { nowMs: () => NOW_MS, pause: () => Promise.resolve() },
    validator: { judge: () => Promise.resolve([]), close: () => Promise.resolve() },
    history,
    outside: { kind: "not-asked", why: "no server is asked here" },
  };
}

async function gathered(request: Partial<CheckRequest>, asked: CheckWorld = world()): Promise<Context> {
  const whole = { head: sourceOf(filesWith()), base: undefined, paths: undefined, people: PEOPLE, rules: [] };
  return (await check({ ...whole, ...request }, asked, quietRun())).context;
}

/** The change of `files` on the sample catalogue. */
function changing(files: ExampleFiles): Partial<CheckRequest> {
  return { head: sourceOf(filesWith(files)), base: sourceOf(filesWith(), BASE_REVISION), paths: Object.keys(files) };
}

function kindsOf(context: Context): Readonly<Record<string, string>> {
  const { manifests, servedManifests } = context.facts;
  return Object.fromEntries([...servedManifests, ...manifests].map(([key, { kind }]) => [key, kind]));
}

describe("the history", () => {
  const recorded = recordedOf({ [FAST]: templateText("fast", "1.0.5") }, { [FAST]: templateText("fast", "1.1.0") });
  const whole: ReadHistory = { ...recorded, cut: undefined };

  it("is that of the base, so that a change cannot forge it; that of HEAD without a base", async () => {
    const asked: string[] = [];
    const remembering = world({
      ...NO_HISTORY,
      read: (revision) => {
        asked.push(revision);
        return Promise.resolve(whole);
      },
    });

    await gathered(changing({ [FAST]: templateText("fast", "1.2.0") }), remembering);
    await gathered({}, remembering);

    expect(asked).toEqual([BASE_REVISION, "HEAD"]);
  });

  it("says what every channel served of the judged modules", async () => {
    const { facts } = await gathered({}, world({ ...NO_HISTORY, read: () => Promise.resolve(whole) }));

    expect(facts.history).toMatchObject({ kind: "known" });
    expect(facts.history.kind === "known" && [...facts.history.value]).toEqual([
      [
        "sample",
        new Map([
          ["fast", [expect.objectContaining({ version: "1.0.5" }), expect.objectContaining({ version: "1.1.0" })]],
        ]),
      ],
    ]);
  });

  it("is unknown in a shallow clone; other failures are thrown", async () => {
    const cut = new Fault("HISTORY_TOO_SHALLOW", "shallow");
    const { facts } = await gathered({}, world({ ...NO_HISTORY, read: () => Promise.resolve({ ...whole, cut }) }));

    expect(facts.history).toEqual({ kind: "unknown", why: expect.stringContaining("git fetch --unshallow") as string });
    const failing = world({ ...NO_HISTORY, read: () => Promise.reject(new Fault("GIT_FAILED", "broken")) });
    await expect(gathered({}, failing)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });
});

describe("a manifest", () => {
  it("is known when the repository holds it, and unknown, not empty, when it does not", async () => {
    const context = await gathered(changing({ [FAST]: templateText("fast", "1.2.0") }));

    expect(kindsOf(context)).toMatchObject({
      "sample 1.1.0": "known",
      "sample 1.0.0": "known",
      "sample 1.2.0": "unknown",
    });
  });

  it("of a version in the base is read from the base, even if the change removes it", async () => {
    const manifest = manifestPath("1.1.0");
    const bump: ExampleFiles = {
      [FAST]: templateText("fast", "1.2.0"),
      [manifestPath("1.2.0")]: manifestText("1.2.0"),
    };

    for (const changed of [undefined, "kind: ConfigMap\n"]) {
      const { facts } = await gathered(changing({ ...bump, [manifest]: changed }));
      const fact = facts.servedManifests.get("sample 1.1.0");
      expect(fact?.kind === "known" && fact.value.objects).toHaveLength(4);
    }
  });
});

describe("a fact that was not asked for", () => {
  it("is not known", async () => {
    const { facts } = await gathered({});

    for (const answers of [facts.releases, facts.components, facts.images, facts.server])
      for (const fact of answers.values()) expect(fact).toMatchObject({ kind: "unknown" });
  });

  it("are the people, passed as named; and the clock is read once", async () => {
    const { facts, nowMs } = await gathered({});

    expect([facts.people, nowMs]).toEqual([PEOPLE, NOW_MS]);
  });
});

it("decides the same twice, whatever the order in which files are found", async () => {
  const entries = Object.entries(SAMPLE).map(([path, text]): [string, SnapshotFile] => [
    path,
    { kind: "bytes", bytes: Buffer.from(text.replace("channel: fast", "channel: slow")) },
  ]);
  const judge = async (files: readonly [string, SnapshotFile][]): Promise<unknown> => {
    const head = sourceOf(new Map(files));
    return (await check({ head, base: undefined, paths: undefined, people: PEOPLE }, world(), quietRun())).result;
  };

  expect(await judge(entries.toReversed())).toEqual(await judge(entries));
});
