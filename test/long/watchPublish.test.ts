import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { readEvidence } from "../../src/catalogue/evidence/file.ts";
import type { Evidence } from "../../src/catalogue/evidence/evidence.ts";
import { serving, twoWithClusters, type TwoLandscapes } from "../cli/syncing.ts";
import { announcePush, watching } from "../cli/watching.ts";

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

it("the controller continues if its evidence is rejected, and logs it", async (context) => {
  const site = await twoWithClusters(context);
  const hooks = join(site.repository.path, ".git/hooks");
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, "pre-receive"), "#!/bin/sh\necho 'evidence is for others' >&2\nexit 1\n");
  chmodSync(join(hooks, "pre-receive"), 0o755);
  const controller = await watching(site, "--publish");

  await controller.logs({ level: "warning", message: "evidence not published", because: /evidence is for others/ });
  site.commit(serving("1.2.0"));
  await announcePush(controller.address);
  await controller.logs({ message: "entry moved", landscape: "elsewhere", to: "1.2.0" });
  expect(() => site.repository.git("rev-parse", "--verify", "--quiet", "evidence")).toThrow();
}, 120_000);
