import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageCause, refusedDowngrade } from "../../src/fleet/cause.ts";

const ID = "1b4e28ba-2fa1-11d2-883f-0016d3cca427";

describe("the cause in a message", () => {
  it.each<[string, string, string]>([
    ["names of the cluster", "cannot reach blue-falcon: blue-falcon-api is gone", "cannot reach …: …-api is gone"],
    ["ids", `secret ${ID} in ${ID.toUpperCase()} and abcdefab-abcd-abcd-abcd-abcdefabcdef`, "secret … in … and …"],
    ["digests", "image @sha256:0a1b2c3d4e5f is missing", "image @… is missing"],
    ["numbers", "3 of 12 pods after 30s, 4.5 MB", "… of … pods after …, … MB"],
    ["addresses", "dial tcp 10.96.0.1:443: refused", "dial tcp …: refused"],
    ["times", "at 2026-11-22T23:44:45.026Z", "at …"],
    ["versions", "1.17.1 is missing", "… is missing"],
    ["names of pods", "pod manager-6c9f7d8b9c-x2k4l, manager-6c9f7d8b9c-bcdfg", "pod manager-…, manager-…"],
    ["quoted values", `a "b c" and 'd' and \`e\` ""`, `a "…" and "…" and "…" "…"`],
    ["line breaks", " a\n\tb \r\n c ", "a b c"],
  ])("omits %s", (_, message, cause) => {
    expect(messageCause(message, ["blue-falcon"])).toBe(cause);
  });

  it.each(["apps/v1 and v1beta2 are not served", "the manager's pod isn't ready", "<script>alert(x)</script>"])(
    "keeps text that is the same for all clusters: %s",
    (message) => {
      expect(messageCause(message, ["a", ""])).toBe(message);
    },
  );

  it("is undefined for an empty message, and limited for a long one", () => {
    expect([messageCause(undefined, []), messageCause(" \n", [])]).toEqual([undefined, undefined]);
    expect(messageCause("word ".repeat(10_000), [])).toHaveLength(301);
  });

  it("is the same for all clusters, even with many causes", () => {
    const cause = messageCause("cannot reach cluster-a1: timeout after 31 s", ["cluster-a1"]);
    const letters = (index: number): string =>
      String(index).replace(/\d/g, (digit) => "abcdefghij".charAt(Number(digit)));
    for (let index = 0; index < 10_001; index++) messageCause(`cause ${letters(index)}`, []);

    expect(messageCause("cannot reach kyma-zz9: timeout after 7 s", ["kyma-zz9"])).toBe(cause);
  });

  it("does not depend on ids and numbers in the message", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.nat(), fc.uuid(), fc.nat(), (id, count, otherId, otherCount) => {
        const message = (name: string, number: number): string => `Kyma ${name}: ${number} of pods in "${name}" fail`;
        expect(messageCause(message(id, count), [id])).toBe(messageCause(message(otherId, otherCount), [otherId]));
      }),
    );
  });
});

describe("a refused downgrade", () => {
  it("is recognised by the cause, with the channel that the cluster asks for if it is named", () => {
    const message =
      "module template update not allowed: ignore channel skew (from fast to regular), as a higher version (2.0.0) of the module was previously installed";
    const older = "ignore channel skew, as a higher version of the module was previously installed";

    expect(refusedDowngrade(messageCause(message, ["skew", "channel"]))).toEqual({ channel: "regular" });
    expect(refusedDowngrade(messageCause(older, []))).toEqual({ channel: undefined });
    expect([refusedDowngrade(undefined), refusedDowngrade("no space left")]).toEqual([undefined, undefined]);
  });
});
