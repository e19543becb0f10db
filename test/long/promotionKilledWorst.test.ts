import { expect, it } from "vitest";
import { allOf, endAlike, undisturbed } from "../cli/killScenario.ts";
import { startOnGitHub } from "../cli/promotionStart.ts";

/** A branch without its pull request; one whose pull request says what it was; an unrecorded merge; and done. */
const WORST = /after (POST .*git\/refs|POST .*\/pulls$|PATCH .*git\/refs|PUT .*merge)/;

it("ends with the same result after kill -9 of `promote --apply` at the worst moment", async () => {
  const start = await startOnGitHub();
  const wanted = await undisturbed(start);
  const deaths = allOf("request", wanted, WORST);

  expect(wanted.stdout.match(/^(closed|left|merged|opened|updated) +regular\/\w+ [\d.]+/gm)).toEqual([
    "closed    regular/closes 1.1.0",
    "left      regular/edited 1.1.0",
    "merged    regular/merges 1.1.0",
    "opened    regular/opens 1.1.0",
    "opened    regular/reopens 1.1.0",
    "updated   regular/updates 1.1.1",
  ]);
  expect(deaths.length).toBe(4);
  await endAlike(start, wanted, deaths);
});
