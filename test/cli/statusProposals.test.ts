import { beforeEach, describe, expect, it } from "vitest";
import { templateText } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { forgetIdentity, siteOf } from "./promoting.ts";
import { itemsOf, linesOf, mergeBranch, STATUS_FOOT as FOOT, submit, told } from "./reading.ts";
import { looseFile } from "./train.ts";

beforeEach(forgetIdentity);

const INCIDENT = "https://example.com/incidents/7";

describe("proposals in status", () => {
  it("include an open hot-fix while another version is next", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    const template = looseFile("template.yaml", templateText("fast", "1.0.1").replace("  channel: fast\n", ""));
    const hotfix = ["--hotfix", "sample@1.0.1", "--incident", INCIDENT, "--template", template];
    await told(site, "promote", ...hotfix, "--apply");

    expect(linesOf(await told(site, "status", "--channel", "regular"))).toEqual([
      "regular  sample  1.0.0  100d  1.1.0  promote  proposed hot-fix 1.0.1",
      FOOT,
      "open  regular/sample hot-fix 1.0.1: promote/regular/sample",
    ]);
    const [item] = itemsOf("status", await told(site, "status", "--channel", "regular", "--format", "json"));
    expect(item).toMatchObject({
      proposal: { version: "1.0.1", lane: "hot-fix", branch: "promote/regular/sample", pullRequest: null },
    });
  });

  long("include proposed holds, lifted holds and withdrawals; a proposed hold applies at once", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 20);
    await told(site, "hold", "sample@1.1.0", "--reason", "it leaks");

    expect(linesOf(await told(site, "status"))).toEqual([
      "fast  sample  1.1.0  20d  –  –  held",
      "regular  sample  1.0.0  100d  1.1.0  blocked  held",
      FOOT,
      "proposed  hold of sample 1.1.0 everywhere: hold/every-channel/sample-1.1.0",
    ]);

    mergeBranch(site, "hold/every-channel/sample-1.1.0");
    await told(site, "unhold", "sample@1.1.0", "--reason", "it is tight");
    await told(site, "withdraw", "sample@1.1.0", "--channel", "fast", "--reason", "it leaks");

    expect(linesOf(await told(site, "status")).filter((line) => line.startsWith("proposed"))).toEqual([
      mentions("proposed  lifting", "sample 1.1.0 everywhere: unhold/every-channel/sample-1.1.0"),
      "proposed  withdrawal of sample 1.1.0 in fast: withdraw/fast/sample-1.1.0",
    ]);
    const items = itemsOf("status", await told(site, "status", "--format", "json"));
    const unhold = { kind: "unhold", version: "1.1.0", channel: null, branch: "unhold/every-channel/sample-1.1.0" };
    expect(items.map(({ interventions }) => interventions)).toEqual([
      [{ ...unhold, pullRequest: null }, expect.objectContaining({ kind: "withdraw", channel: "fast" })],
      [{ ...unhold, pullRequest: null }],
    ]);
  });
});
