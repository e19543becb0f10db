import { beforeEach, describe, expect, it } from "vitest";
import interventionSchema from "../../schemas/output/intervention.schema.json" with { type: "json" };
import promotionSchema from "../../schemas/output/promotion.schema.json" with { type: "json" };
import {
  edit,
  FAST,
  manifestPath,
  manifestText,
  REGULAR,
  REGULAR_POLICY,
  templateText,
} from "../../src/check/example.ts";
import type { Folder } from "../systems/repository.ts";
import { forgetIdentity, kymaIn, merge, POLICY, siteOf, submit } from "./promoting.ts";
import { itemsOf, problemsOf, type Item } from "./promotionDocuments.ts";
import { long } from "../support/long.ts";

beforeEach(forgetIdentity);

async function promoteIn({ path }: Folder, ...args: readonly string[]): Promise<Item> {
  const { stdout } = await kymaIn(path, ["promote", ...args, "--format", "json"]);
  return itemsOf("Promotion", stdout)[0] ?? {};
}

/** The kind of what became of the one verdict of a repository. */
async function outcomeIn(site: Folder, ...args: readonly string[]): Promise<unknown> {
  const { outcome } = await promoteIn(site, "--apply", ...args);
  return (outcome as Item)["kind"];
}

async function intervene({ path }: Folder, ...args: readonly string[]): Promise<Item> {
  const { stdout } = await kymaIn(path, [...args, "--reason", "leaks @all <b>", "--format", "json"]);
  return itemsOf("Intervention", stdout)[0] ?? {};
}

describe("schemas/output/promotion.schema.json", () => {
  it("accepts its own examples, and refuses unknown fields", () => {
    const [example] = promotionSchema.examples;

    expect(problemsOf("Promotion", example)).toEqual([]);
    expect(problemsOf("Promotion", { ...example, more: true })).not.toEqual([]);
    expect(problemsOf("Promotion", { ...example, items: [{ kind: "promote" }] })).not.toEqual([]);
  });

  it("accepts a printed verdict of every kind", async () => {
    const site = siteOf({ [REGULAR_POLICY]: POLICY.replace("  merge", "  needs: [smoke]\n  merge") });
    const nothing = await promoteIn(site);
    submit(site, "1.1.0", 9);
    const awaiting = await promoteIn(site);
    site.write({ [REGULAR_POLICY]: POLICY });
    site.commit();
    const promote = await promoteIn(site);
    submit(site, "1.2.0", 0);
    site.write({ [REGULAR]: templateText("regular", "1.1.0") });
    site.commit();
    const wait = await promoteIn(site);
    site.write({ [REGULAR]: templateText("regular", "1.0.0") });
    site.write({ [FAST]: templateText("fast", "1.1.0") });
    site.commit();
    const blocked = await promoteIn(site);

    expect([nothing, awaiting, promote, wait, blocked].map(({ kind }) => kind)).toEqual([
      "nothing",
      "wait",
      "promote",
      "wait",
      "blocked",
    ]);
    expect(nothing).toMatchObject({ candidate: null, level: null, earliest: null, candidates: [], outcome: null });
    expect(awaiting).toMatchObject({
      earliest: { awaiting: [expect.stringContaining("install"), expect.stringContaining("upgrade")] },
    });
    expect(wait).toMatchObject({ candidate: "1.2.0", level: "minor", earliest: { at: expect.any(String) as string } });
  });

  it("accepts every printed outcome without a forge", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    const outcomes = [await outcomeIn(site), await outcomeIn(site)];
    submit(site, "1.1.1", 8);
    outcomes.push(await outcomeIn(site));
    outcomes.push(await outcomeIn(site, "--direct"));
    site.write({ "modules/sample/holds.yaml": HELD });
    site.commit();
    outcomes.push(await outcomeIn(site), await outcomeIn(site));

    expect(outcomes).toEqual(["opened", "unchanged", "updated", "failed", "closed", "left"]);
  });

  it("accepts findings of the gate", async () => {
    const site = siteOf();
    const template = edit(templateText("fast", "1.1.0"), "https://sample.example.com", "nonsense");
    merge(site, { [FAST]: template, [manifestPath("1.1.0")]: manifestText("1.1.0") }, 9);
    const { code, stdout } = await kymaIn(site.path, ["promote", "--apply", "--format", "json"]);
    const [item] = itemsOf("Promotion", stdout);

    expect(code).toBe(1);
    expect(item).toMatchObject({
      outcome: { kind: "refused", findings: [{ kind: "finding", severity: "error", file: REGULAR }] },
    });
    const { stdout: text } = await kymaIn(site.path, ["promote", "--apply"]);
    expect(text).toMatch(
      /refused +regular\/sample 1\.1\.0 +the gate finds 1 error; nothing was proposed\n +channels\/regular/,
    );
  });

  it("accepts a hot-fix", async () => {
    const site = siteOf({ [manifestPath("1.0.1")]: manifestText("1.0.1") });
    site.write({ "template.yaml": templateText("regular", "1.0.1").replace("  channel: regular\n", "") });
    const args = ["--hotfix", "sample@1.0.1", "--incident", "https://example.com/7"];

    expect(await promoteIn(site, ...args, "--template", `${site.path}/template.yaml`, "--apply")).toMatchObject({
      kind: "promote",
      lane: "hot-fix",
      level: "patch",
      outcome: { kind: "opened", branch: "promote/regular/sample" },
    });
  });
});

describe("schemas/output/intervention.schema.json", () => {
  it("accepts its own examples, and refuses unknown fields", () => {
    const [example] = interventionSchema.examples;

    expect(problemsOf("Intervention", example)).toEqual([]);
    expect(problemsOf("Intervention", { ...example, items: [] })).not.toEqual([]);
  });

  long("accepts the printed outcomes of hold, unhold and withdraw", async () => {
    const site = siteOf();
    submit(site, "1.1.0", 9);
    await kymaIn(site.path, ["promote", "--apply"]);
    const dry = await intervene(site, "hold", "sample@1.1.0", "--dry-run");
    const hold = await intervene(site, "hold", "sample@1.1.0", "--channel", "regular");
    const nothing = await intervene(site, "unhold", "sample@1.1.0");
    const withdraw = await intervene(site, "withdraw", "sample@1.1.0", "--channel", "fast");
    const refused = await intervene(site, "withdraw", "sample@1.0.0", "--channel", "regular");

    expect(dry).toMatchObject({ decision: "change", outcome: "none", branch: null, channel: null });
    expect(hold).toMatchObject({
      decision: "change",
      outcome: "proposed",
      branch: "hold/regular/sample-1.1.0",
      closed: ["promote/regular/sample"],
    });
    expect(nothing).toMatchObject({ kind: "unhold", decision: "nothing", outcome: "none", files: [] });
    expect(withdraw).toMatchObject({
      kind: "withdraw",
      outcome: "proposed",
      protects: [expect.any(String)],
      files: expect.arrayContaining([FAST, "modules/sample/holds.yaml"]) as string[],
    });
    expect(refused).toMatchObject({ decision: "refused", outcome: "none", remedy: expect.any(String) as string });
  });
});

const HELD = `format: 1
holds:
  - { version: 1.1.1, reason: leaks, by: octocat, since: "2026-11-01T00:00:00Z" }
  - { version: 1.1.0, reason: leaks, by: octocat, since: "2026-11-01T00:00:00Z" }
`;
