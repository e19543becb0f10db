import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxLine, tickedBoxes, type TickedBox } from "../../../src/promote/dashboardIssue/boxes.ts";
import { ISTIO, REGULAR, version } from "../verdict/timeline.ts";

const APPLY: TickedBox = { kind: "apply", channel: REGULAR, module: ISTIO };
const HOLD: TickedBox = { kind: "hold", channel: REGULAR, module: ISTIO, version: version("1.2.0-rc1") };
const BEFORE = ["Some text", boxLine(APPLY, "Apply now"), boxLine(HOLD, "Hold it"), "more"].join("\n");

const ticked = (text: string, mark = "x"): string => text.replaceAll("[ ]", `[${mark}]`);

describe("the boxes of a text", () => {
  it.each(["x", "X"])("are ticked by %s", (mark) => {
    expect(tickedBoxes(BEFORE, ticked(BEFORE, mark))).toEqual([APPLY, HOLD]);
    expect(tickedBoxes(BEFORE, ticked(BEFORE, mark).replaceAll("\n", "\r\n"))).toEqual([APPLY, HOLD]);
  });

  it("count once, if they were there without a tick", () => {
    expect(tickedBoxes(BEFORE, BEFORE)).toEqual([]);
    expect(tickedBoxes(ticked(BEFORE), ticked(BEFORE))).toEqual([]);
    expect(tickedBoxes("", ticked(BEFORE))).toEqual([]);
    expect(tickedBoxes(ticked(BEFORE), BEFORE)).toEqual([]);
    expect(tickedBoxes(BEFORE, ticked(`${BEFORE}\n${BEFORE}`))).toEqual([APPLY, HOLD]);
  });

  it.each([
    "- [ ] <!-- apply regular/istio 1.2.0 -->",
    "- [ ] <!-- hold regular/istio -->",
    "- [ ] <!-- hold regular/istio latest -->",
    "- [ ] <!-- hold REGULAR/istio 1.2.0 -->",
    "- [ ] <!-- hold regular/$(id) 1.2.0 -->",
    "- [ ] <!-- merge regular/istio -->",
    "text - [ ] <!-- apply regular/istio -->",
  ])("are ignored if a name is invalid: %s", (line) => {
    expect(tickedBoxes(line, ticked(line))).toEqual([]);
  });

  it("come back from any text around them as they were written", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (above, below) => {
        const text = `${above}\n${boxLine(HOLD, "Hold it")}\n${below}`;

        expect(tickedBoxes(text, text.replace("\n- [ ] <!-- hold regular", "\n- [x] <!-- hold regular"))).toEqual([
          HOLD,
        ]);
      }),
    );
  });
});
