import fc from "fast-check";
import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import schema from "../../../schemas/output/check.schema.json" with { type: "json" };
import type { Finding } from "../../../src/document/finding.ts";
import { githubReport } from "../../../src/check/report/github.ts";
import { checkItems } from "../../../src/check/report/json.ts";
import { junitReport } from "../../../src/check/report/junit.ts";
import { printable, printableJson, printableLines } from "../../../src/document/printable.ts";
import { repositoryPath } from "../../../src/check/report/reportFacts.ts";
import { sarifReport } from "../../../src/check/report/sarif.ts";
import { PLAIN, textReport } from "../../../src/check/report/text.ts";
import type { CheckResult } from "../../../src/check/result.ts";
import { FACTS } from "./samples.ts";
import { officialSarif, ourSarif } from "./sarifShape.ts";
import { readXml } from "./xmlReader.ts";

const NASTY = [
  ...[
    "\u001b[2J",
    "\u001b]0;x\u0007",
    "\u009b31m",
    "\r\n",
    "\r",
    "\n",
    "\u2028",
    "\u202e",
    "\ufeff",
    "\u0000",
    "\ufffe",
  ],
  ...["\ud800", "\udfff", "::error file=x::y", "##[error]z", "::stop-commands::t", "%0A", "%", ",", ":", "]]>", "<!--"],
  ...["&#0;", "&lt;", "<x>", '"', "'", "](", "{0}", "\\u001b", "../", "/", "//", "__proto__", "名", "🚀", "e\u0301"],
];

const text = fc
  .array(fc.oneof(fc.constantFrom(...NASTY), fc.string({ unit: "binary", maxLength: 4 })), { maxLength: 6 })
  .map((parts) => parts.join(""));
const count = fc.integer({ min: 1, max: 40 });

const finding: fc.Arbitrary<Finding> = fc.record({
  rule: text,
  severity: fc.constantFrom("error", "warning", "note"),
  file: text,
  line: count,
  column: count,
  message: text,
  remedy: text,
});

const waiver = fc.record({ reason: text, until: fc.constant("2027-01-31T00:00:00Z"), file: text, line: count });
const summary = fc.record({
  id: text,
  severity: fc.constant("error" as const),
  demand: text.map((demand) => `D${demand}`),
  rationale: text.map((rationale) => `R${rationale}`),
  source: text,
});

const anyResult: fc.Arbitrary<CheckResult> = fc.record({
  revision: fc.option(text, { nil: undefined }),
  base: fc.option(text, { nil: undefined }),
  findings: fc.array(finding, { maxLength: 30 }),
  waived: fc.array(fc.record({ finding, waiver }), { maxLength: 4 }),
  notRun: fc.array(fc.record({ rule: text, subject: fc.option(text, { nil: undefined }), why: text }), {
    maxLength: 4,
  }),
  files: fc.nat(),
  rules: fc.uniqueArray(summary, { maxLength: 4, selector: ({ id }) => id }),
});

function facts(source: string): typeof FACTS {
  return { ...FACTS, sourceOf: () => source };
}

/** Nothing but line breaks between lines: what remains of what is not seen is written out. */
function expectPrintable(document: string): void {
  expect(document).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\ufffe\uffff]/u);
}

/** What the runner of GitHub makes of a workflow command; ActionCommand.TryParseV2 of actions/runner. */
function readCommand(line: string): object {
  const [, command, list = "", data = ""] = /^::(\S+) (.*?)::(.*)$/.exec(line) ?? [];
  const unescaped = (value: string): string => {
    const controls = value.replaceAll("%0D", "\r").replaceAll("%0A", "\n");
    return controls.replaceAll("%3A", ":").replaceAll("%2C", ",").replaceAll("%25", "%");
  };
  const properties = list.split(",").map((property) => {
    const at = property.indexOf("=");
    return [property.slice(0, at), unescaped(property.slice(at + 1))];
  });
  return { command, properties, text: unescaped(data) };
}

/** What is to be read of a finding. */
function annotationOf({ severity, file, line, column, rule, message, remedy }: Finding): object {
  const place = [
    ["file", printable(repositoryPath(file, FACTS))],
    ["line", String(line)],
    ["col", String(column)],
  ];
  return {
    command: severity === "note" ? "notice" : severity,
    properties: [...place, ["title", printable(rule)]],
    text: [message, remedy].flatMap(printableLines).join("\n"),
  };
}

describe("whatever a finding says", () => {
  it("the text for people contains only visible characters, and ends with the counts", () => {
    fc.assert(
      fc.property(anyResult, text, (value, source) => {
        const report = textReport(value, facts(source), PLAIN);

        expectPrintable(report);
        expect(report.split("\n").at(-1)).toMatch(/ \(0\.84 s\)$/);
      }),
    );
  });

  it("the workflow commands are only ours and match the findings, at most ten of a kind", () => {
    fc.assert(
      fc.property(anyResult, (value) => {
        const report = githubReport(value, FACTS);
        const lines = report.split("\n");
        const shown = ["error", "warning", "note"].flatMap((kind) =>
          value.findings.filter(({ severity }) => severity === kind).slice(0, 10),
        );

        expectPrintable(report);
        expect(lines.filter((line) => line.startsWith("::")).map(readCommand)).toEqual(shown.map(annotationOf));
        // The runner takes `##[` anywhere in a line, and `::` behind blanks, for a command.
        for (const line of lines.slice(shown.length)) expect(line).not.toMatch(/##\[|^\s*::/);
      }),
    );
  });

  it("the JSON items match their schema and the findings", () => {
    const validate = new Ajv({ formats: { "date-time": true } }).compile(schema);
    fc.assert(
      fc.property(anyResult, (value) => {
        const document = {
          kind: "Check",
          format: 1,
          revision: null,
          decidedAt: "2026-11-21T02:30:00Z",
          items: checkItems(value),
        };
        const printed = printableJson(JSON.stringify(document, null, 2));
        const read: unknown = JSON.parse(printed);

        expectPrintable(printed);
        expect(read).toEqual(document);
        validate(read);
        expect(validate.errors ?? []).toEqual([]);
      }),
    );
  });

  it("the SARIF log matches its schema", () => {
    const official = officialSarif();
    fc.assert(
      fc.property(anyResult, text, (value, source) => {
        const report = sarifReport(value, facts(source));
        const log: unknown = JSON.parse(report);

        expectPrintable(report);
        ourSarif(log);
        expect(ourSarif.errors ?? []).toEqual([]);
        official?.(log);
        expect(official?.errors ?? []).toEqual([]);
      }),
    );
  });

  it("the JUnit document is well-formed XML with as many cases as it says", () => {
    fc.assert(
      fc.property(anyResult, (value) => {
        const report = junitReport(value, FACTS);
        const suite = readXml(report).children[0];
        const cases = suite?.children.filter(({ name }) => name === "testcase") ?? [];
        const having = (child: string): string =>
          String(cases.filter(({ children }) => children.some(({ name }) => name === child)).length);

        expectPrintable(report);
        expect(suite?.attributes).toMatchObject({
          tests: String(cases.length),
          failures: having("failure"),
          skipped: having("skipped"),
        });
      }),
    );
  });
});
