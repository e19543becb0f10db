import { describe, expect, it } from "vitest";
import { blocksOf, textOf, withBlocks } from "./page.ts";
import { matches } from "./volatile.ts";

const PAGE = `# A page

\`\`\`console
$ cat > a.txt <<'EOT'
> one
> EOT
$ cat a.txt
one
\`\`\`

\`\`\`console terminal="demo" until="Ready (now|later)"
$ start
Ready now
^C
Stopped.
\`\`\`

\`\`\`yaml
a: 1
\`\`\`

\`\`\`console terminal="demo"
\`\`\`

\`\`\`console no-run reason="needs GitHub"
$ push
\`\`\`
`;

describe("a page", () => {
  it("has commands of one and of several lines, each with what is shown under it", () => {
    const [first, second, third] = blocksOf(PAGE);

    expect(first?.steps).toEqual([
      { command: "cat > a.txt <<'EOT'\none\nEOT", shown: "" },
      { command: "cat a.txt", shown: "one" },
    ]);
    expect(second?.steps).toEqual([
      { command: "start", shown: "Ready now" },
      { command: "^C", shown: "Stopped." },
    ]);
    expect(third?.steps).toEqual([{ command: "", shown: "" }]);
  });

  it("says of a block which terminal it is, how long to read, and why it is not run", () => {
    expect(blocksOf(PAGE).map(({ terminal, until, noRun }) => [terminal, until?.source, noRun])).toEqual([
      ["", undefined, undefined],
      ["demo", "Ready (now|later)", undefined],
      ["demo", undefined, undefined],
      ["", undefined, "needs GitHub"],
    ]);
  });

  it("is the same when nothing differs, and has what was printed where something does", () => {
    const printed = [["", "one\n"], ["Ready later\n", "Stopped.\n"], [""], [""]];
    const texts = blocksOf(PAGE).map(({ steps }, index) => textOf(steps, printed[index] ?? []));
    const shown = blocksOf(PAGE).map(({ steps }) =>
      textOf(
        steps,
        steps.map((step) => step.shown),
      ),
    );

    expect(withBlocks(PAGE, shown)).toBe(PAGE);
    expect(withBlocks(PAGE, texts)).toBe(PAGE.replace("Ready now", "Ready later"));
  });
});

describe("what a page shows is true", () => {
  it.each([
    ["of another time", "decided at 2026-01-01T00:00:00Z", "decided at 2026-05-04T10:00:00.123Z"],
    ["of another commit", "from d17465d22c", "from 07cfdb1f3e"],
    [
      "of another duration, with the column that follows it",
      "FOR   NEXT\n5s    1.5.0",
      "FOR        NEXT\n203d 4h    1.5.0",
    ],
    ["when lines are left out", "a\n…\nd", "a\nb\nc\nd"],
    ["when no line is left out after all", "a\n…\nd", "a\nd"],
    ["when the end is left out", "a\n…", "a\nb"],
  ])("%s", (_, shown, printed) => {
    expect(matches(shown, printed)).toBe(true);
  });

  it.each([
    ["another word", "promote now", "promote then"],
    ["another version", "serves 1.5.0", "serves 1.5.1"],
    ["another soak", "0s of 7d", "0s of 14d"],
    ["another indentation", "  a", "    a"],
    ["one line more", "a", "a\nb"],
    ["one line less", "a\nb", "a"],
    ["another line beside those that are left out", "a\n…\nd", "a\nb\ne"],
  ])("not with %s", (_, shown, printed) => {
    expect(matches(shown, printed)).toBe(false);
  });
});
