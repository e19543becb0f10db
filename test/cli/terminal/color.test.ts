import { describe, expect, it } from "vitest";
import { type ColorWhen, openOutput, showsColors, type Stream } from "../../../src/cli/terminal/output.ts";

const TERMINAL = { isTTY: true };
const PIPE = {};

describe("colours", () => {
  it.each<[string, { isTTY?: boolean }, ColorWhen, Record<string, string>, boolean]>([
    ["on a terminal", TERMINAL, "auto", { TERM: "xterm" }, true],
    ["not into a pipe or a file", PIPE, "auto", { TERM: "xterm" }, false],
    ["not with NO_COLOR", TERMINAL, "auto", { NO_COLOR: "1" }, false],
    ["with an empty NO_COLOR", TERMINAL, "auto", { NO_COLOR: "" }, true],
    ["not on a dumb terminal", TERMINAL, "auto", { TERM: "dumb" }, false],
    ...["", "1", "2", "3", "true"].map(
      (force): [string, { isTTY?: boolean }, ColorWhen, Record<string, string>, boolean] => [
        `with FORCE_COLOR=${force}, whatever the rest says`,
        PIPE,
        "auto",
        { FORCE_COLOR: force, NO_COLOR: "1", TERM: "dumb" },
        true,
      ],
    ),
    ["not with FORCE_COLOR=0", TERMINAL, "auto", { FORCE_COLOR: "0" }, false],
    ["not with FORCE_COLOR=false", TERMINAL, "auto", { FORCE_COLOR: "false" }, false],
    ["with --color always, before all variables", PIPE, "always", { FORCE_COLOR: "0", NO_COLOR: "1" }, true],
    ["not with --color never, before all variables", TERMINAL, "never", { FORCE_COLOR: "3" }, false],
  ])("are shown %s", (_what, stream, when, variables, expected) => {
    expect(showsColors(stream, when, variables)).toBe(expected);
  });

  it("are decided for each stream: a redirected stream has none", () => {
    const written = { stdout: "", stderr: "" };
    const stream = (name: "stdout" | "stderr", isTTY: boolean): Stream => ({
      isTTY,
      write: (text: string) => (written[name] += text),
    });
    for (const [out, error] of [
      [true, false],
      [false, true],
    ] as const) {
      const streams = { stdout: stream("stdout", out), stderr: stream("stderr", error) };
      const formats = [{ format: "text", file: undefined }];
      const output = openOutput(streams, { formats, color: "auto", variables: {} });
      output.report({ text: (paper) => paper.paint("bad", "result") });
      output.say(output.paint("bad", "said"));
    }

    expect(written.stdout).toBe("\u001b[31mresult\u001b[39m\nresult\n");
    expect(written.stderr).toBe("said\n\u001b[31msaid\u001b[39m\n");
  });
});
