import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import { folderWith, run } from "./program.ts";
import { isThere, place, testTyping } from "./typing.ts";
import { long } from "../support/long.ts";

describe("completion", () => {
  // test/long types all lines.
  testTyping((lines) => lines.filter((_, index) => index % 5 === 2));

  long("in fish offers the same, with descriptions", (context: TestContext) => {
    if (!isThere("fish")) return context.skip("there is no fish");
    const { cwd, env } = place();
    const offered = (line: string): string =>
      execFileSync("fish", ["-N", "-c", `source $SCRIPTS/fish; complete -C '${line}'`], { cwd, env }).toString();

    expect(offered("kyma-modules prom")).toMatch(/^promote\t.*\bpromoted?\b.*\n$/);
    expect(offered("kyma-modules hold sample@1.0")).toMatch(/^sample@1\.0\.0\s*\n$/);
    expect(offered("kyma-modules status --channel reg")).toMatch(/^regular\s*\n$/);
    expect(offered("kyma-modules status --channel=reg")).toMatch(/^--channel=regular\s*\n$/);
    expect(offered("kyma-modules simulate --policy channels/reg")).toContain("channels/regular.yaml");
    expect(offered("kyma-modules check --repo mod")).toContain("modules/");
    expect(offered("kyma-modules nope no")).toBe("");
    return undefined;
  });
});

describe("kyma-modules completion", () => {
  it.each(["bash", "zsh", "fish"])("prints the script of %s, which the shell accepts", async (shell) => {
    const { code, stdout, stderr } = await run(["completion", shell]);

    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toContain("__complete -- ");
    if (isThere(shell)) execFileSync(shell, ["-n", join(folderWith(new Map([["script", stdout]])), "script")]);
  });

  it("refuses another shell, and names the known ones", async () => {
    expect(await run(["completion", "tcsh"])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Allowed choices are bash, zsh, fish.") as string,
    });
  });

  it("prints nothing and succeeds without a catalogue", async () => {
    for (const words of [
      ["plan", ""],
      ["hold", "x@"],
      ["status", "--repo", "/nowhere", ""],
    ])
      expect(await run(["__complete", "--", ...words])).toMatchObject({ code: 0, stderr: "" });
  });
});
