import { beforeEach, describe, expect, it, vi } from "vitest";
import { mentions } from "../support/mentions.ts";
import { kymaIn, forgetIdentity, siteOf, submit } from "./promoting.ts";

const REASON = ["--reason", "leaks"];

beforeEach(forgetIdentity);

describe("an invalid hold, unhold or withdraw", () => {
  const wrong: readonly (readonly [args: readonly string[], ...parts: string[]])[] = [
    [["hold", "sample@1.1.0"], "required", "'--reason <text>'"],
    [["withdraw", "sample@1.0.0", ...REASON], "required", "'--channel <channel>'"],
    [["hold", "sample", ...REASON], "sample", "MODULE@VERSION", "istio@1.2.3"],
    [["hold", "sample@1.1.0", "--channel", "No Name", ...REASON], "channel", "No Name", "32"],
    [["hold", "sample@1.1.0", "--until", "tomorrow", ...REASON], "'--until <instant>'", "'tomorrow'"],
    [["hold", "sample@1.1.0", "--until", "2020-01-01T00:00:00Z", ...REASON], "2020-01-01T00:00:00Z", "later"],
    [["hold", "sample@1.1.0", "--reason", ""], "--reason", '""'],
    [["unhold", "sample@1.1.0", "--by", "@maria", ...REASON], "--by", "login", '"@maria"'],
    [["unhold", "nope@1.1.0", ...REASON], "module nope", "sample"],
    [["hold", "sample@1.1.0", "--channel", "nope", ...REASON], "channel nope", "fast, regular"],
    [["withdraw", "sample@1.0.0", "--channel", "nope", ...REASON], "channel nope", "fast, regular"],
  ];
  const refused: readonly (readonly [args: readonly string[], parts: readonly string[], remedy: string])[] = [
    [
      ["withdraw", "sample@1.3.0", "--channel", "regular"],
      ["regular", "sample 1.3.0", "1.0.0"],
      'kyma-modules hold sample@1.3.0 --channel regular --reason "…"',
    ],
    [
      ["withdraw", "sample@1.0.0", "--channel", "regular"],
      ["regular", "earlier version", "sample", "held"],
      "kyma-modules promote --hotfix sample@1.0.1 --channel regular --incident URL --template FILE --apply",
    ],
  ];

  it("is a usage error if the command is wrong", async () => {
    const { path } = siteOf();
    for (const [args, ...parts] of wrong)
      expect(await kymaIn(path, args)).toEqual({ code: 2, stdout: "", stderr: mentions("error:", ...parts) });
  });

  it("is refused with the reason and a remedy, and nothing is written", async () => {
    const site = siteOf();
    for (const [args, parts, remedy] of refused) {
      const { code, stdout, stderr } = await kymaIn(site.path, [...args, ...REASON]);

      expect([code, stderr]).toEqual([1, ""]);
      expect(stdout).toEqual(mentions("refused:", ...parts, remedy));
    }
    expect(site.git("branch", "--format=%(refname:short)")).toBe("main");
  });

  it("takes the requester from an option, the environment, or Git's settings", async () => {
    const site = siteOf();
    const hold = ["hold", "sample@1.1.0", ...REASON, "--dry-run"];
    vi.stubEnv("GITHUB_ACTOR", "");
    vi.stubEnv("GIT_CONFIG_GLOBAL", "/dev/null");

    expect(await kymaIn(site.path, hold)).toMatchObject({
      code: 2,
      stderr: mentions("error:", "--by LOGIN", "git config github.user LOGIN"),
    });
    site.git("config", "github.user", "from-git");
    expect((await kymaIn(site.path, hold)).stdout).toContain("+    by: from-git\n");
    expect((await kymaIn(site.path, [...hold, "--by", "from-option"])).stdout).toContain("+    by: from-option\n");
  });

  it("shows the change without proposing it, with --dry-run", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    const { code, stdout } = await kymaIn(site.path, ["hold", "sample@1.1.0", ...REASON, "--dry-run"]);

    expect(code).toBe(0);
    expect(stdout).toContain("+++ b/modules/sample/holds.yaml\n");
    expect(stdout).toEqual(mentions("--dry-run", "hold/every-channel/sample-1.1.0"));
    expect(site.git("branch", "--format=%(refname:short)")).toBe("main");
  });
});
