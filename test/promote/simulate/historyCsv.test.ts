import { describe, expect, it } from "vitest";
import type { ReplayInput } from "../../../src/promote/simulate/replayInput.ts";
import { mentions } from "../../support/mentions.ts";
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
    expect(said(input)).toEqual([mentions("2 note", "v1.0.3")]);
  });

  it("is sorted by time, with a single note", () => {
    const input = inputOf(table("03 istio fast 1.2.0", "01 istio fast 1.0.0", "02 istio fast 1.1.0"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0", "2024-01-02 1.1.0", "2024-01-03 1.2.0"]);
    expect(said(input)).toEqual([mentions("3 note", "sorted")]);
  });

  it.each([
    ["2024-01-02,c,f,istio,fast,,1.0.0", ['"2024-01-02"', "instant"]],
    ["2024-01-02T00:00:00,c,f,istio,fast,,1.0.0", ['"2024-01-02T00:00:00"', "instant"]],
    ["2024-02-30T00:00:00Z,c,f,istio,fast,,1.0.0", ['"2024-02-30T00:00:00Z"', "instant"]],
    ["2024-13-02T00:00:00Z,c,f,istio,fast,,1.0.0", ['"2024-13-02T00:00:00Z"', "instant"]],
    ["2024-01-02T00:00:00Z,,f,istio,fast,,1.0.0", ["no commit"]],
    ["2024-01-02T00:00:00Z,c,f,Cluster_IP,fast,,1.0.0", ['"Cluster_IP"', "module"]],
    ["2024-01-02T00:00:00Z,c,f,istio,none,,1.0.0", ['"none"', "channel"]],
    ["2024-01-02T00:00:00Z,c,f,istio,fast,,1.0", ['"1.0"', "version"]],
    ["2024-01-02T00:00:00Z,c,f,istio", ["no channel"]],
    ["just a line of text", ["no commit"]],
    ["\u0000\ufffd", ["no commit"]],
  ])("leaves out the row %j: %j", (row, why) => {
    const input = inputOf([HEADER, row, "2024-01-01T00:00:00Z,c,f,keda,fast,,1.0.0"].join("\n"));

    expect(said(input)[0]).toEqual(mentions("2 warning", "left out", ...why));
    expect([...input.modules.keys()]).toEqual(["keda"]);
  });

  it("uses each statement of a commit once", () => {
    const input = inputOf(table("01 istio fast 1.0.0", "01 istio fast 1.0.0", "01 istio fast 2.0.0"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0"]);
    expect(said(input)).toEqual([
      mentions("3 warning", "repeats", "line 2"),
      mentions("4 warning", "contradicts", "line 2"),
    ]);
  });

  it("leaves out a row that dates its commit differently", () => {
    const rows = ["05,c1,f,istio,fast,,1.0.0", "20,c1,f,istio,regular,,1.0.0", "05,c1,f,keda,fast,,1.0.0"];
    const input = inputOf(
      [HEADER, ...rows.map((row) => `2024-01-${row.slice(0, 2)}T00:00:00Z${row.slice(2)}`)].join("\n"),
    );

    expect(said(input).filter((text) => text.includes("warning"))).toEqual([
      mentions("3 warning", "left out", "contradicts", "commit_date", "line 2"),
    ]);
    expect([...historyOf(input, "istio").served.keys()]).toEqual(["fast"]);
    expect(served(input, "keda", "fast")).toEqual(["2024-01-05 1.0.0"]);
  });

  it("leaves out a row that changes nothing", () => {
    const input = inputOf(table("01 istio fast ", "02 istio fast 1.0.0", "03 istio fast 1.0.0"));

    expect(served(input, "istio", "fast")).toEqual(["2024-01-02 1.0.0"]);
    expect(said(input)).toEqual([
      mentions("2 note", "changes nothing", "fast", "none of istio"),
      mentions("4 note", "changes nothing", "fast", "1.0.0 of istio"),
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
      mentions("2 note", "fast", "0.9.0 of istio", "no version", "missing"),
      mentions("4 note", "fast", "1.2.0 of istio", "1.1.0", "missing"),
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

    expect(said(input)).toEqual([mentions("1 note", "from_version")]);
    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0"]);
  });

  it("is read up to an unclosed quote", () => {
    const input = inputOf(
      `${table("01 istio fast 1.0.0")}\n2024-01-02T00:00:00Z,c,f,istio,fast,,"1.1.0\n2024-01-03T00:00:00Z,c,f,x`,
    );

    expect(served(input, "istio", "fast")).toEqual(["2024-01-01 1.0.0"]);
    expect(said(input)[0]).toEqual(mentions("3 warning", "Quote Not Closed"));
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
        why: mentions("history.csv", "first line", "commit_date, commit, module"),
      });
    },
  );

  it.each([
    [HEADER, ["history.csv", "no row"]],
    [table("01 istio fast one"), ["history.csv", "no row", "Line 2", '"one"', "version"]],
  ])("is refused without a usable row: %j", (text, why) => {
    expect(readText(text)).toEqual({ kind: "refused", why: mentions(...why) });
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
