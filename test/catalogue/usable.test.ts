import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { parse } from "../../src/catalogue/parse.ts";
import { heldModules, usableCatalogue } from "../../src/catalogue/usable.ts";
import type { SnapshotFile } from "../../src/document/snapshot.ts";
import { filesOf } from "../sync/catalogueFiles.ts";

const FILES = filesOf({ channels: { fast: { istio: "1.3.0", keda: "1.0.0" } } });

const [ISTIO, KEDA] = ["istio", "keda"];

/** What can be served where these files say something else. */
function usableWith(changed: Readonly<Record<string, string | SnapshotFile>>): Catalogue | undefined {
  const texts = new Map([...FILES, ...Object.entries(changed)]);
  const files = new Map(
    [...texts].map(([path, content]): [string, SnapshotFile] => [
      path,
      typeof content === "string" ? { kind: "bytes", bytes: Buffer.from(content) } : content,
    ]),
  );
  return usableCatalogue(parse("a".repeat(40), files));
}

/** The modules that are withheld by themselves; the channels that are, with their modules; and both kinds of modules. */
function withheldWith(changed: Readonly<Record<string, string>>): unknown {
  const usable = usableWith(changed);
  if (usable === undefined) return undefined;
  const channels = [...usable.withheldChannels].map(([channel, modules]) => [channel, ...modules]);
  return [[...usable.withheld], channels, [...heldModules(usable)]];
}

describe("the usable part of a repository", () => {
  it("is everything when there are no errors", () => {
    expect(withheldWith({})).toEqual([[], [], []]);
  });

  it.each([
    ["template is unreadable", "channels/fast/istio.yaml"],
    ["own file is unreadable", "modules/istio/module.yaml"],
    ["holds are unreadable", "modules/istio/holds.yaml"],
    ["holds are in a file that nothing reads", "modules/istio/holds.yml"],
    ["version has a name that is not UTF-8", "modules/istio/\udce9/template.yaml"],
  ])("is everything except the module whose %s", (_, path) => {
    expect(withheldWith({ [path]: "]" })).toEqual([[ISTIO], [], [ISTIO]]);
  });

  it.each([
    ["cannot be read", { "channels/fast.yaml": "]" }],
    ["names no landscape", { "channels/fast.yaml": "format: 1\nlandscapes: [nowhere]\n" }],
  ])("is everything except the channel whose policy %s, and leaves its modules as they are", (_, changed) => {
    expect(withheldWith(changed)).toEqual([[], [["fast", ISTIO, KEDA]], [ISTIO, KEDA]]);
    expect([...(usableWith(changed)?.channels.keys() ?? [])]).toEqual([]);
  });

  it("is everything except a channel without a policy", () => {
    const changed = {
      "channels/slow/istio.yaml": String(FILES.get("channels/fast/istio.yaml")).replaceAll("fast", "slow"),
    };
    expect(withheldWith(changed)).toEqual([[], [["slow", ISTIO]], [ISTIO]]);
    expect([...(usableWith(changed)?.channels.keys() ?? [])]).toEqual(["fast"]);
    expect(withheldWith({ "channels/rapid.yaml": "]" })).toEqual([[], [["rapid"]], []]);
  });

  it.each(["channels/fast/Istio.yaml", "channels/fast/\udce9.yaml", "channels/Fast.yaml", "modules/Istio/module.yaml"])(
    "is everything when %s is named after no module and no channel",
    (path) => {
      expect(withheldWith({ [path]: "]" })).toEqual([[], [], []]);
    },
  );

  it("is nothing when the settings are wrong, or a link hides which modules there are", () => {
    expect(usableWith({ "kyma-modules.yaml": "]" })).toBeUndefined();
    expect(usableWith({ "channels/slow": { kind: "bad-link", target: "elsewhere" } })).toBeUndefined();
    expect(usableWith({ modules: { kind: "bad-link", target: "elsewhere" } })).toBeUndefined();
  });
});
