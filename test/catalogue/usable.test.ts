import { describe, expect, it } from "vitest";
import { parse } from "../../src/catalogue/parse.ts";
import { usableOf } from "../../src/catalogue/usable.ts";
import { filesOf } from "../sync/catalogueFiles.ts";

const FILES = filesOf({ channels: { fast: { istio: "1.3.0", keda: "1.0.0" } } });

/** What can be served where these files say something else. */
function withheldWith(changed: Readonly<Record<string, string>>): readonly string[] | undefined {
  const texts = new Map([...FILES, ...Object.entries(changed)]);
  const files = new Map([...texts].map(([path, text]) => [path, { kind: "bytes", bytes: Buffer.from(text) } as const]));
  const usable = usableOf(parse("a".repeat(40), files));
  return usable && [...usable.withheld];
}

describe("the usable part of a repository", () => {
  it("is everything when there are no errors", () => {
    expect(withheldWith({})).toEqual([]);
  });

  it.each([
    ["its template", "channels/fast/istio.yaml"],
    ["its own file", "modules/istio/module.yaml"],
    ["its holds", "modules/istio/holds.yaml"],
  ])("is everything except the module whose %s is unreadable", (_, path) => {
    expect(withheldWith({ [path]: "]" })).toEqual(["istio"]);
  });

  it.each(["kyma-modules.yaml", "channels/fast.yaml", "channels/fast/Istio.yaml"])(
    "is nothing when %s is wrong, which affects all modules, or unknown ones",
    (path) => {
      expect(withheldWith({ [path]: "]" })).toBeUndefined();
    },
  );
});
