import { describe, expect, it } from "vitest";
import type { GateInput } from "../../src/sync/plan/gate.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import { FAST, gate, serving } from "./gating.ts";
import { NOW, recorded } from "./planning.ts";

describe("an acceptance", () => {
  const [later, earlierThanNow] = [new Date(NOW + 1).toISOString(), new Date(NOW).toISOString()];
  const step = { refusal: "user-endangered", channel: "fast", from: "1.3.0", to: "1.2.0" };
  const key = acceptedKey({ ...step, refusal: "user-endangered", module: "istio" });
  const field = { refusal: "restriction-changed", field: "beta", from: null, to: true };
  const accepted = (accepts: readonly object[], earlier: GateInput["earlier"] = new Map()): readonly string[] => {
    const full = accepts.map((one) => ({ reason: "r", until: later, ...one }));
    return [...gate({ ...FAST, modules: { istio: { accepts: full } } }, { earlier }).accepted];
  };

  it("counts until it ends", () => {
    expect(accepted([step])).toEqual([key]);
    expect(accepted([{ ...step, until: earlierThanNow }])).toEqual([]);
  });

  it("counts without end in later landscapes, after an earlier one used it for the version", () => {
    const { current, ...rest } = recorded("1.2.0");
    const entered = serving({ ...rest, current: current && { ...current, accepted: [key] } });
    const earlier = new Map([
      ["dev", entered],
      ["elsewhere", { kind: "none" } as const],
      ["prod", serving({ ...rest, current: undefined })],
    ]);

    expect(accepted([{ ...step, until: earlierThanNow }], earlier)).toEqual([key]);
    expect(accepted([{ ...step, to: "1.1.0", until: earlierThanNow }], earlier)).toEqual([]);
  });

  it("of a field is one of its values; null is unset", () => {
    const change = { refusal: "restriction-changed", module: "istio", field: "beta" } as const;

    expect(accepted([field])).toEqual([acceptedKey({ ...change, from: undefined, to: true })]);
    expect(accepted([{ ...field, from: true, to: null }])).toEqual([
      acceptedKey({ ...change, from: true, to: undefined }),
    ]);
  });

  it.each(["references-unknown", "artifact-missing", "other-set"])("of %s never counts", (refusal) => {
    expect(
      accepted([
        { ...step, refusal },
        { ...field, refusal },
      ]),
    ).toEqual([]);
  });

  it("of a step that adds or removes an entry has no version on one side, or the same on both", () => {
    const of = (from: string | null, to: string | null): readonly string[] => accepted([{ ...step, from, to }]);
    const keyOf = (from: string | undefined, to: string | undefined): string =>
      acceptedKey({ refusal: "user-endangered", module: "istio", channel: "fast", from, to });

    expect(of(null, "1.3.0")).toEqual([keyOf(undefined, "1.3.0")]);
    expect(of("1.3.0", null)).toEqual([keyOf("1.3.0", undefined)]);
    expect(of("1.3.0", "1.3.0")).toEqual([
      keyOf("1.3.0", "1.3.0"),
      keyOf(undefined, "1.3.0"),
      keyOf("1.3.0", undefined),
    ]);
  });
});
