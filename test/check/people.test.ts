import { expect, it } from "vitest";
import { readYaml } from "../../src/document/yaml/read.ts";
import { readTeams } from "../../src/check/people.ts";
import { fileOf } from "../catalogue/repository.ts";

function teamsIn(text: string): ReturnType<typeof readTeams> {
  const reading = readYaml("teams.yaml", fileOf(text));
  if (reading.kind === "refused") throw new Error(reading.findings.map(({ message }) => message).join("\n"));
  return readTeams(reading.file);
}

it("reads teams and their members; a team may have none", () => {
  expect(teamsIn('"@org/team": [alice, bob]\n"@org/other": []\n')).toEqual(
    new Map([
      ["@org/team", ["alice", "bob"]],
      ["@org/other", []],
    ]),
  );
  expect(teamsIn("{}")).toEqual(new Map());
});

it.each([
  ["a list", "[a]"],
  ["text", "text"],
  ["nothing", "null"],
  ["a team without @", "org/team: [a]"],
  ["a team without an organisation", '"@team": [a]'],
  ["a team with a space", '"@org/a team": [a]'],
  ["a team of a team", '"@org/team/part": [a]'],
  ["a member that is not a list", '"@org/team": a'],
  ["a member that is not text", '"@org/team": [1]'],
  ["members that are a map", '"@org/team": { a: b }'],
  ["one wrong team among right ones", '"@org/team": [a]\nteam: [b]'],
])("refuses %s", (_, text) => {
  expect(teamsIn(text)).toBeUndefined();
});
