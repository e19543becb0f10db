import { describe, expect, it } from "vitest";
import { orderedColumns, mandatoryChannels } from "../../../src/dashboard/channelOrder.ts";
import { openMatters } from "../../../src/dashboard/train/matters.ts";
import { trainTable } from "../../../src/dashboard/train/rows.ts";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { catalogueOf } from "../../catalogue/repository.ts";
import { mentions } from "../../support/mentions.ts";
import { clustersOf, textAt, wordsOf } from "../landscapeState.ts";
import { entryIn, HOUR, NOW, sightOf, stateOf, statusIn, verdictOn, waveOf } from "./trainState.ts";

/** `group module` of each row. */
function groups(state: DashboardState): readonly string[] {
  return trainTable(state).rows.map(({ group, module }) => `${group} ${module}`);
}

/** A lane as text: `dev,stage arrived 1.1.0`. */
function lane(state: DashboardState, channel: string, module: string): readonly string[] {
  const found = trainTable(state)
    .rows.find((row) => row.module === module)
    ?.lanes.get(channel);
  return (found?.stretches ?? []).map(
    ({ landscapes, kind, version = "–" }) => `${landscapes.join(",")} ${kind} ${version}`,
  );
}

/** The notes of a lane, by landscape. */
function notes(state: DashboardState, channel: string, module: string): readonly unknown[] {
  const found = trainTable(state)
    .rows.find((row) => row.module === module)
    ?.lanes.get(channel);
  return (found?.notes ?? []).map(({ note }) => note);
}

describe("the columns of the train", () => {
  const channel = (more: object): string =>
    JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"], ...more });
  const SETTINGS = JSON.stringify({ format: 1, landscapes: [{ name: "dev", controlPlane: { context: "kcp" } }] });

  it("have a gate before each channel that follows another, and unconnected channels on the side", () => {
    const catalogue = catalogueOf({
      "kyma-modules.yaml": SETTINGS,
      "channels/alone.yaml": channel({}),
      "channels/fast.yaml": channel({}),
      "channels/regular.yaml": channel({ follows: "fast" }),
      "channels/slow.yaml": channel({ follows: "regular" }),
      "channels/must.yaml": JSON.stringify({ format: 1, kind: "mandatory", landscapes: ["dev"] }),
    });

    expect(orderedColumns(catalogue).map(({ kind, channel: { name } }) => `${kind} ${name}`)).toEqual([
      "side alone",
      "lane fast",
      "gate regular",
      "lane regular",
      "gate slow",
      "lane slow",
    ]);
    expect(mandatoryChannels(catalogue).map(({ name }) => name)).toEqual(["must"]);
  });

  it("are all lanes if no channel follows another", () => {
    const catalogue = catalogueOf({ "kyma-modules.yaml": SETTINGS, "channels/alone.yaml": channel({}) });

    expect(orderedColumns(catalogue).map(({ kind }) => kind)).toEqual(["lane"]);
  });
});

