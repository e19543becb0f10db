import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../src/catalogue/catalogue.ts";
import { codeownersText } from "../../src/catalogue/codeowners.ts";
import { parse } from "../../src/catalogue/parse.ts";
import { channelTemplate, fileOf, REPOSITORY, SETTINGS } from "./repository.ts";

const MANAGED = `${SETTINGS}releaseManagers: ["@org/managers"]\n`;
const OWNED = `format: 1\nowners: ["@org/istio", octocat]\n`;

function catalogueOf(files: Readonly<Record<string, string>>): Catalogue {
  const all = Object.entries({ ...REPOSITORY, ...files }).map(([path, text]) => [path, fileOf(text)] as const);
  const parsing = parse(undefined, new Map(all));
  return parsing.kind === "catalogue" ? parsing.catalogue : expect.unreachable();
}

const CATALOGUE = catalogueOf({
  "kyma-modules.yaml": MANAGED,
  "modules/istio/module.yaml": OWNED,
  "channels/fast/serverless.yaml": channelTemplate("fast", "serverless"),
});

/** Whom GitHub asks about a path: the owners of the last pattern that matches it. */
function ownersOf(text: string, path: string): string | undefined {
  const patterns = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const matching = patterns.findLast((line) => {
    const [pattern = ""] = line.split(" ");
    if (pattern === "*") return true;
    const expression = pattern.slice(1).replaceAll(".", "\\.").replaceAll("*", "[^/]*");
    return new RegExp(`^${expression}${pattern.endsWith("/") ? "" : "$"}`).test(path);
  });
  return matching?.split(" ").slice(1).join(" ");
}

describe("the generated owners", () => {
  const text = codeownersText(CATALOGUE);

  it.each([
    ["channels/fast/istio.yaml", "@org/istio @octocat @org/managers"],
    ["modules/istio/1.0.0/manifest.yaml", "@org/istio @octocat @org/managers"],
    ["modules/istio/module.yaml", "@org/managers"],
    ["modules/istio/holds.yaml", "@org/managers"],
    ["modules/istio/hotfixes.yaml", "@org/managers"],
    ["channels/fast/serverless.yaml", "@org/managers"],
    ["modules/serverless/1.0.0/manifest.yaml", "@org/managers"],
    ["channels/fast.yaml", "@org/managers"],
    ["kyma-modules.yaml", "@org/managers"],
    [".github/workflows/submission.yaml", "@org/managers"],
    [".github/teams.yaml", "@org/managers"],
    ["src/check/check.ts", "@org/managers"],
  ])("own %s: %s", (path, owners) => {
    expect(ownersOf(text, path)).toBe(owners);
  });

  it("are written the same a second time", () => {
    expect(codeownersText(CATALOGUE, text)).toBe(text);
  });

  it("are only the owners of modules when there is no release manager", () => {
    const owners = codeownersText(catalogueOf({ "modules/istio/module.yaml": OWNED }));

    expect(owners.split("\n").slice(1)).toEqual([
      "/channels/*/istio.yaml @org/istio @octocat",
      "/modules/istio/ @org/istio @octocat",
      "",
    ]);
  });
});

describe("text written by hand", () => {
  const byHand = "# ours\n/src/ @org/developers\n";

  it("stays above the generated part, and cannot weaken it", () => {
    const text = codeownersText(CATALOGUE, `${byHand}* @stranger\n`);

    expect(text.startsWith(`${byHand}* @stranger\n\n# Generated`)).toBe(true);
    expect(ownersOf(text, "docs/guide.md")).toBe("@stranger");
    expect(ownersOf(text, "src/check/check.ts")).toBe("@org/managers");
    expect(ownersOf(text, "channels/fast.yaml")).toBe("@org/managers");
    expect(codeownersText(CATALOGUE, text)).toBe(text);
  });

  it("does not count below the generated part", () => {
    const text = codeownersText(CATALOGUE, byHand);

    expect(codeownersText(CATALOGUE, `${text}/channels/ @stranger\n`)).toBe(text);
  });

  it("may be empty", () => {
    const text = codeownersText(CATALOGUE);
    const part = text.slice(text.indexOf("# Generated"));

    expect(codeownersText(CATALOGUE, part)).toBe(part);
  });

  it("is the whole file when there are no owners", () => {
    const ownerless = catalogueOf({});

    expect(codeownersText(ownerless)).toBe("");
    expect(codeownersText(ownerless, byHand)).toBe(byHand);
    expect(codeownersText(ownerless, codeownersText(CATALOGUE, byHand))).toBe(`${byHand}\n`);
  });
});
