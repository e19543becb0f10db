import { describe, expect, it } from "vitest";
import {
  BUMP,
  FAST,
  FAST_POLICY,
  manifestPath,
  manifestText,
  REGULAR,
  SAMPLE,
  templateText,
  type Example,
} from "../../../src/check/example.ts";
import { withLastServed } from "../../../src/check/gather/gather.ts";
import { channelRemoval } from "../../../src/check/rules/channel/removal.ts";
import { crdCompatible } from "../../../src/check/rules/crd/compatible.ts";
import { mentions } from "../../support/mentions.ts";
import { contextOf, NO_HISTORY, said } from "../contexts.ts";
import { saidOf } from "../rules/resourceContexts.ts";

const BROKEN = { [FAST]: "spec: [" };
const RULELESS = { [FAST_POLICY]: `${String(SAMPLE[FAST_POLICY])}format: 1\n` };
const history = [{ [FAST]: templateText("fast", "1.1.0") }];

/** `channel: from → to`. */
async function stepsOf(example: Example): Promise<readonly string[]> {
  const { steps } = await contextOf(example);
  return steps.map(({ channel, from, to }) => `${channel.name}: ${from?.version ?? "-"} → ${to?.version ?? "-"}`);
}

describe("an entry whose file cannot be read", () => {
  it("is the one that the channel served last", async () => {
    expect(await stepsOf({ history, base: BROKEN, change: BUMP })).toEqual(["fast: 1.1.0 → 1.2.0"]);
    expect(await stepsOf({ history, base: BROKEN, change: { [FAST]: undefined } })).toEqual(["fast: 1.1.0 → -"]);
  });

  it("is none where the channel never served one", async () => {
    const mistaken = { "channels/fast/no module.yaml": "spec: [" };

    expect(await stepsOf({ base: BROKEN, change: BUMP })).toEqual(["fast: - → 1.2.0"]);
    expect(await stepsOf({ base: mistaken, change: BUMP })).toEqual(["fast: 1.1.0 → 1.2.0"]);
  });

  it("is unknown with the history", async () => {
    const { base, head } = await contextOf({ history, base: BROKEN, change: BUMP });
    if (base === undefined) throw new Error("The example has a base.");

    expect(withLastServed(base, head, NO_HISTORY)).toBe(base);
  });

  it("is compared, and not lost without a word", async () => {
    const narrowed = manifestText("1.2.0").replace("maximum: 5", "maximum: 3");
    const base = { ...BROKEN, [REGULAR]: undefined };

    expect(
      await saidOf(crdCompatible, { history, base, change: { ...BUMP, [manifestPath("1.2.0")]: narrowed } }),
    ).toEqual([mentions("error", "Breaks 1.1.0 (proven)")]);
    expect(said(channelRemoval, await contextOf({ history, base, change: { [FAST]: undefined } }))).toEqual([
      mentions("error", "fast", "sample 1.1.0"),
    ]);
  });
});

describe("an entry of a channel whose policy cannot be read", () => {
  it("is the one that the channel served last", async () => {
    const change = { ...BUMP, [FAST_POLICY]: String(SAMPLE[FAST_POLICY]) };

    expect(await stepsOf({ base: RULELESS, change })).toEqual(["fast: 1.1.0 → 1.2.0"]);
  });
});
