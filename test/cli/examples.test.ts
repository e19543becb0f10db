import { describe, expect, it } from "vitest";
import { isShort, lastExamples, testExamples } from "./examples.ts";
import { run } from "./program.ts";

describe("the examples in the help", () => {
  testExamples(isShort);

  it("end the help of every command", async () => {
    const { stdout } = await run(["--help"]);
    const commands = [...stdout.matchAll(/^ {2}([a-z]+)(?= .* {2})/gm)].map(([, name]) => name ?? "");

    expect(commands).toContain("promote");
    for (const name of commands.filter((command) => command !== "help")) {
      const help = (await run([name, "--help"])).stdout;
      expect([name, help.trimEnd().endsWith(lastExamples.get(name) ?? "an example")]).toEqual([name, true]);
    }
  });
});
