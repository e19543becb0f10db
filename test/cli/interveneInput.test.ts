import { beforeEach, describe, expect, it, vi } from "vitest";
import { kymaIn, forgetIdentity, siteOf, submit } from "./promoting.ts";

const REASON = ["--reason", "leaks"];

beforeEach(forgetIdentity);

describe("an invalid hold, unhold or withdraw", () => {
  const wrong: readonly (readonly [readonly string[], string])[] = [
    [["hold", "sample@1.1.0"], "required option '--reason <text>' not specified"],
    [["withdraw", "sample@1.0.0", ...REASON], "required option '--channel <channel>' not specified"],
    [["hold", "sample", ...REASON], "Invalid argument sample: expected MODULE@VERSION, such as istio@1.2.3."],
    [["hold", "sample@1.1.0", "--channel", "No Name", ...REASON], "Invalid channel name No Name: expected"],
    [["hold", "sample@1.1.0", "--until", "tomorrow", ...REASON], "It must be an instant such as"],
    [
      ["hold", "sample@1.1.0", "--until", "2020-01-01T00:00:00Z", ...REASON],
      "A hold until 2020-01-01T00:00:00Z would have ended already",
    ],
    [["hold", "sample@1.1.0", "--reason", ""], '--reason must be a text of at least one word, but is "".'],
    [["unhold", "sample@1.1.0", "--by", "@maria", ...REASON], '--by must be a login, without @, but is "@maria".'],
    [
      ["unhold", "nope@1.1.0", ...REASON],
      "Nothing is known about a module nope: no channel ever served it. Name one of sample.",
    ],
    [["hold", "sample@1.1.0", "--channel", "nope", ...REASON], "There is no channel nope. Name one of fast, regular."],
    [["withdraw", "sample@1.0.0", "--channel", "nope", ...REASON], "There is no channel nope."],
  ];
  const refused: readonly (readonly [readonly string[], string, string])[] = [
    [
      ["withdraw", "sample@1.3.0", "--channel", "regular"],
      "regular never served sample 1.3.0; it serves 1.0.0.",
      'To keep it out: kyma-modules hold sample@1.3.0 --channel regular --reason "…"',
    ],
    [
      ["withdraw", "sample@1.0.0", "--channel", "regular"],
      "regular never served an earlier version of sample that is not held: there is none to put back.",
      "kyma-modules promote --hotfix sample@1.0.1 --channel regular --incident URL --template FILE --apply",
    ],
  ];

  it("is a usage error if the command is wrong", async () => {
    const { path } = siteOf();
    for (const [args, said] of wrong)
      expect(await kymaIn(path, args)).toEqual({
        code: 2,
        stdout: "",
        stderr: expect.stringContaining(said) as string,
      });
  });

  it("is refused with the reason and a remedy, and nothing is written", async () => {
    const site = siteOf();
    for (const [args, why, remedy] of refused) {
      const { code, stdout, stderr } = await kymaIn(site.path, [...args, ...REASON]);

      expect([code, stderr]).toEqual([1, ""]);
      expect(stdout).toContain(`refused: ${why}`);
      expect(stdout).toContain(remedy);
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
      stderr: "error: The login of the requester is unknown. Name it: --by LOGIN, or git config github.user LOGIN.\n",
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
    expect(stdout).toContain(
      "nothing was changed (--dry-run); it would be proposed on hold/every-channel/sample-1.1.0\n",
    );
    expect(site.git("branch", "--format=%(refname:short)")).toBe("main");
  });
});
