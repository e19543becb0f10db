import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import schema from "../../schemas/output/check.schema.json" with { type: "json" };
import { CHECK_FORMATS, formatTargetsAmong } from "../../src/cli/terminal/formats.ts";
import { openOutput } from "../../src/cli/terminal/output.ts";
import { checkReports } from "../../src/cli/check/report.ts";
import { FACTS, MIXED } from "../check/report/samples.ts";

const SUMMARY = "1 error, 1 warning, 1 note in 2 of 812 files; 1 waived; 2 rules not run (0.84 s)";

interface Delivered {
  readonly stdout: string;
  readonly files: Readonly<Record<string, string>>;
}

function deliver(formats: string, color: "always" | "never" = "never"): Delivered {
  let stdout = "";
  const stream = { write: (text: string): void => void (stdout += text) };
  const targets = formatTargetsAmong(CHECK_FORMATS, formats);
  const output = openOutput({ stdout: stream, stderr: stream }, { formats: targets, color, variables: {} });
  output.report(checkReports({ result: MIXED, facts: FACTS }));
  return { stdout, files: Object.fromEntries(output.files()) };
}

describe("the reports of check", () => {
  it("prints one format, and writes the others as complete files that end with a line break", () => {
    const { stdout, files } = deliver("github,text=a.txt,json=b.json,sarif=c.sarif,junit=d.xml");

    expect(stdout).toMatch(/^::error file=/);
    expect(stdout.endsWith(`\n${SUMMARY}\n`)).toBe(true);
    expect(Object.keys(files)).toEqual(["a.txt", "b.json", "c.sarif", "d.xml"]);
    for (const text of Object.values(files)) expect(text).toMatch(/[^\n]\n$/);
  });

  it("colours printed text, but not files", () => {
    expect(deliver("text", "always").stdout).toContain("\u001b[31m");
    expect(deliver("json,text=a.txt", "always").files["a.txt"]).not.toContain("\u001b");
  });

  it("prints JSON that matches its schema, as does the schema's example", () => {
    const validate = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } }).compile(
      schema,
    );
    const document: unknown = JSON.parse(deliver("json").stdout);

    for (const value of [document, ...schema.examples]) {
      validate(value);
      expect(validate.errors ?? []).toEqual([]);
    }
    expect(document).toMatchObject({
      kind: "Check",
      format: 1,
      revision: null,
      decidedAt: "2026-11-21T02:30:00.000Z",
      items: [
        { kind: "finding", rule: "version-downgrade", line: 3, column: 12 },
        { kind: "finding", severity: "note" },
        { kind: "finding", severity: "warning" },
        { kind: "waived", waiver: { reason: "digests come with 1.4", line: 9 } },
        { kind: "not-run", rule: "image-exists", subject: "istio 1.3.3" },
        { kind: "not-run", rule: "image-exists", subject: "keda 1.0.0" },
        { kind: "not-run", rule: "version-released", why: "no tags were asked for" },
        { kind: "counts", errors: 1, warnings: 1, notes: 1, waived: 1, rulesNotRun: 2, files: 812, base: null },
      ],
    });
  });
});
