import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import type { Import, ImportInput } from "../../../src/catalogue/import/result.ts";
import { mentions } from "../../support/mentions.ts";
import { importAll, parseAfter, paths, textsAfter, written } from "./samples.ts";

/** Templates that were really published, where they lie beside this repository. */
const DATA = join(import.meta.dirname, "../../../../shared/kyma-data");

function inputsOf(context: TestContext, ...folders: readonly string[]): readonly ImportInput[] {
  if (!existsSync(DATA)) return context.skip("there is no ../shared/kyma-data beside this repository");
  return folders.flatMap((folder) =>
    readdirSync(join(DATA, folder)).map((name) => ({
      kind: "file",
      name,
      content: readFileSync(join(DATA, folder, name)),
    })),
  );
}

const places = (decision: Import, reason: string): readonly string[] =>
  [...new Set(decision.leftOut.filter((one) => one.reason === reason).map(({ path }) => path ?? ""))].sort();

describe("the templates of kyma-project", () => {
  it("give exactly five channel files", (context) => {
    const decision = importAll(inputsOf(context, "moduletemplates"));

    expect(paths(decision).filter((path) => path.startsWith("channels/"))).toEqual([
      "channels/fast/eventing.yaml",
      "channels/fast/istio.yaml",
      "channels/regular/api-gateway.yaml",
      "channels/regular/eventing.yaml",
      "channels/regular/istio.yaml",
    ]);
    expect(paths(decision)).toHaveLength(5 + 28);
    expect(
      written(decision).flatMap(({ edits }) =>
        edits.filter(({ field }) => field === "metadata.name").map(({ was }) => was),
      ),
    ).toEqual(["busola-1-0-31", "busola-1-0-32"]);
  });

  it("contradict each other about these versions and channels", (context) => {
    expect(places(importAll(inputsOf(context, "moduletemplates")), "conflict")).toEqual([
      "channels/fast/template-operator.yaml",
      "channels/mandatory/template-operator.yaml",
      "channels/regular/template-operator.yaml",
      "modules/busola/0.0.11/template.yaml",
      "modules/busola/0.0.12/template.yaml",
      "modules/cap-operator/0.15.0/template.yaml",
      "modules/docker-registry/0.11.0/template.yaml",
      "modules/docker-registry/0.8.0/template.yaml",
      "modules/template-operator/1.0.5/template.yaml",
    ]);
  });

  it("are left out for these reasons: of the 93 of today, 35 are taken as 33", (context) => {
    const decision = importAll(inputsOf(context, "moduletemplates"));
    const counts = Object.groupBy(decision.leftOut, ({ reason }) => reason);
    const merged = written(decision).flatMap((template) => template.merged);

    expect(Object.fromEntries(Object.entries(counts).map(([reason, all]) => [reason, all.length]))).toEqual({
      kind: 44,
      conflict: 38,
      name: 13,
      module: 3,
      invalid: 3,
    });
    expect(merged).toHaveLength(3);
    expect(33 + merged.length + 38 + 13 + 3 + 3).toBe(93);
    expect(counts.invalid?.map(({ problems }) => problems.map(({ message }) => message))).toEqual(
      [1, 2, 3].map(() => [mentions("property descriptor")]),
    );
  });

  it("become a catalogue that loads, and that a second import does not change", (context) => {
    const inputs = inputsOf(context, "moduletemplates");
    const decision = importAll(inputs);

    expect(parseAfter(decision)).toMatchObject({ kind: "catalogue", catalogue: { withheld: new Set() } });
    expect(importAll(inputs.toReversed(), {}, textsAfter(decision)).files).toEqual([]);
  });

  it("keep their text except for the filled-in lines", (context) => {
    const inputs = inputsOf(context, "moduletemplates");
    const texts = new Map(
      inputs.map((input) => [input.name, input.kind === "file" ? Buffer.from(input.content).toString() : ""]),
    );
    const changed = written(importAll(inputs)).flatMap(({ from, text, edits }) => {
      const lines = new Set(text.split("\n"));
      const gone = (texts.get(from) ?? "")
        .trimEnd()
        .split("\n")
        .filter((line) => !lines.has(line));
      return gone.length > edits.filter(({ was }) => was !== undefined).length ? [from] : [];
    });

    expect(changed).toEqual([]);
  });

  it("leave the regular version of template-operator unknown, together with the ModuleReleaseMetas", (context) => {
    const decision = importAll(inputsOf(context, "moduletemplates", "modulereleasemetas"));
    const metas = decision.leftOut.filter(({ source }) => source.includes("module-release-meta"));

    expect(paths(decision)).toHaveLength(33);
    expect(metas.map(({ reason, path }) => `${reason} ${path ?? ""}`)).toEqual(
      metas.map(() => "conflict channels/regular/template-operator.yaml"),
    );
    expect(metas).toHaveLength(5);
  });
});
