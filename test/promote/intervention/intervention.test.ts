import { describe, expect, it } from "vitest";
import { entryRefusal } from "../../../src/promote/intervention/intervention.ts";
import { channel, version } from "../verdict/interventions.ts";
import { mentions } from "../../support/mentions.ts";

describe("an entry that its file may not have", () => {
  const hotfix = {
    version: version("1.0.1"),
    channel: channel("regular"),
    incident: "https://example.com/7",
    by: "boss",
    at: "2026-11-21T12:00:00Z",
  };

  it("is refused as invalid, with the name of the option", () => {
    const alsoFixedIn = [version("1.2.0"), version("1.2.0")];

    expect(entryRefusal("hotfixes", { ...hotfix, alsoFixedIn })).toMatchObject({
      kind: "refused",
      isUsage: true,
      why: mentions("--also-fixed-in", "item 1"),
    });
  });

  it("is not refused if the file may have it", () => {
    expect(entryRefusal("hotfixes", hotfix)).toBeUndefined();
  });
});
