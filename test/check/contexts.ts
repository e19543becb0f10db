import { check, judge } from "../../src/check/check.ts";
import type { Context } from "../../src/check/context.ts";
import type { Example, ExampleFiles } from "../../src/check/example.ts";
import type { Facts, People } from "../../src/check/facts.ts";
import type { Rule } from "../../src/check/rule.ts";
import { mentions } from "../support/mentions.ts";
import { NO_HISTORY as EMPTY_HISTORY } from "../support/noHistory.ts";
import { quietRun } from "../support/quietRun.ts";
import { filesWith, judgeExample, NOW_MS, sourceOf } from "./exampleWorld.ts";

const validator = { judge: () => Promise.resolve([]), close: () => Promise.resolve() };

/** Who stands behind the two teams of the sample catalogue. */
export const TEAMS: People["teams"] = new Map([
  ["@sample/team", ["owner"]],
  ["@sample/release-managers", ["boss"]],
]);

/** The approval of a release manager. */
export const APPROVED: Partial<People> = { approvedBy: ["boss"], teams: TEAMS };

/** An approval by a person who may be a release manager. */
export const NOT_KNOWN: Partial<People> = { approvedBy: ["boss"] };

/** The fact of a history that could not be read. */
export const NO_HISTORY: Extract<Facts["history"], { kind: "unknown" }> = {
  kind: "unknown",
  why: "the clone is too shallow",
};

/** What `said` gives for a rule that needs the history, where that could not be read. */
export const SHALLOW: unknown = mentions("not run", NO_HISTORY.why);

/** What `said` gives for a rule that compares with a base, where there is none. */
export const NO_BASE: unknown = mentions("not run", "--base REF");

/** What the rules see of a change of the sample catalogue. */
export async function contextOf(example: Example): Promise<Context> {
  return (await judgeExample(example, [], validator)).context;
}

/** What the rules see of the sample catalogue with `files`, when everything is judged. */
export async function wholeContext(files: ExampleFiles, folder = ""): Promise<Context> {
  const people = { author: undefined, approvedBy: [], teams: new Map() };
  const { context } = await check(
    { head: sourceOf(filesWith(files)), base: undefined, paths: undefined, people, folder, rules: [] },
    {
      clock: { nowMs: () => NOW_MS, pause: () => Promise.resolve() },
      validator,
      history: EMPTY_HISTORY,
      outside: { kind: "not-asked", why: "tests ask no server" },
    },
    quietRun(),
  );
  return context;
}

/** What one rule says: `file:line severity message`, with its example below, or why it says nothing. */
export function said(rule: Rule, context: Context): readonly string[] {
  const { findings, notRun } = judge([rule], context);
  return [
    ...findings.map(({ file, line, severity, message, example }) =>
      [`${file}:${line} ${severity} ${message}`, ...(example === undefined ? [] : [example])].join("\n"),
    ),
    ...notRun.map(({ why }) => `not run: ${why}`),
  ];
}
