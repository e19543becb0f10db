import { describe, expect, it } from "vitest";
import type { ImportInput } from "../../../src/catalogue/import/result.ts";
import { mentions } from "../../support/mentions.ts";
import { complete, file, importAll, only, parseAfter, paths, reasons, textsAfter } from "./samples.ts";

const variant = (repository: string) => ({ info: { repository, documentation: "" } });
const istio = (version: string, spec: object = {}) => complete("istio", version, { ...spec });
const fast = (name: string, repository: string, changedMs?: number): ImportInput =>
  file(name, istio("1.0.0", { channel: "fast", ...variant(repository) }), changedMs);
const NEWEST = { preferNewest: true };

describe("different contents for one place", () => {
  it("are all left out, and each one is listed", () => {
    const decision = importAll([fast("a.yaml", "one"), fast("b.yaml", "two"), fast("c.yaml", "two")]);

    expect(decision.files).toEqual([]);
    expect(decision.leftOut).toMatchObject(
      ["a.yaml", "b.yaml", "c.yaml"].map((source) => ({
        source,
        reason: "conflict",
        path: "channels/fast/istio.yaml",
        message: mentions("istio 1.0.0", "2 different contents", "channels/fast/istio.yaml", "--prefer newest"),
      })),
    );
  });

  it("are left out except the newest when that is preferred", () => {
    const decision = importAll(
      [fast("a.yaml", "one", 1), fast("b.yaml", "two", 3), fast("c.yaml", "two", 0), fast("d.yaml", "x", 2)],
      NEWEST,
    );

    expect(only(decision)).toMatchObject({ from: "b.yaml", merged: [{ source: "c.yaml" }] });
    expect(decision.leftOut.map(({ message }) => message)).toEqual(
      ["a", "d"].map(() => mentions("istio 1.0.0", "b.yaml and c.yaml", "channels/fast/istio.yaml")),
    );
    expect(reasons(decision)).toEqual(["a.yaml: older", "d.yaml: older"]);
  });

  it.each([
    ["are equally new", 1],
    ["have no known time", undefined],
  ])("are still left out when they %s", (_, changedMs) => {
    const { leftOut } = importAll([fast("a.yaml", "one", 1), fast("b.yaml", "two", changedMs)], NEWEST);

    expect(leftOut.map(({ reason }) => reason)).toEqual(["conflict", "conflict"]);
    expect(leftOut[0]?.message).toEqual(mentions("newest", "unknown"));
  });
});

describe("a template of the repository", () => {
  const before = textsAfter(importAll([fast("a.yaml", "one")]));
  const time = (changedMs: number) => ({ ...NEWEST, changedMs: new Map([["channels/fast/istio.yaml", changedMs]]) });

  it("is not written again when it is equal", () => {
    const decision = importAll([fast("b.yaml", "one"), fast("a.yaml", "one")], {}, before);

    expect(decision).toEqual({
      files: [],
      present: [{ path: "channels/fast/istio.yaml", from: ["a.yaml", "b.yaml"] }],
      leftOut: [],
    });
  });

  it("stays when it differs", () => {
    const decision = importAll([fast("b.yaml", "two")], {}, before);

    expect(decision.files).toEqual([]);
    expect(decision.leftOut).toMatchObject([
      { source: "b.yaml", reason: "conflict", path: "channels/fast/istio.yaml" },
    ]);
  });

  it("is replaced by a newer one when the newest is preferred", () => {
    expect(only(importAll([fast("b.yaml", "two", 6)], time(5), before))).toMatchObject({
      from: "b.yaml",
      replaces: true,
    });
  });

  it.each([5, 4, undefined])("stays when it was changed at 5 and the input at %s", (changedMs) => {
    expect(reasons(importAll([fast("b.yaml", "two", changedMs)], time(5), before))).toEqual(["b.yaml: older"]);
  });

  it("stays when it is unreadable", () => {
    const decision = importAll([fast("a.yaml", "one", 6)], time(5), { "channels/fast/istio.yaml": "a: 1\na: 2\n" });

    expect(decision.leftOut).toMatchObject([
      { reason: "conflict", message: mentions("unreadable file", "kyma-modules plan") },
    ]);
  });
});

describe("one version with two contents", () => {
  it("is left out of both channels", () => {
    const inputs = [
      fast("a.yaml", "one", 1),
      file("b.yaml", istio("1.0.0", { channel: "regular", ...variant("two") }), 2),
    ];

    expect(reasons(importAll(inputs))).toEqual(["a.yaml: conflict", "b.yaml: conflict"]);
    expect(paths(importAll(inputs, NEWEST))).toEqual(["channels/regular/istio.yaml"]);
    expect(reasons(importAll(inputs, NEWEST))).toEqual(["a.yaml: older"]);
  });

  it("is left out when the repository has the version with different content, however new it is", () => {
    const before = textsAfter(importAll([fast("a.yaml", "one")]));
    const decision = importAll(
      [file("b.yaml", istio("1.0.0", { channel: "regular", ...variant("two") }), 9)],
      NEWEST,
      before,
    );

    expect(decision.leftOut).toMatchObject([
      {
        reason: "conflict",
        message: mentions("channels/fast/istio.yaml", "other content", "istio 1.0.0"),
      },
    ]);
  });

  it("is checked again after another contradiction removes a place", () => {
    const before = {
      ...textsAfter(importAll([fast("a.yaml", "one")])),
      ...textsAfter(importAll([file("k.yaml", istio("1.1.0", { channel: "slow", ...variant("three") }))])),
    };
    const changedMs = new Map([["channels/fast/istio.yaml", 1]]);
    const inputs = [
      file("b.yaml", istio("1.1.0", { channel: "fast", ...variant("two") }), 9),
      file("c.yaml", istio("1.0.0", { channel: "regular", ...variant("two") }), 9),
    ];
    const decision = importAll(inputs, { ...NEWEST, changedMs }, before);

    expect(reasons(decision)).toEqual(["b.yaml: conflict", "c.yaml: conflict"]);
    expect(parseAfter(decision, before)).toMatchObject({ kind: "catalogue", catalogue: { withheld: new Set() } });
  });
});

describe("a module that would be both mandatory and not", () => {
  const mandatory = file("m.yaml", istio("1.1.0", { mandatory: true }));

  it("is left out of both channels", () => {
    expect(reasons(importAll([mandatory, fast("a.yaml", "one")]))).toEqual(["a.yaml: mandatory", "m.yaml: mandatory"]);
  });

  it("does not change in the repository", () => {
    const before = textsAfter(importAll([fast("a.yaml", "one")]));

    expect(reasons(importAll([mandatory], {}, before))).toEqual(["m.yaml: mandatory"]);
  });

  it("may have templates of its versions", () => {
    expect(paths(importAll([mandatory, file("v.yaml", istio("1.0.0"))]))).toEqual([
      "channels/mandatory/istio.yaml",
      "modules/istio/1.0.0/template.yaml",
    ]);
  });
});
