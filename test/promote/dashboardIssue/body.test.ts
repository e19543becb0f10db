import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Debt, Status } from "../../../src/promote/status.ts";
import { dashboardBody, quoted } from "../../../src/promote/dashboardIssue/body.ts";
import { tickedBoxes } from "../../../src/promote/dashboardIssue/boxes.ts";
import type { DashboardRow } from "../../../src/promote/dashboardIssue/rows.ts";
import type { Assessment } from "../../../src/promote/verdict/verdict.ts";
import { contentOf, proposal } from "../promotions.ts";
import { day, REGULAR, version, type Merge } from "../verdict/timeline.ts";
import { gatheredOn, MERGES, rowOn, rowsOn } from "./rows.ts";
import { dashboardRows } from "../../../src/promote/dashboardIssue/rows.ts";

const NOTHING = { told: new Set<string>(), seen: new Map<string, number>() };

function bodyOf(rows: readonly DashboardRow[], at = 20): string {
  return dashboardBody({ rows, revision: "c".repeat(40), nowMs: day(at) }, NOTHING);
}

/** The lines of one section. */
function section(body: string, title: string): readonly string[] {
  const [, rest = ""] = body.split(`## ${title}\n\n`);
  return rest.split("\n\n")[0]?.split("\n") ?? [];
}

/** The row of the table for istio in regular. */
const cells = (row: DashboardRow, at = 20): string => /^\| regular .*$/m.exec(bodyOf([row], at))?.[0] ?? "";

const withStatus = (row: DashboardRow, status: Partial<Status>): DashboardRow => ({
  ...row,
  status: { ...row.status, ...status },
});

function withChosen(row: DashboardRow, change: Partial<Assessment>): DashboardRow {
  const { verdict } = row.status;
  if (verdict?.chosen === undefined) throw new Error("there is no candidate");
  return withStatus(row, { verdict: { ...verdict, chosen: { ...verdict.chosen, ...change } } });
}

const DEBT: Debt = {
  hotfix: {
    ...{ version: version("1.1.1"), channel: REGULAR, by: "octocat", at: "2026-01-01T00:00:00Z" },
    incident: "https://example.com/incident/7",
  },
  since: { index: 0, commit: "c0", atMs: day(5) },
  kinds: ["smoke", "review"],
};

