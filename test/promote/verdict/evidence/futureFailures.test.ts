import { expect, it } from "vitest";
import { withoutFutureFailures } from "../../../../src/promote/verdict/evidence/known.ts";
import { failing, install, upgrade } from "../../smokePaths.ts";
import {
  ago,
  approval,
  exposure,
  judge,
  NOW_MS,
  outcomes,
  REPLACED,
  REPLACED_HASH,
  smoke,
} from "../evidenceSamples.ts";
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

it("a path that passed beside a failed one does not count before its time", () => {
  const paths = [failing(install()), upgrade({ version: REPLACED, specHash: REPLACED_HASH })];
  const dated = withoutFutureFailures([smoke(true, { paths, observedAt: ago(-1) })], NOW_MS);

  expect(outcomes(judge({ needs: ["smoke"] }, dated))).toEqual(["smoke blocking", "smoke waiting"]);
});
