import { describe, expect, it } from "vitest";
import type { ChannelName, ModuleName } from "../../../src/catalogue/names.ts";
import { dateHistory, truncateAt, type DatedHistory } from "../../../src/catalogue/history/dates.ts";
import type { DeclaredEntry, ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { moduleHistories } from "../../../src/catalogue/history/moduleHistory.ts";
import { channelTemplate } from "../repository.ts";
import { recordedOf, type Step } from "./recorded.ts";

const [FAST, ISTIO] = ["fast" as ChannelName, "istio" as ModuleName];
const [FILE, HOLDS, HOTFIXES] = ["channels/fast/istio.yaml", "modules/istio/holds.yaml", "modules/istio/hotfixes.yaml"];

function dated(...steps: readonly Step[]): DatedHistory {
  return dateHistory(recordedOf(...steps), new Map(), Date.UTC(2000));
}

function history(...steps: readonly Step[]): ModuleHistory {
  return moduleHistories(dated(...steps)).of(ISTIO);
}

/** The states of istio in fast, as `version@commit`. */
function served({ served }: ModuleHistory): readonly string[] {
  return (served.get(FAST) ?? []).map(({ version, revision }) => `${version ?? "nothing"}@${revision.commit}`);
}

function servedIn(...steps: readonly Step[]): readonly string[] {
  return served(history(...steps));
}

const template = (version: string): string => channelTemplate("fast", "istio", version);

describe("the states of a channel", () => {
  it("are one for each content, with its commit and time", () => {
    const { served } = history({ [FILE]: template("1.0.0") }, {}, { [FILE]: template("1.1.0") });

    expect(served.get(FAST)).toMatchObject([
      { version: "1.0.0", revision: { index: 0, commit: "c0", atMs: 1000 } },
      { version: "1.1.0", revision: { index: 2, commit: "c2", atMs: 3000 } },
    ]);
    expect(served.get(FAST)?.[0]?.hash()).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  it("continue when the content is broken, too large or a link", () => {
    const steps = ["a: [", { kind: "too-large", size: 9e9 }, { kind: "bad-link", target: "x" }] as const;

    expect(
      servedIn({ [FILE]: template("1.0.0") }, ...steps.map((content) => ({ [FILE]: content })), {
        [FILE]: template("1.1.0"),
      }),
    ).toEqual(["1.0.0@c0", "1.1.0@c4"]);
    expect(servedIn({ [FILE]: "broken" })).toEqual([]);
  });

  it("are empty after the file is removed, also while it is back but broken", () => {
    expect(
      servedIn(
        { [FILE]: template("1.0.0") },
        { [FILE]: undefined },
        { [FILE]: "broken" },
        { [FILE]: undefined },
        { [FILE]: template("1.0.0") },
      ),
    ).toEqual(["1.0.0@c0", "nothing@c1", "1.0.0@c4"]);
    expect(servedIn({ [FILE]: "broken" }, { [FILE]: undefined })).toEqual([]);
    expect(
      history({ [FILE]: template("1.0.0") }, { [FILE]: undefined })
        .served.get(FAST)?.[1]
        ?.hash(),
    ).toBe("");
  });

  it("do not change with a comment, but with the content of the same version", () => {
    const first = template("1.0.0");

    expect(
      servedIn(
        { [FILE]: first },
        { [FILE]: `# why\n${first}` },
        { [FILE]: `${first}  info: { repository: a, documentation: b }\n` },
      ),
    ).toEqual(["1.0.0@c0", "1.0.0@c2"]);
  });

  it("have the template of the newest text, also when only a comment is new", () => {
    const [first, second] = [template("1.0.0"), template("1.1.0")];
    const { served } = history(
      { [FILE]: first },
      { [FILE]: `# why\n${first}` },
      { [FILE]: second },
      { [FILE]: undefined },
    );
    const states = served.get(FAST) ?? [];

    expect(states.map(({ template }) => template()?.file.text)).toEqual([`# why\n${first}`, second, undefined]);
  });

  it("are separate for each channel and module", () => {
    const { modules, of } = moduleHistories(
      dated({
        "channels/fast/telemetry.yaml": channelTemplate("fast", "telemetry"),
        "channels/regular/istio.yaml": channelTemplate("regular"),
        [FILE]: template("1.1.0"),
      }),
    );

    expect(modules).toEqual(["istio", "telemetry"]);
    expect([...of(ISTIO).served.keys()].sort()).toEqual(["fast", "regular"]);
    expect(of(ISTIO)).toBe(of(ISTIO));
  });

  it("exclude files with invalid module or channel names, and unknown modules", () => {
    const text = template("1.0.0");
    const { modules, of } = moduleHistories(
      dated({
        "channels/NONE/istio.yaml": text,
        "channels/fast/Istio.yaml": text,
        "channels/fast.yaml": text,
        "modules/istio/module.yaml": text,
        "README.md": text,
      }),
    );

    expect(modules).toEqual([]);
    expect(of(ISTIO)).toEqual({ served: new Map(), holds: [], hotfixes: [] });
  });
});

function holdsFile(...entries: readonly string[]): string {
  return `format: 1\nholds: [${entries.join(", ")}]\n`;
}

function hold(version: string, more = "", reason = "it is slow"): string {
  return `{ version: ${version}, reason: ${reason}, by: octocat, since: "2026-05-04T09:30:00Z"${more} }`;
}

function hotfixesFile(...entries: readonly string[]): string {
  return `format: 1\nhotfixes: [${entries.join(", ")}]\n`;
}

function hotfix(version: string, more = ""): string {
  return `{ version: ${version}, channel: regular, incident: "https://x/1", by: octocat, at: "2026-05-04T09:30:00Z"${more} }`;
}

/** `version from–to`. */
function periods(all: readonly DeclaredEntry<{ readonly version: string }>[]): readonly string[] {
  return all.map(({ entry, from, to }) => `${entry.version} ${from.commit}–${to?.commit ?? ""}`);
}

describe("holds and hot-fixes", () => {
  it("exist from the merge of their entry to the merge of its removal", () => {
    const { holds } = history(
      { [HOLDS]: holdsFile(hold("1.0.0")) },
      { [HOLDS]: holdsFile(hold("1.1.0"), hold("1.0.0")) },
      { [HOLDS]: holdsFile(hold("1.1.0")) },
      { [HOLDS]: holdsFile() },
      { [HOLDS]: holdsFile(hold("1.0.0")) },
    );

    expect(periods(holds)).toEqual(["1.0.0 c0–c2", "1.1.0 c1–c3", "1.0.0 c4–"]);
  });

  it("are removed with their file, but not by an unreadable file", () => {
    const broken = [
      "a: [",
      "format: 1\n",
      { kind: "too-large", size: 9e9 },
      { kind: "bad-link", target: "x" },
    ] as const;
    const { holds, hotfixes } = history(
      { [HOLDS]: holdsFile(hold("1.0.0")), [HOTFIXES]: hotfixesFile(hotfix("1.0.0")) },
      ...broken.map((content) => ({ [HOLDS]: content, [HOTFIXES]: content })),
      { [HOLDS]: undefined, [HOTFIXES]: undefined },
      { [HOLDS]: "a: [" },
    );

    expect(periods(holds)).toEqual(["1.0.0 c0–c5"]);
    expect(periods(hotfixes)).toEqual(["1.0.0 c0–c5"]);
  });

  it("differ by channel, and holds also by their end", () => {
    const until = ', until: "2026-06-01T00:00:00Z"';
    const { holds } = history(
      { [HOLDS]: holdsFile(hold("1.0.0"), hold("1.0.0", ", channel: fast")) },
      { [HOLDS]: holdsFile(hold("1.0.0", until), hold("1.0.0", ", channel: fast")) },
    );

    expect(periods(holds)).toEqual(["1.0.0 c0–c1", "1.0.0 c0–", "1.0.0 c1–"]);
  });

  it("have their latest text, and exist once however often they are written", () => {
    const { holds, hotfixes } = history(
      { [HOLDS]: holdsFile(hold("1.0.0"), hold("1.0.0")), [HOTFIXES]: hotfixesFile(hotfix("1.0.1")) },
      {
        [HOLDS]: holdsFile(hold("1.0.0", "", "it is broken")),
        [HOTFIXES]: hotfixesFile(hotfix("1.0.1", ", alsoFixedIn: [1.1.1]")),
      },
    );

    expect(holds).toMatchObject([{ entry: { reason: "it is broken" }, from: { commit: "c0" }, to: undefined }]);
    expect(hotfixes).toMatchObject([{ entry: { alsoFixedIn: ["1.1.1"] }, from: { commit: "c0" }, to: undefined }]);
  });
});

describe("a dated history", () => {
  const steps = ["1.0.0", "1.1.0", "1.2.0"].map((version) => ({ [FILE]: template(version) }));

  it("has the times of the committers by default", () => {
    expect(dateHistory(recordedOf(...steps)).revisions.map(({ atMs }) => atMs)).toEqual([1000, 2000, 3000]);
  });

  it("has the times of the forge when they are known", () => {
    const { revisions } = dateHistory(recordedOf(...steps), new Map([["c1", { atMs: 2500, number: 7 }]]), 9000);

    expect(revisions.map(({ atMs }) => atMs)).toEqual([1000, 2500, 3000]);
  });

  it("when truncated at an instant, contains everything merged up to that millisecond", () => {
    const all = dated(...steps);
    const at = (atMs: number): readonly string[] => served(moduleHistories(truncateAt(all, atMs)).of(ISTIO));

    expect([at(999), at(1000), at(2000), at(9000)].map((states) => states.length)).toEqual([0, 1, 2, 3]);
    expect(truncateAt(all, 2999).revisions.at(-1)?.commit).toBe("c1");
    expect(truncateAt(all, 0)).toEqual({ revisions: [], changes: [] });
  });

  it("when truncated, contains everything before the newest revision that is old enough", () => {
    const merged = new Map([
      ["c0", { atMs: 5000 }],
      ["c1", { atMs: 2000 }],
    ]);
    const all = dateHistory(recordedOf(...steps), merged, 9000);

    expect(truncateAt(all, 2000).revisions.map(({ commit }) => commit)).toEqual(["c0", "c1"]);
  });

  it("when truncated, contains no later text of an entry", () => {
    const all = dated(
      { [HOTFIXES]: hotfixesFile(hotfix("1.0.1")) },
      { [HOTFIXES]: hotfixesFile(hotfix("1.0.1", ", alsoFixedIn: [1.1.1]")) },
      { [HOTFIXES]: undefined },
    );

    expect(moduleHistories(truncateAt(all, 1000)).of(ISTIO).hotfixes).toMatchObject([
      { entry: expect.not.objectContaining({ alsoFixedIn: ["1.1.1"] }) as object, to: undefined },
    ]);
  });
});
