import { describe, expect, it } from "vitest";
import { lookUpAtHead, lookUpInHistory, servedScope } from "../../src/catalogue/lookup.ts";
import { parseModuleName, type ModuleName } from "../../src/catalogue/names.ts";
import { dateHistory } from "../../src/catalogue/history/dates.ts";
import type { ServedStates } from "../../src/catalogue/history/history.ts";
import { historiesOf, MODULE_FILES } from "../../src/catalogue/history/moduleHistory.ts";
import { parseVersion, type ModuleVersion } from "../../src/catalogue/version.ts";
import { recordedOf, type Step } from "./history/recorded.ts";
import { catalogueOf, channelTemplate, POLICY, REPOSITORY, versionTemplate } from "./repository.ts";

function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("not a name");
  return value;
}

const istio: ModuleName = known(parseModuleName("istio"));
const version = (text: string): ModuleVersion => known(parseVersion(text));

const FAST = "channels/fast/istio.yaml";
const REGULAR = "channels/regular/istio.yaml";

/** What the channels served of istio, where each text is a commit. */
function served(...steps: readonly Step[]): ServedStates {
  return historiesOf(dateHistory(recordedOf(...steps))).of(istio).served;
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

  it("may stand in the history of each channel's file, whichever catalogue has the channel", () => {
    const { paths, wants, everyCommit } = servedScope([catalogue, catalogueOf(REPOSITORY)], [istio]);

    expect([paths, paths.every(wants), everyCommit]).toEqual([[FAST, REGULAR], true, false]);
  });
});

it("is everything of a module that its history is read for: channel files, holds and hot-fixes", () => {
  const { paths, wants } = MODULE_FILES;
  const own = [FAST, "modules/istio/holds.yaml", "modules/istio/hotfixes.yaml"];

  expect([...own, "channels/fast.yaml", "modules/istio/module.yaml", "README.md"].filter(wants)).toEqual(own);
  expect(own.every((file) => paths.some((path) => file.startsWith(`${path}/`)))).toBe(true);
});

describe("the history of a version", () => {
  const annotated = (text: string, value: string): string =>
    text.replace("  labels:", `  annotations:\n    comment: ${value}\n  labels:`);

  it("gives its newest content, whichever channel had it", () => {
    const states = served(
      { [FAST]: channelTemplate("fast", "istio", "0.9.0") },
      { [FAST]: annotated(channelTemplate("fast", "istio", "1.0.0"), "older") },
      { [REGULAR]: annotated(channelTemplate("regular", "istio", "1.0.0"), "newer") },
      { [FAST]: channelTemplate("fast", "istio", "1.1.0") },
    );
    const template = lookUpInHistory(states, version("1.0.0"));

    expect(template?.object.metadata.annotations).toEqual({ comment: "newer" });
    expect(template).toMatchObject({ channel: "regular", file: { path: REGULAR } });
  });

  it("passes over files that were broken at the time: they were never served", () => {
    const good = channelTemplate("fast", "istio", "1.0.0");
    const states = served(
      { [FAST]: annotated(good, "served") },
      { [FAST]: good.replace("kind:", "kind: ModuleTemplate\nkind:") },
      { [FAST]: good.replace("channel: fast", "channel: regular") },
      { [FAST]: good.replace("ModuleTemplate", "Kyma") },
      { [FAST]: { kind: "bytes", bytes: Buffer.from([0xff]) } },
      { [FAST]: "a: [" },
    );

    expect(lookUpInHistory(states, version("1.0.0"))?.object.metadata.annotations).toEqual({ comment: "served" });
  });

  it("keeps what was served with a warning", () => {
    const states = served({ [FAST]: channelTemplate("fast").replace("  version: 1.0.0\n", "  version: 1.0.1\n") });

    expect(lookUpInHistory(states, version("1.0.1"))?.version).toBe("1.0.1");
  });

  it("gives nothing for a version that was never there", () => {
    expect(lookUpInHistory(served(), version("1.0.0"))).toBeUndefined();
    expect(lookUpInHistory(served({ [FAST]: channelTemplate("fast") }), version("1.0.0-rc1"))).toBeUndefined();
  });

  it("is not asked for other places", () => {
    expect(lookUpInHistory(served({ "istio.yaml": channelTemplate("fast") }), version("1.0.0"))).toBeUndefined();
  });
});
