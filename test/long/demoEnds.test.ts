import { existsSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { kubeconfigIn, ownTemporaryFolder, smallRepository } from "../cli/demonstrating.ts";
import { start } from "../cli/program.ts";
import { mentions } from "../support/mentions.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { kill, processesWith } from "../systems/embedded/processes.ts";

it("demo ends with the reason when a control plane cannot be restarted", async (context) => {
  needControlPlane(context);
  const demo = start(["demo", "--repo", smallRepository()]);
  const folder = dirname(kubeconfigIn(await demo.says(/export KUBECONFIG.*\n/)));
  // Whatever is started there from now on ends at once.
  rmSync(join(folder, "pki", "tokens.csv"));
  kill("kube-apiserver", folder);
  const { code, stderr } = await demo.ended;

  expect(stderr.match(/is restarted/g)).toHaveLength(5);
  expect(stderr).toEqual(mentions("error: kube-apiserver", "code 1", "5 restarts", "2 minutes"));
  expect(code).toBe(3);
  expect([existsSync(folder), processesWith(folder)]).toEqual([false, []]);
});

it("demo leaves nothing behind after Ctrl-C while a control plane restarts", async (context) => {
  needControlPlane(context);
  const demo = start(["demo", "--repo", smallRepository()]);
  const said = await demo.says(/export KUBECONFIG.*\n/);
  const folder = dirname(kubeconfigIn(said));
  kill("kube-apiserver", folder);
  await demo.says(/is restarted/);
  demo.signal("SIGINT");

  expect(said).toMatch(/^.*\bweb pages\b.* \/\S+ .*\bGit repository\b/m);
  expect((await demo.ended).code).toBe(130);
  expect([existsSync(folder), processesWith(folder)]).toEqual([false, []]);
});

it("demo leaves nothing behind after SIGTERM while it syncs", async (context) => {
  needControlPlane(context);
  const { environment, left } = ownTemporaryFolder();
  const demo = start(["demo", "--repo", smallRepository()], environment);
  await demo.says(/Installing/);
  demo.signal("SIGTERM");

  expect((await demo.ended).code).toBe(143);
  expect(left()).toEqual([]);
});
