import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { serving, twoWithClusters } from "../cli/syncing.ts";
import { announcePush, watching } from "../cli/watching.ts";

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
