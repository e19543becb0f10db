import { describe, expect, it } from "vitest";
import { BUMP, FAST, REGULAR, REGULAR_POLICY, templateText, type Example } from "../../src/check/example.ts";
import { contextOf } from "./contexts.ts";

/** `channel: from → to`. */
async function stepsOf(example: Example): Promise<readonly string[]> {
  const { steps } = await contextOf(example);
  return steps.map(({ channel, from, to }) => `${channel.name}: ${from?.version ?? "-"} → ${to?.version ?? "-"}`);
}

describe("the steps of a change", () => {
  it("are the changes of channel entries", async () => {
    expect(await stepsOf({ change: BUMP })).toEqual(["fast: 1.1.0 → 1.2.0"]);
    expect(await stepsOf({ change: { [REGULAR]: undefined } })).toEqual(["regular: 1.0.0 → -"]);
    expect(await stepsOf({ base: { [REGULAR]: undefined }, change: { [REGULAR]: templateText("regular", "1.1.0") } })) //
      .toEqual(["regular: - → 1.1.0"]);
  });

  it("do not treat an entry with a broken file as removed", async () => {
    expect(await stepsOf({ change: { [FAST]: "spec: [" } })).toEqual([]);
    expect(await stepsOf({ change: { [FAST]: templateText("regular", "1.2.0") } })).toEqual([]);
  });

  it("do not treat an entry as removed when the policy of its channel is broken", async () => {
    expect(await stepsOf({ change: { [REGULAR_POLICY]: "format: 1\nlandscapes: none\n" } })).toEqual([]);
  });

  it("judge the replacement of a broken file in full", async () => {
    expect(await stepsOf({ base: { [FAST]: "spec: [" }, change: BUMP })).toEqual(["fast: - → 1.2.0"]);
  });

  it("include every channel that the change creates or removes", async () => {
    const founded = { "channels/slow.yaml": "format: 1\nlandscapes: [dev]\n" };
    const entry = { "channels/slow/sample.yaml": templateText("slow", "1.0.0") };
    expect(await stepsOf({ change: { ...founded, ...entry } })).toEqual(["slow: - → 1.0.0"]);
    const gone = { [REGULAR_POLICY]: undefined, [REGULAR]: undefined };
    expect(await stepsOf({ change: gone })).toEqual(["regular: 1.0.0 → -"]);
  });
});
