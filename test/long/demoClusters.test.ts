import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { kubeconfigIn, sampleRepository, saidWithTips } from "../cli/demonstrating.ts";
import { launch, run } from "../cli/program.ts";
import { mentions } from "../support/mentions.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { openOutside, pathOf } from "../sync/outside.ts";
import { kill, processesWith } from "../systems/embedded/processes.ts";
import type { Folder } from "../systems/repository.ts";

const FILE = "channels/fast/certificates.yaml";
/** A major step soaks for half a day, which passes in twelve seconds. */
const SOAK = ["soak: { first: 0d, major: 30d, minor: 7d, patch: 1d }", "soak: { minor: 12h, patch: 12h }"] as const;

function edit(repository: Folder, file: string, from: string, to: string): void {
  const path = join(repository.path, file);
  const text = readFileSync(path, "utf8");
  expect(text).toContain(from);
  writeFileSync(path, text.replaceAll(from, to));
}

it("demo --clusters rolls versions out, halts one that fails, and promotes the next, on a clone", async (context) => {
  needControlPlane(context);
  const repository = sampleRepository();
  edit(repository, "channels/regular.yaml", ...SOAK);
  repository.commit();
  const before = repository.git("for-each-ref");
  const failing = ["--failing", "certificates@1.5.1"];
  const demo = launch(["demo", "--clusters", "20", "--speed", "3600", ...failing, "--repo", repository.path]);
  onTestFinished(async () => {
    demo.signal("SIGKILL");
    await demo.ended;
    repository.remove(".");
  });
  const said = await saidWithTips(demo);
  const kubeconfig = kubeconfigIn(said);
  const tips = said.split("\n").filter((line) => line.startsWith("  "));
  const shell = (command = ""): string =>
    execFileSync("sh", ["-c", command.trim()], { encoding: "utf8", env: { ...process.env, HOME: repository.path } });

  expect(said).toEqual(mentions("20 clusters", "rehearsal", "lifecycle-manager"));
  const [, address = ""] = /browser: (\S+)/.exec(said) ?? [];
  const page = async (): Promise<string> => (await fetch(address)).text();
  expect(await page()).toContain("Rehearsal: no real clusters");
  const kymas = await openOutside({ kubeconfig }).must("GET", pathOf("kymas", "kcp-system"));
  expect(kymas["items"]).toHaveLength(20);

  shell(tips.find((tip) => tip.includes("perl")));
  await demo.says(/fast\/certificates 1\.5\.1 on [1-9]\d* of \d+ clusters/);
  await expect.poll(page, { timeout: 20_000 }).toContain("1 wave halted");
  await demo.says(/fast\/certificates 1\.5\.1 halted: 1 user \(Kyma (dev|stage)-\d+\) of \d+ fail/);
  await demo.says(/regular\/certificates 1\.5\.1 .*\bblocked\n.* 1\.5\.1 .* \d+ of \d+ clusters/);
  // An hour passes in a second, and the soak of stage with it: dev may halt too late for it, but not for prod.
  expect(await demo.says(/blocked/)).not.toMatch(/^ *prod[^\n]*: fast\/certificates 1\.5\.0 → 1\.5\.1$/m);

  const clone = join(dirname(kubeconfig), "clone.git");
  const hold = ["hold", "certificates@1.5.1", "--reason", "it fails", "--by", "octocat", "--direct", "--repo", clone];
  expect(await run(hold)).toMatchObject({ code: 0 });
  await demo.says(/octocat holds 1\.5\.1/);
  kill("kube-apiserver", dirname(kubeconfig));
  await demo.says(/\bcontrol plane\b.*\bready\b/);

  edit(repository, FILE, "1.5.1", "1.5.2");
  await demo.says(/promoted regular\/certificates 1\.4\.2 → 1\.5\.2/);
  expect(shell(tips.find((tip) => tip.includes("log --oneline")))).toMatch(/Promote certificates 1\.5\.2/i);
  expect(repository.git("for-each-ref")).toBe(before);
  expect(repository.git("status", "--porcelain").trim()).toBe(`M ${FILE}`);

  demo.signal("SIGINT");
  expect(await demo.ended).toMatchObject({ code: 130 });
  expect([existsSync(clone), processesWith(dirname(kubeconfig))]).toEqual([false, []]);
});
