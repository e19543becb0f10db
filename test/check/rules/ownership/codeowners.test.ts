import { describe, expect, it } from "vitest";
import { CODEOWNERS, MODULE, SAMPLE, SETTINGS, type ExampleFiles } from "../../../../src/check/example.ts";
import { TEAMS_PATH } from "../../../../src/catalogue/codeowners.ts";
import { ownershipCodeowners } from "../../../../src/check/rules/ownership/codeowners.ts";
import { ownershipTeams } from "../../../../src/check/rules/ownership/teams.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

describe("CODEOWNERS", () => {
  const judged = async (change: ExampleFiles): Promise<readonly string[]> =>
    said(ownershipCodeowners, await contextOf({ change }));
  const text = SAMPLE[CODEOWNERS] ?? "";
  const last = text.split("\n").length;

  it("is fine with the line ends of Windows", async () => {
    expect(await judged({ [CODEOWNERS]: text.replaceAll("\n", "\r\n") })).toEqual([]);
  });

  it("must be there", async () => {
    expect(await judged({ [CODEOWNERS]: undefined })).toEqual([mentions(`${CODEOWNERS}:1 error`, "no CODEOWNERS")]);
  });

  it.each([
    [
      "lacks a line",
      text.replace(/\/modules\/sample\/.*\n/, ""),
      text.split("\n").findIndex((line) => line.startsWith("/modules/sample/")) + 1,
      "/modules/sample/ @sample/team @sample/release-managers",
    ],
    ["has one more at the end", `${text}/channels/ @stranger\n`, last, "nothing"],
    ["has an empty line more at the end", `${text}\n`, last + 1, "nothing"],
  ])("must not be one that %s", async (_, changed, line, wanted) => {
    expect(await judged({ [CODEOWNERS]: changed })).toEqual([
      mentions(`${CODEOWNERS}:${String(line)} error`, "CODEOWNERS", wanted),
    ]);
  });

  it("has no effect in a folder of a repository, which is told beside what differs", async () => {
    expect(said(ownershipCodeowners, await wholeContext({}, "catalogue/"))).toEqual([
      mentions("not run", "GitHub", "catalogue/"),
    ]);
    expect(said(ownershipCodeowners, await wholeContext({ [CODEOWNERS]: undefined }, "catalogue/"))).toHaveLength(2);
  });

  it("is not judged where a file that names owners cannot be read", async () => {
    expect(await judged({ [MODULE]: "format: 1\nowners: 7\n" })).toEqual([mentions("not run", MODULE)]);
    expect(await judged({ [SETTINGS]: "format: 1\n" })).toEqual([mentions("not run", SETTINGS)]);
  });
});

describe("the list of team members", () => {
  const judged = async (text: string | undefined): Promise<readonly string[]> =>
    said(ownershipTeams, await wholeContext({ [TEAMS_PATH]: text }));

  it("need not be there", async () => {
    expect(await judged(undefined)).toEqual([]);
  });

  it("is YAML, and names teams", async () => {
    expect(await judged('"@org/team": [alice, bob]\n"@org/others": []\n')).toEqual([]);
    expect(await judged("a: [b")).toEqual([mentions(`${TEAMS_PATH}:1 error`, "not YAML")]);
    expect(await judged("team: [alice]\n")).toEqual([mentions(`${TEAMS_PATH}:1 error`, "map of teams", "logins")]);
  });
});
