import { InvalidArgumentError } from "@commander-js/extra-typings";
import { describe, expect, it } from "vitest";
import { CHECK_FORMATS, formatTargetsAmong } from "../../../src/cli/terminal/formats.ts";

describe("the formats of check", () => {
  it.each<[string, readonly object[]]>([
    ["text", [{ format: "text", file: undefined }]],
    ["json=out.json", [{ format: "json", file: "out.json" }]],
    [
      "github,sarif=a/b.sarif,junit=c.xml",
      [
        { format: "github", file: undefined },
        { format: "sarif", file: "a/b.sarif" },
        { format: "junit", file: "c.xml" },
      ],
    ],
    [
      "text, json=a=b.json",
      [
        { format: "text", file: undefined },
        { format: "json", file: "a=b.json" },
      ],
    ],
  ])("are read from %s", (text, targets) => {
    expect(formatTargetsAmong(CHECK_FORMATS, text)).toEqual(targets);
  });

  it.each([
    ["", 'There is no format "". There are text, json, github, sarif, junit.'],
    ["yaml", 'There is no format "yaml". There are text, json, github, sarif, junit.'],
    ["text,", 'There is no format "". There are text, json, github, sarif, junit.'],
    ["json,sarif", "json and sarif would both be printed; give one of them a file: sarif=FILE."],
    ["json,json=a", "json is named twice; name each format once."],
    ["json=a,sarif=a", "Two formats would be written into a."],
    ["json=", "json= names no file. Omit the = to print it."],
    ["json=-", "json= names no file. Omit the = to print it."],
  ])("refuse %s", (text, message) => {
    expect(() => formatTargetsAmong(CHECK_FORMATS, text)).toThrow(new InvalidArgumentError(message));
  });
});
