import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CommandUnknownOpts } from "@commander-js/extra-typings";
import { describe, expect, it } from "vitest";
import { buildProgram, COMMANDS } from "../../src/cli/commands.ts";

const folder = join(import.meta.dirname, "../../.github/workflows");
const program: CommandUnknownOpts = buildProgram(COMMANDS, { version: "" } as Parameters<typeof buildProgram>[1]);

/** The names after `npx kyma-modules`, and the options up to where the output goes. */
function callsIn(
  text: string,
): readonly (readonly [call: string, names: readonly string[], options: readonly string[]])[] {
  return text.split("\n").flatMap((line) => {
    const [, call = ""] = /npx (kyma-modules [^|>]*)/.exec(line) ?? [];
    if (call === "") return [];
    const words = call.split(/\s+/).slice(1);
    const first = words.findIndex((word) => !/^[a-z]+$/.test(word));
    const options = words.filter((word) => /^--[a-z]/.test(word));
    return [[call.trim(), words.slice(0, first === -1 ? words.length : first), options]];
  });
}

/** The command that words lead to, as far as they name one. */
function commandOf([name, ...rest]: readonly string[], command: CommandUnknownOpts): CommandUnknownOpts {
  const next = command.commands.find((one) => one.name() === name);
  return next === undefined ? command : commandOf(rest, next);
}

const calls = readdirSync(folder).flatMap((file) =>
  callsIn(readFileSync(join(folder, file), "utf8")).map((call) => [file, ...call] as const),
);

describe("what workflows call", () => {
  it("is there", () => {
    expect(calls.length).toBeGreaterThan(9);
  });

  it.each(calls)("in %s is a command with its options: %s", (_file, _call, names, options) => {
    const command = commandOf(names, program);
    const known = command.options.map(({ long }) => long);

    expect(command).not.toBe(program);
    expect(options.filter((option) => !known.includes(option))).toEqual([]);
  });
});
