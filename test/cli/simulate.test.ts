import { Ajv } from "ajv";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import schema from "../../schemas/output/simulate.schema.json" with { type: "json" };
import { SAMPLE, templateText } from "../../src/check/example.ts";
import { HISTORY } from "../promote/simulate/tables.ts";
import { emptyRepository } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import { run } from "./program.ts";
import { NO_CATALOGUE } from "./promoting.ts";
import { tableSite } from "./tableSite.ts";
import { ranOn } from "../promote/smokePaths.ts";

interface Document {
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

const validate = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } }).compile(
  schema,
);

function documentIn(text: string): Document {
  const document: unknown = JSON.parse(text);
  validate(document);
  expect(validate.errors ?? []).toEqual([]);
  return document as Document;
}

/** That evidence is taken for granted, and the section of what a policy never allows. */
const [NO_EVIDENCE, NEVER] = [/^assumed: .*\bevidence\b.*\(smoke\)/m, /^Never allowed\b.* \((\d+)\)$/m];

describe("simulate", () => {
  it("replays a table under a policy, without a catalogue", async () => {
    const { args } = tableSite();
    const { code, stdout, stderr } = await run(args);

    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining("history.csv, 1 module, 2024-01-01T00:00:00Z to 2024-01-15T00:00:00Z"),
    ]);
    expect(stdout).toMatch(NO_EVIDENCE);
    expect(stdout).toMatch(/^assumed: .*\blandscapes\b.*\bfast\b/m);
    expect(stdout).toMatch(/^minor {2}1 +2d \(2d to 2d\) +0 +1 +0 +0 +0 +0$/m);
    expect(stdout).toMatch(/^minor {2}1 +7d \(7d to 7d\) +0 +0$/m);
    expect(stdout).toMatch(/ regular\/istio 1\.0\.0 → 1\.1\.0: .*\b2d .*\bfast\b.* 5d .* 2024-01-09T00:00:00Z/);
    expect(stdout).toContain("Hot-fixes (1)\n  2024-01-15T00:00:00Z  regular/istio 1.1.0 → 1.1.1: A hot-fix: ");
    expect(stderr).toEqual(mentions("history.csv:4: warning:", "left out", '"Cluster_IP"', "module"));
    expect(stdout).toContain("table: 1 line corrected, 1 line left out; --verbose shows which");
  });

  it("names every corrected line with --verbose", async () => {
    const { args } = tableSite();
    const { stderr } = await run([...args, "--verbose"]);

    expect(stderr).toEqual(mentions("v1.0.0", "removed", "history.csv line=2"));
  });

  it("writes each format to its place, and one document that matches its schema", async () => {
    const { folder, args } = tableSite();
    const page = join(folder.path, "page.html");
    const { code, stdout } = await run([...args, "--format", `json,html=${page}`]);
    const { items } = documentIn(stdout);

    expect(code).toBe(0);
    expect(items.map(({ kind }) => kind)).toEqual([
      "replayed",
      "total",
      "change",
      "change",
      "change",
      "promotion",
      "finding",
      "finding",
    ]);
    expect(items[3]).toMatchObject({
      how: "promotion",
      level: "minor",
      leadSeconds: 172_800,
      judgement: { kind: "early", allowedAt: "2024-01-09T00:00:00Z", secondsLater: 432_000 },
    });
    expect(readFileSync(page, "utf8")).toMatch(/^<!DOCTYPE html>\n.*<\/html>\n$/s);
  });

  it("has examples in its schema that match the schema", () => {
    for (const example of schema.examples) documentIn(JSON.stringify(example));
  });

  it("waits for the named evidence, and assumes none then", async () => {
    const { folder, args } = tableSite();
    const about = { module: "istio", version: "1.1.0", specHash: `sha256:${"a1".repeat(32)}`, source: "run 7" };
    const smoke = { kind: "smoke", ...ranOn(false), observedAt: "2024-01-03T00:00:00Z", ...about };
    const evidence = join(folder.path, "evidence.json");
    writeFileSync(evidence, JSON.stringify({ format: 1, evidence: [smoke] }));
    const { stdout, stderr, code } = await run([...args, "--evidence", evidence]);

    expect([code, stderr]).toEqual([0, expect.not.stringContaining("error")]);
    expect(stdout).not.toMatch(NO_EVIDENCE);
    expect(NEVER.exec(stdout)?.[1]).toBe("1");
    expect(stdout).toMatch(
      /smoke test .*\binstall of istio 1\.1\.0 .*Kubernetes 1\.36\.3 failed .*2024-01-03T00:00:00Z: use \(run 7\)/,
    );
  });

  it("takes the versions that a smoke test upgraded from as those of the table", async () => {
    const { folder, args } = tableSite();
    const about = { module: "istio", version: "1.1.0", specHash: `sha256:${"a1".repeat(32)}`, source: "run 7" };
    const from = { version: "1.0.0", specHash: `sha256:${"b2".repeat(32)}` };
    const smoke = { kind: "smoke", ...ranOn(true, from), observedAt: "2024-01-03T00:00:00Z", ...about };
    const evidence = join(folder.path, "evidence.json");
    writeFileSync(evidence, JSON.stringify({ format: 1, evidence: [smoke] }));
    const { stdout } = await run([...args, "--evidence", evidence]);

    expect(stdout).not.toMatch(NEVER);
    expect(stdout).not.toContain("smoke");
  });

  it("replays the repository's history under its own policy", async () => {
    const repository = emptyRepository();
    repository.write(SAMPLE);
    repository.commit("sample");
    repository.write({ "channels/fast/sample.yaml": templateText("fast", "1.9.0") });
    const head = repository.commit("1.9.0 to fast");
    const { stdout, stderr, code } = await run([
      "simulate",
      "--repo",
      repository.path,
      "--offline",
      "--format",
      "json",
    ]);

    expect([code, stderr]).toEqual([0, ""]);
    const document = documentIn(stdout);
    expect(document).toMatchObject({ kind: "Simulation", revision: head });
    expect(document.items[0]).toMatchObject({ kind: "replayed", source: mentions("history", head.slice(0, 10)) });
  });

  it.each<readonly [what: string, args: readonly string[], code: number, message: RegExp]>([
    [
      "a table without a header",
      ["--history-csv", "regular.yaml"],
      2,
      /regular\.yaml .*commit_date, commit, module, channel, to_version\b/,
    ],
    ["a table that is a folder", ["--history-csv", "folder"], 2, /\/folder is a folder\b/],
    ["a missing table", ["--history-csv", "none.csv"], 2, /folder \S+\/none\.csv\b/],
    ["a policy that is none", ["--policy", "history.csv"], 2, /history\.csv:\d+:\d+: error: /],
    ["a policy that follows no channel", ["--policy", "fast.yaml"], 2, /fast\.yaml .*channel fast\b.*follows: NAME/],
    ["a channel whose name is none", ["--channel", "No"], 2, /regular\.yaml .*\bNo\b.*--channel NAME/],
    ["an instant after the end", ["--since", "2025-01-01T00:00:00Z"], 2, /ends at 2024-01-15T00:00:00Z, before 2025/],
    ["an instant that is none", ["--since", "yesterday"], 2, /'--since <instant>' .*'yesterday'/],
    ["an unknown format", ["--format", "sarif"], 2, /format "sarif"\. .*text, json, html\b/],
    ["a page nowhere", ["--format", "html=nowhere/page.html"], 2, /folder nowhere\b.*nowhere\/page\.html/],
    ["evidence that is none", ["--evidence", "history.csv"], 2, /history\.csv:1:1: error: /],
  ])("says what is wrong in one sentence: %s", async (_, args, code, message) => {
    const { folder, args: usual } = tableSite();
    folder.write({ "folder/a.yaml": "a: 1\n", "folder/b.yaml": "b: 1\n" });
    folder.write({ "fast.yaml": JSON.stringify({ format: 1, landscapes: ["dev"] }) });
    const placed = args.map((arg) => (/\.(csv|yaml)$|^folder$/.test(arg) ? join(folder.path, arg) : arg));
    const ended = await run([...usual, ...placed]);

    expect(ended.stderr).toMatch(message);
    expect([ended.code, ended.stdout]).toEqual([code, ""]);
  });

  it("needs a catalogue if no policy is named", async () => {
    const { folder } = tableSite();
    const ended = await run(["simulate", "--repo", folder.path, "--history-csv", join(folder.path, "history.csv")]);

    expect(ended.stderr).toEqual(NO_CATALOGUE);
    expect(ended.code).toBe(2);
  });

  it("explains the two downgrades and the four hot-fixes of the real history one by one", async (context: TestContext) => {
    if (!existsSync(HISTORY)) return context.skip("there is no ../shared/kyma-data beside this repository");
    const { folder } = tableSite();
    const policy = join(folder.path, "regular.yaml");
    const { stdout, code } = await run([
      "simulate",
      "--repo",
      folder.path,
      "--history-csv",
      HISTORY,
      "--policy",
      policy,
    ]);
    const linesOf = (title: string): readonly string[] => {
      const [, text = ""] = stdout.split(`\n${title} (`);
      return (
        text
          .split("\n\n")[0]
          ?.split("\n")
          .slice(1)
          .map((line) => line.trim().split(": ")[0] ?? "") ?? []
      );
    };

    expect(code).toBe(0);
    expect(linesOf("Hot-fixes")).toEqual([
      "2024-03-22T07:59:46Z  regular/api-gateway 2.2.1 → 2.2.2",
      "2024-03-22T08:49:00Z  regular/istio 1.3.2 → 1.3.3",
      "2024-05-27T08:29:59Z  regular/telemetry 1.15.0 → 1.15.1",
      "2024-06-11T10:24:33Z  regular/telemetry 1.16.1 → 1.16.2",
    ]);
    expect(linesOf("Downgrades")).toEqual([
      "2023-11-21T07:14:12Z  regular/telemetry 1.3.0 → 1.2.0",
      "2024-03-26T13:46:35Z  regular/telemetry 1.11.1 → 1.10.1",
    ]);
  });
});
