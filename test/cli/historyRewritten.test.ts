import { readFileSync } from "node:fs";
import { beforeEach, expect, it } from "vitest";
import { REGULAR_POLICY } from "../../src/check/example.ts";
import { mentions } from "../support/mentions.ts";
import { PATH, plant } from "./evidencing.ts";
import { forgetIdentity, POLICY, siteOf } from "./promoting.ts";
import { promoted, submit } from "./reading.ts";
import { evidenceFolder, newest } from "./verifying.ts";

beforeEach(forgetIdentity);

it("history --verify exits 1 after the branch of evidence was rewritten", async () => {
  const site = siteOf({ [REGULAR_POLICY]: `${POLICY}  needs: [smoke]\n` });
  submit(site, "1.1.0", 20);
  plant(site, { [PATH]: readFileSync(evidenceFolder().good, "utf8") }, 1);
  await promoted(site);
  expect(await newest(site)).toMatchObject({ code: 0, result: "verified" });
  site.git("branch", "--quiet", "-D", "evidence");
  plant(site, { "README.md": "rewritten\n" });

  expect(await newest(site)).toMatchObject({
    code: 1,
    result: "not-recomputable",
    why: [mentions("--evidence FILE")],
  });
});
