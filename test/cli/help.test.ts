import { describe, expect, it } from "vitest";
import { buildProgram, COMMANDS } from "../../src/cli/commands.ts";
import type { Session } from "../../src/cli/command.ts";
import { mentions } from "../support/mentions.ts";

const SESSION: Session = {
  version: "0.0.0",
  signal: new AbortController().signal,
  print: () => undefined,
  carryOut: () => Promise.reject(new Error("only the help is asked for")),
};

/** What `COMMAND --help` prints, without its line breaks. */
function helpOf(name: string): string {
  const program = buildProgram(COMMANDS, SESSION);
  let said = "";
  program.commands.find((command) => command.name() === name)?.configureOutput({ writeOut: (text) => (said += text) });
  expect(() => program.parse([name, "--help"], { from: "user" })).toThrow("(outputHelp)");
  return said.replace(/\s+/g, " ");
}

describe("the help of the program", () => {
  const program = buildProgram(COMMANDS, SESSION);
  const lines = program
    .configureHelp({ ...program.configureHelp(), helpWidth: 80 })
    .helpInformation()
    .split("\n");

  it("lists each command below its readers, with what it does on one line of 80 characters", () => {
    const listed = lines.filter((line) => /^ {2}[a-z]+ {2,}\S/.test(line)).map((line) => line.trim().split(" ")[0]);
    const visible = COMMANDS.flatMap(({ name, reader }) => (reader === undefined ? [] : name));

    expect(listed).toEqual([...visible, "help"]);
    expect(lines.filter((line) => line.startsWith("For "))).toHaveLength(4);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });
});

describe("the help of a command", () => {
  it.each(["promote", "simulate", "hold", "unhold", "withdraw", "ticked", "status", "history", "bump"])(
    "names the credentials and the exit codes: %s",
    (name) => {
      expect(helpOf(name)).toContain("GITHUB_TOKEN or GH_TOKEN, or KYMA_MODULES_APP_ID");
      expect(helpOf(name)).toContain("Exit codes: 0 success; 1 findings,");
    },
  );

  it.each(["promote", "status", "history", "hold", "plan", "sync", "install", "import", "bump"])(
    "says that a report may go into a file: %s",
    (name) => {
      expect(helpOf(name)).toContain("text,json=FILE");
    },
  );

  it("names the base branch for a pull request of bump", () => {
    expect(helpOf("bump")).toEqual(mentions("--pull-request", "base branch (default: main)"));
  });

  it.each(["promote", "hold"])("says when --direct is refused: %s", (name) => {
    expect(helpOf(name)).toEqual(mentions("--direct", "refused", "no upstream", "checked out"));
  });
});
