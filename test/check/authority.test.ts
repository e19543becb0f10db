import { describe, expect, it, test } from "vitest";
import { parseModuleName } from "../../src/catalogue/names.ts";
import {
  approvalMissing,
  approvalNeeded,
  isAmong,
  moduleOwners,
  releaseManagers,
  releaseManagersApproved,
} from "../../src/check/authority.ts";
import { BUMP, edit, MODULE, SAMPLE, SETTINGS } from "../../src/check/example.ts";
import type { People } from "../../src/check/facts.ts";
import { mentions } from "../support/mentions.ts";
import { APPROVED, contextOf, NOT_KNOWN, TEAMS, wholeContext } from "./contexts.ts";

const SAMPLE_MODULE = parseModuleName("sample") ?? expect.unreachable();

describe("isAmong", () => {
  const people = { author: undefined, approvedBy: [], teams: TEAMS };

  test.each([
    ["a login by itself", ["octocat"], ["octocat"], true],
    ["a member of a team", ["@sample/team"], ["owner"], true],
    ["a member in another case", ["@Sample/Team", "OctoCat"], ["OWNER"], true],
    ["one of several", ["octocat"], ["stranger", "octocat"], true],
    ["a login outside the team", ["@sample/team"], ["stranger"], false],
    ["a team whose members are not listed", ["@sample/others"], ["stranger"], "not-known"],
    ["a listed login beside a team whose members are not listed", ["@sample/others", "octocat"], ["octocat"], true],
    ["no logins", ["@sample/others"], [], false],
    ["no owners", [], ["octocat"], false],
  ] as const)("knows %s", (_, owners, logins, wanted) => {
    expect(isAmong(owners, logins, people)).toBe(wanted);
  });
});

describe("who decides", () => {
  it("is named by the base, and not by the change", async () => {
    const context = await contextOf({
      change: {
        [SETTINGS]: edit(SAMPLE[SETTINGS] ?? "", "@sample/release-managers", "stranger"),
        [MODULE]: edit(SAMPLE[MODULE] ?? "", "@sample/team", "@stranger/team"),
      },
      people: { approvedBy: ["stranger"], teams: TEAMS },
    });

    expect(releaseManagers(context)).toEqual(["@sample/release-managers"]);
    expect(moduleOwners(context, SAMPLE_MODULE)).toEqual(["@sample/team", "@sample/release-managers"]);
    expect(releaseManagersApproved(context)).toBe(false);
  });

  it("is named by the files as they are, when everything is judged", async () => {
    const context = await wholeContext({});

    expect(moduleOwners(context, SAMPLE_MODULE)).toEqual(["@sample/team", "@sample/release-managers"]);
  });

  it("are the release managers, where the base does not have the module or its owners", async () => {
    const context = await contextOf({
      base: { [MODULE]: undefined },
      change: { [MODULE]: SAMPLE[MODULE] },
    });

    expect(moduleOwners(context, SAMPLE_MODULE)).toEqual(["@sample/release-managers"]);
    expect(moduleOwners(context, parseModuleName("other") ?? expect.unreachable())).toEqual([
      "@sample/release-managers",
    ]);
  });
});

describe("the approval of a release manager", () => {
  it("is derived from the members of the team", async () => {
    expect(releaseManagersApproved(await contextOf({ change: BUMP, people: APPROVED }))).toBe(true);
    expect(releaseManagersApproved(await contextOf({ change: BUMP }))).toBe(false);
    expect(releaseManagersApproved(await contextOf({ change: BUMP, people: NOT_KNOWN }))).toBe("not-known");
  });

  it("is requested by name, and left to branch protection if the members are unknown", async () => {
    const asked = approvalMissing(await contextOf({ change: BUMP }));
    expect(asked).toEqual({ remedy: mentions("release manager", "@sample/release-managers") });
    const open = approvalMissing(await contextOf({ change: BUMP, people: NOT_KNOWN }));
    expect(open.severity).toBe("warning");
    const settings = edit(SAMPLE[SETTINGS] ?? "", `releaseManagers: ["@sample/release-managers"]\n`, "");
    const unnamed = approvalMissing(await contextOf({ base: { [SETTINGS]: settings }, change: BUMP }));
    expect(unnamed.remedy).toEqual(mentions("Name releaseManagers"));
  });

  it("must be known where branch protection would not ask for it: the remedy names the team list", async () => {
    const unlisted = mentions("@sample/release-managers", ".github/teams.yaml", "--teams", "unknown");
    const needed = async (people: Partial<People>): Promise<string> =>
      approvalNeeded(await contextOf({ change: BUMP, people }));
    const asked = await needed({ teams: TEAMS });
    expect(asked).toEqual(mentions("release manager", "@sample/release-managers"));
    expect(asked).not.toContain("teams.yaml");
    expect(await needed({})).toEqual(unlisted);
    expect(await needed(NOT_KNOWN)).toEqual(unlisted);
  });
});