describe("a lane", () => {
  const statuses = [statusIn("fast", "istio", "1.1.0")];

  it("shows the repository if no landscape was queried", () => {
    expect(lane(stateOf(statuses), "fast", "istio")).toEqual(["dev,stage,prod served 1.1.0"]);
    expect(lane(stateOf([statusIn("fast", "istio", undefined)]), "fast", "istio")).toEqual([
      "dev,stage,prod nothing –",
    ]);
  });

  it("does not show a landscape beside the way as one without the module if it was never seen", () => {
    const blind = { sinceMs: NOW - HOUR, because: "no route" };
    const unseen = { name: "dev", input: undefined, status: undefined, seenMs: undefined, blind };
    const [nothing, hidden] = [sightOf("dev", []), unseen].map((sight) =>
      textAt("/", stateOf([statusIn("experimental", "istio", "1.1.0")], { landscapes: [sight] }))
        .split("</td>")
        .filter((cell) => cell.includes('class="side-version"'))
        .map(wordsOf),
    );

    expect(nothing).not.toContainEqual(mentions("not seen"));
    expect(hidden).toContainEqual(mentions("–", "not seen"));
    expect(hidden).not.toContainEqual(mentions("1.1.0"));
  });

  it("is one stretch if all clusters of all landscapes have the version", () => {
    const entries = [entryIn("fast", "istio", "1.1.0", { clusters: clustersOf({ inOrder: 9 }) })];
    const state = stateOf(statuses, { landscapes: ["dev", "stage", "prod"].map((name) => sightOf(name, entries)) });

    expect(lane(state, "fast", "istio")).toEqual(["dev,stage,prod served 1.1.0"]);
    expect(groups(state)).toEqual(["quiet istio"]);
  });

  it("shows the progress of a wave, and when it continues", () => {
    const wanted = { kind: "waiting", version: "1.1.0", reason: "it soaks", untilMs: NOW + HOUR } as const;
    const state = stateOf(statuses, {
      landscapes: [
        sightOf("dev", [entryIn("fast", "istio", "1.1.0")]),
        sightOf("stage", [entryIn("fast", "istio", "1.1.0", { clusters: clustersOf({ inOrder: 3, pending: 1 }) })]),
        sightOf("prod", [entryIn("fast", "istio", "1.0.0", { wanted })]),
      ],
    });

    expect(lane(state, "fast", "istio")).toEqual(["dev arrived 1.1.0", "stage moving 1.1.0", "prod older 1.0.0"]);
    expect(notes(state, "fast", "istio")).toEqual([
      undefined,
      { kind: "share", share: 0.75 },
      { kind: "soak", untilMs: NOW + HOUR },
    ]);
    expect(groups(state)).toEqual(["moves istio"]);
  });

  it("counts the clusters now, whatever a controller recorded", () => {
    const wave = waveOf({ inOrder: 6 });
    const state = stateOf(statuses, {
      landscapes: [
        sightOf("dev", [entryIn("fast", "istio", "1.1.0", { wave, clusters: clustersOf({ failing: 6 }, "error") })]),
        sightOf("stage", [entryIn("fast", "istio", "1.1.0", { wave, clusters: clustersOf({ inOrder: 6 }) })]),
        sightOf("prod", [entryIn("fast", "istio", "1.1.0", { wave, clusters: undefined })]),
      ],
    });

    expect(lane(state, "fast", "istio")).toEqual(["dev moving 1.1.0", "stage arrived 1.1.0", "prod uncounted 1.1.0"]);
    expect(notes(state, "fast", "istio")).toEqual([{ kind: "failing", share: 1 }, undefined, undefined]);
    expect(wordsOf(textAt("/", state))).toMatch(
      /dev: 1\.1\.0 on its way.*prod: 1\.1\.0 clusters not known.*dev 100 % fail/,
    );
  });

  it("does not compare versions with a commit that may not change the landscape or a module", () => {
    const unknown = { isWantedKnown: false };
    const other = [entryIn("fast", "istio", "1.2.0", unknown), entryIn("fast", "nats", "1.0.0", unknown)];
    for (const status of [unknown, {}]) {
      const state = stateOf([...statuses, statusIn("fast", "nats", "1.0.0")], {
        landscapes: ["dev", "stage", "prod"].map((name) => sightOf(name, other, status)),
      });

      expect(lane(state, "fast", "istio")).toEqual(["dev,stage,prod foreign 1.2.0"]);
      expect(lane(state, "fast", "nats")).toEqual(["dev,stage,prod served 1.0.0"]);
      expect(groups(state)).toEqual(["quiet istio", "quiet nats"]);
    }
  });

  it("shows a halted wave, which needs a person", () => {
    const halt = { sinceMs: NOW - HOUR, reason: "1 of 4 fail" };
    const state = stateOf(statuses, {
      landscapes: [
        sightOf("dev", [
          entryIn("fast", "istio", "1.1.0", {
            wave: waveOf({ halt }),
            clusters: clustersOf({ inOrder: 3, failing: 1 }),
          }),
        ]),
        sightOf("stage", [entryIn("fast", "istio", undefined)]),
        { name: "prod", input: undefined, status: undefined, seenMs: undefined, blind: undefined },
      ],
    });

    expect(lane(state, "fast", "istio")).toEqual(["dev halted 1.1.0", "stage nothing –", "prod unseen –"]);
    expect(notes(state, "fast", "istio")[0]).toEqual({ kind: "failing", share: 0.25 });
    expect(groups(state)).toEqual(["blocked istio"]);
    expect(openMatters(state)).toMatchObject([
      { kind: "halted", module: "istio", about: "1.1.0", sinceMs: NOW - HOUR },
    ]);
  });

  it("shows a hot-fix, a mandatory module, and why a landscape does not change", () => {
    const hotfix = {
      version: "1.1.0",
      channel: "fast",
      incident: "https://example.com",
      by: "octocat",
      at: "",
    } as never;
    const wanted = { kind: "refused", version: "1.2.0", reason: "14 clusters use it.", remedy: "Move them." } as const;
    const state = stateOf([statusIn("fast", "istio", "1.1.0", { hotfix }), statusIn("mandatory", "warden", "1.0.0")], {
      landscapes: ["dev", "stage", "prod"].map((name) =>
        sightOf(name, [entryIn("fast", "istio", "1.1.0", { wanted }), entryIn("mandatory", "warden", "1.0.0")]),
      ),
    });

    expect(lane(state, "fast", "istio")).toEqual(["dev,stage,prod hotfix 1.1.0"]);
    expect(notes(state, "fast", "istio")[0]).toEqual({ kind: "kept", word: "refused" });
    expect(lane(state, "mandatory", "warden")).toEqual(["dev,stage,prod served 1.0.0"]);
    expect(groups(state)).toEqual(["quiet istio", "mandatory warden"]);
    expect(openMatters(state).map(({ kind, about }) => [kind, about])).toEqual(
      [["refused", "1.1.0"]].flatMap((one) => [one, one, one]),
    );
  });
});

