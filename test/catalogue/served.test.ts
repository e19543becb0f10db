import { describe, expect, test } from "vitest";
import type { ChannelName, ModuleName } from "../../src/catalogue/names.ts";
import { durationMs, isHeld, type Hold } from "../../src/catalogue/policy.ts";
import { servedOf, type Served } from "../../src/catalogue/served.ts";
import type { ModuleVersion } from "../../src/catalogue/version.ts";
import { readChannelTemplate } from "../../src/catalogue/templateFile.ts";
import { readYaml } from "../../src/document/yaml/read.ts";
import { channelTemplate } from "./repository.ts";

const [FAST, REGULAR] = ["fast" as ChannelName, "regular" as ChannelName];

function served(...files: readonly (readonly [path: string, text: string])[]): readonly Served[] {
  const contents = files.map(([path, text], index) => ({ path, revision: `r${index}`, bytes: Buffer.from(text) }));
  return servedOf(contents, "istio" as ModuleName, [FAST, REGULAR], () => undefined);
}

describe("what channels served", () => {
  test("is told from the contents of their files, in the order of history", () => {
    const found = served(
      ["channels/fast/istio.yaml", channelTemplate("fast", "istio", "1.1.0")],
      ["channels/regular/istio.yaml", channelTemplate("regular")],
      ["channels/fast/istio.yaml", channelTemplate("fast")],
    );
    expect(found.map(({ channel, version, revision }) => [channel, version, revision])).toEqual([
      ["fast", "1.1.0", "r0"],
      ["regular", "1.0.0", "r1"],
      ["fast", "1.0.0", "r2"],
    ]);
    expect(found[1]?.hash).toBe(found[2]?.hash);
    expect(found[0]?.hash).not.toBe(found[1]?.hash);
  });

  test("is what a channel serves today where the content is the same", () => {
    const text = channelTemplate("fast");
    const file = readYaml("channels/fast/istio.yaml", { kind: "bytes", bytes: Buffer.from(text) });
    const template = file.kind === "read" ? readChannelTemplate(file.file, "fast", "istio").template : undefined;
    const contents = [text, channelTemplate("fast", "istio", "1.1.0")].map((content) => ({
      path: "channels/fast/istio.yaml",
      revision: "r",
      bytes: Buffer.from(content),
    }));
    const [istio, channels] = ["istio" as ModuleName, [FAST]];
    const reread = servedOf(contents, istio, channels, () => undefined);
    expect(servedOf(contents, istio, channels, () => template)).toEqual(reread);
    expect(reread.map(({ version }) => version)).toEqual(["1.0.0", "1.1.0"]);
  });

  test("passes over what was broken, and over files of others", () => {
    expect(
      served(
        ["channels/fast/istio.yaml", "a: ["],
        ["channels/fast/istio.yaml", "kind: ConfigMap\n"],
        ["channels/fast/nats.yaml", channelTemplate("fast", "nats")],
      ),
    ).toEqual([]);
  });
});

describe("a policy", () => {
  test("counts in milliseconds", () => {
    expect(["90s", "30m", "12h", "7d"].map(durationMs)).toEqual([90_000, 1_800_000, 43_200_000, 604_800_000]);
  });

  test("holds a version everywhere or in a channel, for ever or until an instant", () => {
    const now = Date.parse("2026-11-21T12:00:00Z");
    const version = "1.0.0" as ModuleVersion;
    const held = (more: Partial<Hold>): boolean =>
      isHeld([{ version, reason: "r", by: "b", since: "2026-11-01T00:00:00Z", ...more }], version, FAST, now);
    expect(held({})).toBe(true);
    expect(held({ version: "1.0.1" as ModuleVersion })).toBe(false);
    expect(held({ channel: FAST })).toBe(true);
    expect(held({ channel: REGULAR })).toBe(false);
    expect(held({ until: "2026-11-21T12:00:01Z" })).toBe(true);
    expect(held({ until: "2026-11-21T12:00:00Z" })).toBe(false);
  });
});
