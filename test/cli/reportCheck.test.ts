import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import schema from "../../schemas/output/check.schema.json" with { type: "json" };
import { CHECK_FORMATS, formatTargetsAmong } from "../../src/cli/formatTargets.ts";
import { openOutput } from "../../src/cli/output.ts";
import { deliverReports } from "../../src/cli/reportCheck.ts";
import { FACTS, MIXED } from "../check/report/samples.ts";
import { quietRun } from "../support/controlPlane.ts";

const SUMMARY = "1 error, 1 warning, 1 note in 2 of 812 files; 1 waived; 2 rules not run (0.84 s)";

interface Delivered {
  readonly stdout: string;
  readonly stderr: string;
  readonly files: Readonly<Record<string, string>>;
}

async function deliver(formats: string, color: "always" | "never" = "never"): Promise<Delivered> {
  const printed = { stdout: "", stderr: "" };
  const stream = (name: "stdout" | "stderr"): { write: (text: string) => void } => ({
    write: (text) => {
      printed[name] += text;
    },
  });
  const streams = { stdout: stream("stdout"), stderr: stream("stderr") };
  const output = openOutput(streams, { formats: [{ format: "text", file: undefined }], color, noColor: false });
  let files = {};
  const write = (wanted: ReadonlyMap<string, string>): Promise<void> => {
    files = Object.fromEntries(wanted);
    return Promise.resolve();
  };
  await deliverReports(
    { result: MIXED, facts: FACTS },
    formatTargetsAmong(CHECK_FORMATS, formats),
    output,
    write,
    quietRun(),
  );
  return { ...printed, files };
}

describe("delivering the reports of check", () => {
  it("prints one, and writes the others as whole files that end with a line break", async () => {
    const { stdout, stderr, files } = await deliver("github,text=a.txt,json=b.json,sarif=c.sarif,junit=d.xml");

    expect(stdout).toMatch(/^::error file=/);
    expect(stdout.endsWith(`\n${SUMMARY}\n`)).toBe(true);
    expect(stderr).toBe("");
    expect(Object.keys(files)).toEqual(["a.txt", "b.json", "c.sarif", "d.xml"]);
    for (const text of Object.values(files)) expect(text).toMatch(/[^\n]\n$/);
  });

  it("says what was found where no report is printed", async () => {
    const { stdout, stderr, files } = await deliver("junit=d.xml");

    expect(stdout).toBe("");
    expect(stderr).toBe(`${SUMMARY}\n`);
    expect(Object.keys(files)).toEqual(["d.xml"]);
  });

  it("colours what it prints, and no file", async () => {
    expect((await deliver("text", "always")).stdout).toContain("\u001b[31m");
    expect((await deliver("json,text=a.txt", "always")).files["a.txt"]).not.toContain("\u001b");
  });

  it("prints JSON that follows its schema, and the schema's own example does", async () => {
    const validate = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } }).compile(
      schema,
    );
    const document: unknown = JSON.parse((await deliver("json")).stdout);

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