describe("the groups of the train", () => {
  it("contain a module by its most urgent verdict, and sort waiting modules by time", () => {
    const at = (atMs: number): { readonly earliest: { readonly kind: "at"; readonly atMs: number } } => ({
      earliest: { kind: "at", atMs },
    });
    const state = stateOf([
      statusIn("regular", "aaa", "1.0.0", verdictOn("aaa", "nothing", "1.0.0")),
      statusIn("regular", "bbb", "1.0.0", verdictOn("bbb", "wait", "1.1.0")),
      statusIn("regular", "ccc", "1.0.0", verdictOn("ccc", "wait", "1.1.0", at(NOW + 2 * HOUR))),
      statusIn("regular", "ddd", "1.0.0", verdictOn("ddd", "wait", "1.1.0", at(NOW + HOUR))),
      statusIn("regular", "eee", "1.0.0", verdictOn("eee", "promote", "1.1.0")),
      statusIn("regular", "fff", "1.0.0", verdictOn("fff", "blocked", "1.1.0")),
    ]);

    expect(groups(state)).toEqual(["blocked fff", "moves eee", "waits ddd", "waits ccc", "waits bbb", "quiet aaa"]);
  });

  it("name no time of a promotion if nothing waits", () => {
    const waits = verdictOn("istio", "wait", "1.1.0");

    expect(wordsOf(textAt("/", stateOf([statusIn("regular", "istio", "1.0.0")])))).toMatch(/Wait\s*nothing waits/);
    expect(wordsOf(textAt("/", stateOf([statusIn("regular", "istio", "1.0.0", waits)])))).toMatch(/Wait\s*no time/);
  });
});
