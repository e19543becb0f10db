import { beforeEach, expect, it } from "vitest";
import { REGULAR } from "../../src/check/example.ts";
import { forgetIdentity, kymaIn } from "../cli/promoting.ts";
import { asTwin, twinsWith } from "../cli/twins.ts";
import { newest } from "../cli/verifying.ts";
import { mentions } from "../support/mentions.ts";

beforeEach(forgetIdentity);

it("proposes a group on one branch, whichever module is named, and can decide it again", async () => {
  const site = twinsWith("{ together: [[twin, sample]] }");
  const first = await kymaIn(site.path, ["promote", "--apply", "sample"]);
  const tip = site.git("rev-parse", "promote/regular/twin");
  const second = await kymaIn(site.path, ["promote", "--apply"]);

  expect([first.code, second.code]).toEqual([0, 0]);
  expect(second.stdout).toEqual(mentions("sample", "together", "twin"));
  expect(site.git("branch", "--list", "promote/*").trim()).toBe("promote/regular/twin");
  expect(site.git("rev-parse", "promote/regular/twin")).toBe(tip);
  expect(site.git("log", "-1", "--format=%s", tip)).toBe("Promote twin 1.1.0 and sample 1.1.0 to regular");
  expect(site.git("diff", "--name-only", "main", tip).split("\n")).toEqual([REGULAR, asTwin(REGULAR)]);

  site.git("stash", "--quiet", "--include-untracked");
  site.git("merge", "--quiet", "--no-ff", "promote/regular/twin");
  expect(await newest(site)).toMatchObject({ code: 0, result: "verified" });
});
