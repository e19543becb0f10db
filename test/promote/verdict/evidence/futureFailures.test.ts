import { expect, it } from "vitest";
import { withoutFutureFailures } from "../../../../src/promote/verdict/evidence/known.ts";
import { ago, approval, exposure, NOW_MS, smoke } from "../evidenceSamples.ts";
import { mentions } from "../../../support/mentions.ts";

it("a failure or a refusal from a clock that is ahead counts as of now, and all other evidence as it is", () => {
  const ahead = { observedAt: ago(-1) };
  const [failed, refused] = [smoke(false, ahead), approval(false, ahead)];
  const others = [smoke(true, ahead), approval(true, ahead), exposure(1, 1, ahead), approval(false)];

  const dated = withoutFutureFailures([failed, refused, ...others], NOW_MS);

  expect(dated.slice(2)).toEqual(others);
  expect(dated.slice(0, 2).map(({ observedAt, source }) => [Date.parse(observedAt), source])).toEqual([
    [NOW_MS, mentions("run 7", "clock")],
    [NOW_MS, mentions("run 7", "clock")],
  ]);
});
