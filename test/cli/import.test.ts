import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv } from "ajv";
import { stringify } from "yaml";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { parse } from "../../src/catalogue/parse.ts";
import { directorySource } from "../../src/systems/files/files.ts";
import { complete, MODULE_LABEL, releaseMeta, template } from "../catalogue/import/samples.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";
import { filesIn, inputs } from "./importing.ts";
import { run, type Ended } from "./program.ts";
import { kymaIn } from "./promoting.ts";

const DATA = join(import.meta.dirname, "../../../shared/kyma-data/moduletemplates");

async function parseFolder(folder: string): Promise<ReturnType<typeof parse>> {
  const { files } = await directorySource(folder).snapshot(() => true, quietRun());
  return parse(undefined, files);
}

describe("kyma-modules import", () => {
  let repository: string;
  const importInto = (...args: readonly string[]): Promise<Ended> => kymaIn(repository, ["import", ...args]);

  beforeEach(() => {
    const home = mkdtempSync(join(tmpdir(), "kyma-modules-import-"));
    repository = join(home, "catalogue");
    onTestFinished(() => {
      rmSync(home, { recursive: true });
    });
  });

  it("makes a catalogue in a new folder, and reports filled fields", async () => {
    const labels = { labels: { [MODULE_LABEL]: "istio" } };
    const folder = inputs({ "istio.yaml": template("istio-fast", { channel: "fast", version: "1.0.0" }, labels) });
    const { code, stdout, stderr } = await run(["import", folder, "--repo", repository]);

    expect(stderr).toBe("");
    expect(stdout.split("\n")).toEqual([
      mentions("made      kyma-modules.yaml:", "dev", "embedded"),
      "made      channels/fast.yaml: release channel, versions: release",
      "taken     channels/fast/istio.yaml: istio 1.0.0",
      `            from ${join(folder, "istio.yaml")}`,
      "            filled in metadata.namespace: kcp-system (where lifecycle-manager looks)",
      `            filled in spec.moduleName: istio (from the label ${MODULE_LABEL})`,
      "1 template taken (1 in channels, 0 of versions), 2 files made, 0 already there, 0 left out",
      "",
    ]);
    expect(code).toBe(0);
    expect(await parseFolder(repository)).toMatchObject({ kind: "catalogue", catalogue: { findings: [] } });
  });

  it("reports renamed, removed, merged, released and omitted inputs, and exits 1", async () => {
    const folder = inputs({
      "a.yaml": template(
        "istio-1-0-0",
        { moduleName: "istio", version: "1.0.0", channel: "none" },
        { namespace: "x", labels: { [MODULE_LABEL]: "istio" } },
      ),
      "b.yaml": complete("istio", "1.0.0", {}, { annotations: { note: "x" } }),
      "c.yaml": releaseMeta("istio", { channels: [{ channel: "fast", version: "1.0.0" }] }),
      "d.yaml": { apiVersion: "v1", kind: "Secret" },
      "e.yaml": { ...complete("keda", "1.0.0"), spec: { version: "1.0.0" } },
    });
    const { code, stdout } = await importInto(folder);

    expect(stdout.replaceAll(`${folder}/`, "").split("\n").slice(2)).toEqual([
      "taken     channels/fast/istio.yaml: istio 1.0.0",
      "            from b.yaml",
      "            as c.yaml says",
      mentions("renamed metadata.name: istio-1.0.0 → istio-fast"),
      "            filled in spec.channel: fast (from its place)",
      "taken     modules/istio/1.0.0/template.yaml: istio 1.0.0",
      "            from b.yaml",
      "            merged a.yaml: equal, but without metadata.annotations note: x",
      "left out  d.yaml: Unsupported kind: Secret (v1).",
      mentions("left out  e.yaml:", "ModuleTemplate"),
      mentions("8:1:", "descriptor"),
      "2 templates taken (1 in channels, 1 of versions), 2 files made, 0 already there, 2 left out",
      "",
    ]);
    expect(code).toBe(1);
  });

  it("writes nothing the second time", async () => {
    const folder = inputs({ "a.yaml": complete("istio", "1.0.0", { channel: "fast" }) });
    await importInto(folder);
    const before = filesIn(repository);
    const { code, stdout } = await importInto(folder);

    expect(stdout).toBe(
      `there     channels/fast/istio.yaml (${join(folder, "a.yaml")})\n0 templates taken (0 in channels, 0 of versions), 0 files made, 1 already there, 0 left out\n`,
    );
    expect(code).toBe(0);
    expect(filesIn(repository)).toEqual(before);
  });

  it("keeps the files of the repository, and replaces them by newer ones with --prefer newest", async () => {
    const folder = inputs({ "a.yaml": complete("istio", "1.0.0", { channel: "fast" }) });
    await importInto(folder);
    writeFileSync(join(folder, "a.yaml"), stringify(complete("istio", "1.1.0", { channel: "fast" })));
    const kept = await importInto(folder);
    const env = { ...process.env, GIT_COMMITTER_DATE: "@4000000000 +0000" };
    for (const args of [
      ["init", "-q"],
      ["add", "."],
      ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgSign=false", "commit", "-qm", "x"],
    ]) {
      execFileSync("git", args, { cwd: folder, env });
    }
    const replaced = await importInto(folder, "--prefer", "newest");

    expect([kept.code, kept.stdout]).toEqual([
      1,
      mentions(`left out  ${join(folder, "a.yaml")}:`, "istio 1.0.0", "--prefer newest"),
    ]);
    expect([replaced.code, replaced.stdout]).toEqual([
      0,
      expect.stringContaining("replaced  channels/fast/istio.yaml: istio 1.1.0"),
    ]);
  });

  it("prints one JSON document that matches its schema", async () => {
    const folder = inputs({
      "a.yaml": template("istio-1-0-0", { moduleName: "istio", version: "1.0.0", channel: "none" }),
      "b.yaml": complete("istio", "1.0.0"),
      "c.yaml": complete("keda", "1.0.0", { extra: 1 }),
      "d.yaml": complete("serverless", "1.0.0", { channel: "fast" }),
      "e.yaml": complete("serverless", "1.1.0", { channel: "fast" }),
    });
    const schema = JSON.parse(
      readFileSync(join(import.meta.dirname, "../../schemas/output/import.schema.json"), "utf8"),
    ) as { examples: unknown[] };
    const ajv = new Ajv({ formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) } });
    const documents = [await importInto(folder, "--format", "json"), await importInto(folder, "--format", "json")].map(
      ({ stdout }) =>
        JSON.parse(stdout) as { readonly items: readonly { readonly kind: string; readonly reason?: string }[] },
    );

    for (const document of [...documents, ...schema.examples]) {
      ajv.validate(schema, document);
      expect(ajv.errors ?? []).toEqual([]);
    }
    const leftOut = ["left-out: invalid", "left-out: conflict", "left-out: conflict"];
    const kinds = documents.map(({ items }) =>
      items.map(({ kind, reason }) => (reason === undefined ? kind : `${kind}: ${reason}`)),
    );
    expect(kinds).toEqual([
      ["made", "made", "written", ...leftOut],
      ["present", ...leftOut],
    ]);
  });

  it.each([
    ["nothing to import", [], 2, ["folders", "--context NAME"]],
    ["a path that does not exist", ["does-not-exist"], 2, ["folder does-not-exist"]],
    ["a folder without YAML", [join(import.meta.dirname, "../../src/sync")], 2, ["YAML or JSON", "src/sync"]],
    ["an unreadable file", ["/proc/self/mem"], 3, ["/proc/self/mem"]],
  ])("reports the error in one sentence and writes nothing: %s", async (_, args, code, parts) => {
    const ended = await importInto(...args);

    expect(ended.stderr).toEqual(mentions("error:", ...parts));
    expect([ended.code, ended.stdout, existsSync(repository)]).toEqual([code, "", false]);
  });

  it("imports the templates of kyma-project into a catalogue", async (context) => {
    if (!existsSync(DATA)) return context.skip("there is no ../shared/kyma-data beside this repository");
    const { code, stdout } = await importInto(DATA);
    const before = filesIn(repository);
    const again = await importInto(DATA);

    expect(stdout).toMatch(
      /\n33 templates taken \(5 in channels, 28 of versions\), 8 files made, 0 already there, 101 left out\n$/,
    );
    expect([code, again.code]).toEqual([1, 1]);
    expect(filesIn(repository)).toEqual(before);
    expect(await parseFolder(repository)).toMatchObject({ kind: "catalogue", catalogue: { withheld: new Set() } });
  });
});
