import { describe, expect, it } from "vitest";
import { writeKyma, writeManifest } from "../sync/fleet.ts";
import { kymaIn } from "./promoting.ts";
import { itemsOf, type Item } from "./promotionDocuments.ts";
import { serving, twoLandscapes, type TwoLandscapes } from "./syncing.ts";

const WITHDRAW = [
  "withdraw",
  "certs@1.1.0",
  "--channel",
  "fast",
  "--reason",
  "it leaks",
  "--by",
  "octocat",
  "--dry-run",
];

/** Both landscapes serve 1.1.0, and served 1.0.0 before. */
async function upgraded({ repository, commit }: TwoLandscapes): Promise<void> {
  for (const version of ["1.0.0", "1.1.0"]) {
    commit(serving(version), `certs ${version}`);
    for (const landscape of ["dev", "elsewhere"]) await kymaIn(repository.path, ["sync", landscape]);
  }
}

describe("a withdrawal with reachable control planes", () => {
  it("shows on each landscape who is protected, who is endangered, and who does not have the version yet", async (context) => {
    const site = await twoLandscapes(context);
    await upgraded(site);
    const running = { name: "certs", channel: "fast" };
    await writeKyma(site.dev, "a", [{ ...running, version: "1.1.0" }]);
    await writeManifest(site.dev, "a-certs", "certs", "1.1.0", "a");
    await writeKyma(site.elsewhere, "b", [{ ...running, version: "1.0.0" }]);
    await writeManifest(site.elsewhere, "stray", "certs", "1.1.0");

    const { stdout } = await kymaIn(site.repository.path, [...WITHDRAW, "--format", "json"]);
    const text = await kymaIn(site.repository.path, WITHDRAW);

    const none = { count: 0, examples: [] };
    const [item] = itemsOf("Intervention", stdout);
    expect(item?.["landscapes"]).toMatchObject([
      {
        landscape: "dev",
        kind: "lower",
        users: { protected: { count: 1, examples: ["Kyma a"] }, endangered: none, behind: none },
      },
      {
        landscape: "elsewhere",
        kind: "refused",
        refusal: "user-endangered",
        users: { protected: none, endangered: { examples: ["Manifest stray"] }, behind: { examples: ["Kyma b"] } },
      },
    ]);
    expect(text.stdout).toMatch(/ {2}dev:\n {2}lower +fast\/certs 1\.1\.0 → 1\.0\.0\n +protected, [^]*Kyma a/);
  });

  it("reports an unreachable one, and continues", async (context) => {
    const site = await twoLandscapes(context);
    await upgraded(site);
    const settings = site.repository.git("show", "HEAD:kyma-modules.yaml");
    site.repository.write({ "kyma-modules.yaml": settings.replace(site.dev.access.kubeconfig, "/nowhere") });
    site.repository.commit("moved");

    const { code, stdout } = await kymaIn(site.repository.path, [...WITHDRAW, "--format", "json"]);
    const [dev, elsewhere] = itemsOf("Intervention", stdout)[0]?.["landscapes"] as readonly Item[];

    expect(code).toBe(0);
    expect(dev).toMatchObject({ landscape: "dev", kind: "failed", fault: { code: "CONFIGURATION" } });
    expect(elsewhere).toMatchObject({ landscape: "elsewhere", kind: "lower" });
  });
});
