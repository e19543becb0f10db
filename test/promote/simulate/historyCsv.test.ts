import { describe, expect, it } from "vitest";
import type { ReplayInput } from "../../../src/promote/simulate/replayInput.ts";
import { channel, HEADER, historyOf, readText, realTimeline, table, inputOf } from "./tables.ts";

const served = (input: ReplayInput, name: string, where: string): readonly string[] =>
  (historyOf(input, name).served.get(channel(where)) ?? []).map(
    ({ version, revision }) => `${new Date(revision.atMs).toISOString().slice(0, 10)} ${version ?? "none"}`,
  );

const said = (input: ReplayInput): readonly string[] =>
  input.findings.map(({ line, severity, message }) => `${line} ${severity}: ${message}`);

describe("a table of changes", () => {
  it("becomes the states of each channel and module, with commit and time", () => {
    const input = inputOf(table("01 istio fast 1.0.0", "02 istio regular 1.0.0", "03 istio fast 1.1.0"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0", "2024-01-03 1.1.0"]);
    const regular = historyOf(input, "istio").served.get(channel("regular")) ?? [];
    expect(regular.map(({ revision, hash }) => [revision, hash()])).toEqual([
      [{ index: 1, commit: "commit-02", atMs: Date.parse("2024-01-02T00:00:00Z") }, "istio@1.0.0"],
    ]);
    expect(input.findings).toEqual([]);
  });

  it("gives all rows of a commit one revision", () => {
    const input = inputOf(table("01 istio fast 1.0.0", "01 keda regular 1.0.0"));
    const revisions = ["istio", "keda"].flatMap((name) =>
      [...historyOf(input, name).served.values()].flat().map(({ revision }) => revision),
    );

    expect(new Set(revisions).size).toBe(1);
  });

  it("takes an empty to_version as a removal, which has no content", () => {
    const input = inputOf(table("01 istio fast 1.0.0", "02 istio fast "));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0", "2024-01-02 none"]);
    expect(historyOf(input, "istio").served.get(channel("fast"))?.[1]?.hash()).toBe("");
  });

  it("removes the v of a version, with a note", () => {
    const input = inputOf(table("01 istio fast v1.0.3", "02 istio fast 1.0.4-dev"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.3", "2024-01-02 1.0.4-dev"]);
    expect(said(input)).toEqual(["2 note: The v of v1.0.3 is removed."]);
  });

  it("is sorted by time, with a single note", () => {
    const input = inputOf(table("03 istio fast 1.2.0", "01 istio fast 1.0.0", "02 istio fast 1.1.0"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0", "2024-01-02 1.1.0", "2024-01-03 1.2.0"]);
    expect(said(input)).toEqual(["3 note: From here on the rows are not in order of time; they are sorted."]);
  });

  it.each([
    ["2024-01-02,c,f,istio,fast,,1.0.0", '"2024-01-02" is not an instant with a zone'],
    ["2024-01-02T00:00:00,c,f,istio,fast,,1.0.0", '"2024-01-02T00:00:00" is not an instant with a zone'],
    ["2024-02-30T00:00:00Z,c,f,istio,fast,,1.0.0", '"2024-02-30T00:00:00Z" is not an instant with a zone'],
    ["2024-13-02T00:00:00Z,c,f,istio,fast,,1.0.0", '"2024-13-02T00:00:00Z" is not an instant with a zone'],
    ["2024-01-02T00:00:00Z,,f,istio,fast,,1.0.0", "it names no commit"],
    ["2024-01-02T00:00:00Z,c,f,Cluster_IP,fast,,1.0.0", '"Cluster_IP" is not a module name'],
    ["2024-01-02T00:00:00Z,c,f,istio,none,,1.0.0", '"none" is not a channel name'],
    ["2024-01-02T00:00:00Z,c,f,istio,fast,,1.0", '"1.0" is not a version'],
    ["2024-01-02T00:00:00Z,c,f,istio", "it has no channel"],
    ["just a line of text", "it has no commit"],
    ["\u0000\ufffd", "it has no commit"],
  ])("leaves out the row %j: %s", (row, why) => {
    const input = inputOf([HEADER, row, "2024-01-01T00:00:00Z,c,f,keda,fast,,1.0.0"].join("\n"));

    expect(said(input)[0]).toContain(`2 warning: The row is left out: ${why}`);
    expect([...input.modules.keys()]).toEqual(["keda"]);
  });

  it("uses each statement of a commit once", () => {
    const input = inputOf(table("01 istio fast 1.0.0", "01 istio fast 1.0.0", "01 istio fast 2.0.0"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0"]);
    expect(said(input)).toEqual([
      "3 warning: The row is left out: it repeats line 2, of the same commit.",
      "4 warning: The row is left out: it contradicts line 2, of the same commit.",
    ]);
  });

  it("leaves out a row that changes nothing", () => {
    const input = inputOf(table("01 istio fast ", "02 istio fast 1.0.0", "03 istio fast 1.0.0"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-02 1.0.0"]);
    expect(said(input)).toEqual([
      "2 note: The row is left out: it changes nothing, fast had none of istio already.",
      "4 note: The row is left out: it changes nothing, fast had 1.0.0 of istio already.",
    ]);
  });

  it("notes missing rows according to from_version", () => {
    const rows = [
      "01,c1,f,istio,fast,0.9.0,1.0.0",
      "02,c2,f,istio,fast,v1.0.0,1.1.0",
      "03,c3,f,istio,fast,1.2.0,1.3.0",
    ];
    const input = inputOf(
      [HEADER, ...rows.map((row) => `2024-01-${row.slice(0, 2)}T00:00:00Z${row.slice(2)}`)].join("\n"),
    );

    expect(said(input)).toEqual([
      "2 note: The row says that fast served 0.9.0 of istio before, but the rows above have no version: some are missing.",
      "4 note: The row says that fast served 1.2.0 of istio before, but the rows above have 1.1.0: some are missing.",
    ]);
  });

  it("is read with a byte order mark, CRLF, empty lines, quotes, blanks, and columns in any order", () => {
    const text = [
      '\ufeffModule, channel ,"to_version",commit,commit_date,from_version,more',
      "",
      ' istio ,"fast",1.0.0,abc,2024-01-01 01:00:00 +0100,,"a, b"',
      "istio,fast,1.1.0,abd,2024-01-02T00:00:00.5Z,1.0.0,,,,",
      "",
    ].join("\r\n");
    const input = inputOf(text);

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0", "2024-01-02 1.1.0"]);
    expect(said(input)).toEqual([]);
  });

  it("is read without from_version, with a note", () => {
    const input = inputOf("commit_date,commit,module,channel,to_version\n2024-01-01T00:00:00Z,c,istio,fast,1.0.0\n");

    expect(said(input)).toEqual(["1 note: There is no column from_version, so missing rows cannot be detected."]);
    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0"]);
  });

  it("is read up to an unclosed quote", () => {
    const input = inputOf(
      `${table("01 istio fast 1.0.0")}\n2024-01-02T00:00:00Z,c,f,istio,fast,,"1.1.0\n2024-01-03T00:00:00Z,c,f,x`,
    );

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0"]);
    expect(said(input)[0]).toMatch(/^3 warning: From here on it cannot be read \(Quote Not Closed/);
  });

  it("lists gaps", () => {
    const text = [
      HEADER,
      "2024-01-01T00:00:00Z,c1,f,istio,fast,,1.0.0",
      "2024-01-14T23:59:59Z,c2,f,istio,fast,,1.1.0",
      "2024-01-28T23:59:59Z,c3,f,istio,fast,,1.2.0",
      "2024-01-28T23:59:59Z,c3,f,keda,fast,,1.2.0",
    ].join("\n");

    expect(inputOf(text).gaps).toEqual([
      { startMs: Date.parse("2024-01-14T23:59:59Z"), endMs: Date.parse("2024-01-28T23:59:59Z"), commit: "c3" },
    ]);
  });

  it.each(["", "\n\n", "commit_date,commit\n1,2\n", table("01 istio fast 1.0.0").split("\n")[1] ?? ""])(
    "is refused without its header: %j",
    (text) => {
      expect(readText(text)).toEqual({
        kind: "refused",
        why: expect.stringContaining("its first line must name the columns commit_date, commit, module") as string,
      });
    },
  );

  it.each([
    [HEADER, "history.csv is not a channel history: no row of it can be used."],
    [
      table("01 istio fast one"),
      /^history\.csv is not a channel history: no row of it can be used\. Line 2: The row is left/,
    ],
  ])("is refused without a usable row: %j", (text, why) => {
    expect(readText(text)).toEqual({ kind: "refused", why: expect.stringMatching(why) as string });
  });
});

describe("the real history", () => {
  it("is read as a whole, cluster-ip included", (context) => {
    const input = realTimeline(context);

    expect([...input.modules.keys()]).toEqual([
      "api-gateway",
      "application-connector",
      "btp-operator",
      "cap-operator",
      "cluster-ip",
      "eventing",
      "istio",
      "keda",
      "nats",
      "serverless",
      "telemetry",
      "transparent-proxy",
    ]);
    expect(input.findings.filter(({ severity }) => severity === "warning")).toEqual([]);
    expect(input.findings.filter(({ rule }) => rule === "history-csv-version-prefix")).toHaveLength(6);
    expect(input.findings).toHaveLength(6);
  });

  it("has four gaps of weeks", (context) => {
    const days = realTimeline(context).gaps.map(({ startMs, endMs }) =>
      [startMs, endMs].map((ms) => new Date(ms).toISOString().slice(0, 10)).join(" to "),
    );

    expect(days).toEqual([
      "2023-11-30 to 2024-01-17",
      "2024-02-20 to 2024-03-07",
      "2024-04-10 to 2024-05-10",
      "2024-07-03 to 2024-08-13",
    ]);
  });
});
