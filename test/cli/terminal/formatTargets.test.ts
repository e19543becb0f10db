import { describe, expect, it } from "vitest";
import { CHECK_FORMATS, formatTargetsAmong } from "../../../src/cli/terminal/formats.ts";
import { mentions } from "../../support/mentions.ts";

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
    ["", mentions('""', "text, json, github, sarif, junit")],
    ["yaml", mentions('"yaml"', "text, json, github, sarif, junit")],
    ["text,", mentions('""', "text, json, github, sarif, junit")],
    ["json,sarif", mentions("json", "sarif", "sarif=FILE")],
    ["json,json=a", mentions("json", "twice")],
    ["json=same.txt,sarif=same.txt", mentions("formats", "same.txt")],
    ["json=", mentions("json=", "file")],
    ["json=-", mentions("json=", "file")],
  ])("refuse %s", (text, message) => {
    expect(() => formatTargetsAmong(CHECK_FORMATS, text)).toThrow(
      expect.objectContaining({ code: "commander.invalidArgument", message }) as Error,
    );
  });
});