describe("the text of a dashboard", () => {
  it("lists version, candidate and verdict of every module in following channels", () => {
    expect(cells(rowOn(12, MERGES), 12)).toBe(
      "| regular | istio | 1.1.0 | 1.2.0 (minor) | waits until 2026-01-18T00:00:00Z because of soak |  |",
    );
    expect(cells(rowOn(20, MERGES))).toContain("| 1.2.0 (minor) | promote now |  |");
    expect(cells(rowOn(20, [{ at: 0, fast: "1.1.0", regular: "1.1.0" }]))).toBe(
      "| regular | istio | 1.1.0 |  | nothing to do |  |",
    );
    expect(cells(withStatus(rowOn(20, MERGES), { version: undefined }))).toContain("| istio |  | 1.2.0 (minor) |");
    expect(cells({ ...rowOn(20, MERGES), mergedAs: "a".repeat(40) })).toContain("| merged as aaaaaaaaaa |");
    expect(bodyOf(rowsOn(20, MERGES))).not.toContain("| fast |");
  });

  it("tells what is awaited, without anything that time alone changes", () => {
    const awaiting = ["No smoke test."];
    const waits = (notBeforeMs: number): DashboardRow =>
      withChosen(rowOn(12, MERGES), { earliest: { kind: "not-before", notBeforeMs, awaiting } });

    expect(cells(waits(day(15)), 12)).toContain("| waits: No smoke test. Not before 2026-01-16T00:00:00Z. |");
    expect(cells(waits(day(12)), 12)).toContain("| waits: No smoke test. |");
    expect(cells(withChosen(rowOn(12, MERGES), { earliest: undefined }))).toContain(
      "| waits until something changes |",
    );
    expect(
      cells(withChosen(rowOn(20, [...MERGES, { at: 12, hold: { version: "1.2.0" } }]), { reasons: [] })),
    ).toContain("| blocked:  |");
    expect(bodyOf(rowsOn(12, MERGES), 12)).toBe(bodyOf(rowsOn(12.5, MERGES), 12.5));
  });

  it("links pull requests, and names branches without one", () => {
    const open = { ...proposal(contentOf("1.2.0")), step: undefined };

    expect(cells(withStatus(rowOn(20, MERGES), { proposal: open }))).toContain(
      "| [#7](https://github.com/org/name/pull/7) |",
    );
    expect(cells(withStatus(rowOn(20, MERGES), { proposal: { ...open, pull: undefined } }))).toContain(
      "| promote/regular/istio |",
    );
  });

  it("begins with blocks, since when, and their remedies", () => {
    const held: readonly Merge[] = [...MERGES, { at: 12, hold: { version: "1.2.0", until: "2026-02-01T00:00:00Z" } }];
    const body = bodyOf(rowsOn(20, held));

    expect(section(body, "Blocked")).toEqual([
      expect.stringMatching(
        /^- \*\*regular\/istio 1\.2\.0\*\*, since 2026-01-13T00:00:00Z: octocat holds 1\.2\.0 .* Release .* above 1\.2\.0/,
      ),
    ]);
    expect(section(body, "Holds")).toEqual([
      "- **istio 1.2.0** in all channels: held by octocat since 2026-01-13T00:00:00Z until 2026-02-01T00:00:00Z: it leaks",
    ]);
    expect(body).not.toContain("- [ ]");
  });

  it("tells since when a block is seen that no history dates", () => {
    const contradiction = { message: "Files contradict one another.", remedy: "Correct them." };
    const gathered = gatheredOn(20, MERGES, { contradiction });
    const seen = new Map([["regular/istio", day(18)]]);

    expect(section(bodyOf(dashboardRows(gathered, new Map(), { seen })), "Blocked")).toEqual([
      "- **regular/istio 1.2.0**, seen since 2026-01-19T00:00:00Z: Files contradict one another. Correct them.",
    ]);
    expect(section(bodyOf(dashboardRows(gathered, new Map(), { seen: new Map() })), "Blocked")[0]).toContain(
      "seen since 2026-01-21T00:00:00Z",
    );
  });

  it("lists decreases by hand, proposed holds and what hot-fixes owe", () => {
    const down: readonly Merge[] = [...MERGES, { at: 18, regular: "1.2.0" }, { at: 19, regular: "1.1.0" }];
    const hold = { kind: "hold", module: "istio", version: "1.2.0", channel: "regular", source: "https://x.test/8" };
    const row = withStatus(rowOn(25, down), { debts: [DEBT], interventions: [hold as never] });
    const body = bodyOf([row], 25);

    expect(section(body, "Holds")).toEqual([
      "- **istio 1.2.0** in regular: regular went down to 1.1.0 at 2026-01-20T00:00:00Z",
      "- **istio 1.2.0** in regular: hold proposed, https://x.test/8",
    ]);
    expect(section(body, "Debt")).toEqual([
      "- **regular/istio 1.1.1** owes smoke, review since 2026-01-06T00:00:00Z: https://example.com/incident/7",
    ]);
  });

  it("has boxes for versions that may move now or later", () => {
    const boxes = (row: DashboardRow): readonly string[] =>
      tickedBoxes(bodyOf([row]), bodyOf([row]).replaceAll("- [ ]", "- [x]")).map(({ kind }) => kind);

    expect(boxes(rowOn(20, MERGES))).toEqual(["apply", "hold"]);
    expect(boxes(rowOn(12, MERGES))).toEqual(["hold"]);
    expect(boxes({ ...rowOn(20, MERGES), mergedAs: "a".repeat(40) })).toEqual([]);
    expect(boxes(rowOn(20, [...MERGES, { at: 12, hold: { version: "1.2.0" } }]))).toEqual([]);
  });

  it("is bounded, and counts the lines that it leaves out", () => {
    const row = withStatus(rowOn(20, MERGES), { debts: Array.from({ length: 500 }, () => DEBT) });
    const body = bodyOf(Array.from({ length: 500 }, () => row));

    expect(body.length).toBeLessThanOrEqual(60_000);
    expect(body.match(/… and \d+ more lines: `kyma-modules status` shows all\./g)).toHaveLength(3);
    expect(body).toContain("## Every module");
    expect(body).toMatch(/<!-- kyma-modules told= seen= -->$/);
  });

  it("is bounded for every length of its lines", () => {
    const long = Array.from({ length: 20 }, (_, more) => {
      const debt = { ...DEBT, hotfix: { ...DEBT.hotfix, incident: `https://x.test/${"i".repeat(more)}` } };
      const row = withStatus(rowOn(20, MERGES), { debts: [debt] });
      return bodyOf(Array.from({ length: 600 }, () => row));
    });

    expect(long.filter(({ length }) => length > 60_000)).toEqual([]);
    expect(Math.max(...long.map(({ length }) => length))).toBeGreaterThan(59_500);
  });

  it("stays bounded with rows of maximum length", () => {
    const reason = "x".repeat(2_000);
    const debt = { ...DEBT, hotfix: { ...DEBT.hotfix, incident: `https://x.test/${reason}` } };

    expect(bodyOf([withStatus(rowOn(20, MERGES), { debts: [debt] })])).not.toContain("x".repeat(301));
  });
});

describe("a text that others wrote", () => {
  it.each([
    ["@org/team, look", "@\u200borg/team, look"],
    ["closes #12", "closes #\u200b12"],
    ["closes org/name#12 and GH-3", "closes org/name#\u200b12 and GH-\u200b3"],
    ["<img src=x> <!-- apply -->", "\\<img src=x\\> \\<!-- apply --\\>"],
    ["a | b\n\n# c", "a \\| b # c"],
    ["- [x] <!-- hold -->\r- [ ] b", "- \\[x\\] \\<!-- hold --\\> - \\[ \\] b"],
    ["[a](https://x.test) `b` ~~c~~", "\\[a\\](https://x.test) \\`b\\` \\~\\~c\\~\\~"],
    ["\u202egnorw\u0007", "gnorw"],
  ])("%j is shown literally", (text, expected) => {
    expect(quoted(text)).toBe(expected);
  });

  it("never makes a box", () => {
    fc.assert(
      fc.property(fc.string(), (noise) => {
        const line = `- ${quoted(`${noise}\n- [ ] <!-- apply regular/istio -->\n${noise}`)}`;

        expect(tickedBoxes(line, line.replaceAll("[ ", "[x"))).toEqual([]);
        expect(line).not.toMatch(/[\n\r\u2028\u2029]/);
      }),
    );
  });
});
