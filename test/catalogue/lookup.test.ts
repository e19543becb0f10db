import { describe, expect, it } from "vitest";
import { historicPaths, lookUpAtHead, lookUpInHistory } from "../../src/catalogue/lookup.ts";
import { parseModuleName, type ModuleName } from "../../src/catalogue/names.ts";
import type { HistoricFile } from "../../src/document/snapshot.ts";
import { parseVersion, type ModuleVersion } from "../../src/catalogue/version.ts";
import { catalogueOf, channelTemplate, POLICY, REPOSITORY, versionTemplate } from "./repository.ts";

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("not a name");
  return value;
}

const istio: ModuleName = known(parseModuleName("istio"));
const version = (text: string): ModuleVersion => known(parseVersion(text));

const FAST = "channels/fast/istio.yaml";
const REGULAR = "channels/regular/istio.yaml";

/** What a commit brought, with a number instead of an id. */
function historic(revision: number, path: string, text: string | Uint8Array): HistoricFile {
  return { path, revision: String(revision), bytes: typeof text === "string" ? Buffer.from(text) : text };
}

describe("the template of a version", () => {
  const catalogue = catalogueOf({
    ...REPOSITORY,
    "channels/regular.yaml": POLICY,
    "channels/regular/istio.yaml": channelTemplate("regular", "istio", "0.9.0"),
    "modules/istio/1.0.0/template.yaml": versionTemplate("istio", "1.0.0"),
    "modules/istio/0.8.0/template.yaml": versionTemplate("istio", "0.8.0"),
  });

  it.each([
    ["a channel's file at head, before its own file", "1.0.0", FAST],
    ["the file of another channel", "0.9.0", REGULAR],
    ["its own file under modules/", "0.8.0", "modules/istio/0.8.0/template.yaml"],
    ["nothing where only history can tell", "0.7.0", undefined],
  ])("is %s", (_, text, path) => {
    expect(lookUpAtHead(catalogue, istio, version(text))?.file.path).toBe(path);
  });

  it("is nothing for a module that the repository does not know", () => {
    expect(lookUpAtHead(catalogue, known(parseModuleName("keda")), version("1.0.0"))).toBeUndefined();
  });

  it("may stand in the history of each channel's file", () => {
    expect(historicPaths(catalogue, istio)).toEqual([FAST, REGULAR]);
  });
});

describe("the history of a version", () => {
  const annotated = (text: string, value: string): string =>
    text.replace("  labels:", `  annotations:\n    comment: ${value}\n  labels:`);

  it("gives its newest content, whichever channel had it", () => {
    const files = [
      historic(4, FAST, channelTemplate("fast", "istio", "1.1.0")),
      historic(3, REGULAR, annotated(channelTemplate("regular", "istio", "1.0.0"), "newer")),
      historic(2, FAST, annotated(channelTemplate("fast", "istio", "1.0.0"), "older")),
      historic(1, FAST, channelTemplate("fast", "istio", "0.9.0")),
    ];
    const template = lookUpInHistory(files, istio, version("1.0.0"));

    expect(template?.object.metadata.annotations).toEqual({ comment: "newer" });
    expect(template).toMatchObject({ channel: "regular", file: { path: REGULAR } });
  });

  it("passes over files that were broken at the time: they were never served", () => {
    const good = channelTemplate("fast", "istio", "1.0.0");
    const files = [
      historic(6, FAST, "a: ["),
      historic(5, FAST, Buffer.from([0xff])),
      historic(4, FAST, good.replace("ModuleTemplate", "Kyma")),
      historic(3, FAST, good.replace("channel: fast", "channel: regular")),
      historic(2, FAST, good.replace("kind:", "kind: ModuleTemplate\nkind:")),
      historic(1, FAST, annotated(good, "served")),
    ];

    expect(lookUpInHistory(files, istio, version("1.0.0"))?.object.metadata.annotations).toEqual({ comment: "served" });
  });

  it("keeps what was served with a warning", () => {
    const files = [historic(1, FAST, channelTemplate("fast").replace("  version: 1.0.0\n", "  version: 1.0.1\n"))];

    expect(lookUpInHistory(files, istio, version("1.0.1"))?.version).toBe("1.0.1");
  });

  it("gives nothing for a version that was never there", () => {
    expect(lookUpInHistory([], istio, version("1.0.0"))).toBeUndefined();
    expect(lookUpInHistory([historic(1, FAST, channelTemplate("fast"))], istio, version("1.0.0-rc1"))).toBeUndefined();
  });

  it("is not asked for other places", () => {
    expect(
      lookUpInHistory([historic(1, "istio.yaml", channelTemplate("fast"))], istio, version("1.0.0")),
    ).toBeUndefined();
  });
});
