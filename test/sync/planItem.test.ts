import { describe, expect, it } from "vitest";
import { isAmiss, isMove, isStuck, isUnknown, type EntryItem, type PlanItem } from "../../src/sync/plan/item.ts";

const object = { kind: "ModuleTemplate", name: "istio-1.0.0" } as PlanItem["object"];
const unchanged: PlanItem = { object, kind: "unchanged" };
const waiting: PlanItem = { object, kind: "waiting", reason: "it is being deleted" };
const entry = (kind: string, more: object = {}): EntryItem => ({ kind, ...more }) as EntryItem;

describe("what a plan says of an object or entry", () => {
  it("is amiss if it is refused or contested, and only then", () => {
    expect(["refused", "contested", "waiting", "create", "unchanged"].map((kind) => isAmiss({ kind }))).toEqual([
      ...[true, true, false, false, false],
    ]);
  });

  it("is stuck if it waits, unless a person paused it", () => {
    expect([waiting, { ...waiting, paused: unchanged }, unchanged].map(isStuck)).toEqual([true, false, false]);
  });

  it("is unknown if it waits for a fact that could not be read", () => {
    expect([entry("waiting", { isUnknown: true }), entry("waiting"), entry("raise")].map(isUnknown)).toEqual([
      ...[true, false, false],
    ]);
  });

  it("moves an entry if what it serves changes: a removal only if it is carried out", () => {
    const removals = [entry("remove", { carriedOut: true }), entry("remove", { carriedOut: false })];
    const kinds = ["create", "raise", "lower", "unchanged", "waiting"];

    expect([...removals, ...kinds.map((kind) => entry(kind))].map(isMove)).toEqual([
      ...[true, false],
      ...[true, true, true, false, false],
    ]);
  });
});
