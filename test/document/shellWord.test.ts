import { describe, expect, it } from "vitest";
import { shellCommand, shellWord } from "../../src/document/shellWord.ts";

describe("a shell command", () => {
  it("quotes values that a shell would not read as one word", () => {
    expect(["istio-1.2.0", "x;touch PWNED #", "it's", "$(id)", ""].map(shellWord)).toEqual([
      "istio-1.2.0",
      "'x;touch PWNED #'",
      String.raw`'it'\''s'`,
      "'$(id)'",
      "''",
    ]);
  });

  it("keeps its own words as they are", () => {
    expect(shellCommand`git fetch ${"origin"} ${"a;b"}:${"main"} && echo '*'`).toBe(
      "git fetch origin 'a;b':main && echo '*'",
    );
  });
});
