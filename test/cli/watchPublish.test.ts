import { expect, it } from "vitest";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import type { Evidence } from "../../src/catalogue/evidence/evidence.ts";
import { run } from "./program.ts";
import { twoWithClusters, type TwoLandscapes } from "./syncing.ts";
import { watching } from "./watching.ts";

/** What the branch of evidence says. */
function evidenceIn({ repository }: TwoLandscapes): readonly Evidence[] {
  const paths = repository.git("ls-tree", "-r", "--name-only", "evidence").split("\n");
  return paths.flatMap((path) => {
    const bytes = Buffer.from(repository.git("show", `evidence:${path}`));
    const { evidence, findings } = readEvidence(path, { kind: "bytes", bytes });
    expect(findings).toEqual([]);
    return evidence;
  });
}

it("the controller publishes evidence of both landscapes, and logs nothing twice", async (context) => {
  const site = await twoWithClusters(context);
  const controller = await watching(site, "--publish");
  await controller.logs({ message: "evidence published" });
  const isServed = (landscape: string): boolean =>
    evidenceIn(site).some((one) => one.kind === "served" && one.landscape === landscape);
  await expect.poll(() => ["dev", "elsewhere"].map(isServed), { timeout: 60_000 }).toEqual([true, true]);
  controller.signal("SIGTERM");
  await controller.ended;

  expect(new Set(evidenceIn(site).map(({ module, version, source }) => `${module} ${version} ${source}`))).toEqual(
    new Set(["certs 1.1.0 the controller of dev", "certs 1.1.0 the controller of elsewhere"]),
  );
  const times = evidenceIn(site).map(({ kind, landscape, uid }) => `${kind} ${landscape ?? ""} ${uid ?? ""}`);
  expect(times).toEqual([...new Set(times)]);
}, 120_000);

it("--publish without --watch is refused, because nothing would be published", async () => {
  const { code, stderr } = await run(["sync", "dev", "--publish"]);

  expect([code, stderr]).toEqual([2, expect.stringContaining("--publish needs --watch")]);
});
