import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { serving, twoLandscapes } from "../cli/syncing.ts";
import { announcePush, watching } from "../cli/watching.ts";
import { pathOf } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";
import { emptyFolder } from "../systems/repository.ts";
import { seconds } from "./figures.ts";

it("a full disk under the clone blocks new commits, but drift of the served commit is still repaired", async (context) => {
  const disk = smallDisk();
  if (disk === undefined) return context.skip("only root may mount a small disk");
  const site = await twoLandscapes(context);
  site.commit(serving("1.0.0"));
  const controller = await watching(site, "--cache", disk);
  await controller.logs({ message: "entry moved", landscape: "dev", to: "1.0.0" });
  const filling = join(disk, "filling");
  expect(() => {
    writeFileSync(filling, Buffer.alloc(64 * 1024 * 1024));
  }).toThrow("ENOSPC");
  site.commit(serving("1.1.0"), "serve", { "modules/certs/large.txt": "x".repeat(500_000) });
  await announcePush(controller.address);
  await controller.logs({ message: "fetch failed" });
  await site.dev.outside.must("DELETE", pathOf("templates", site.dev.namespace, "certs-1.0.0"));
  await eventually(async () => (await site.dev.read("templates", "certs-1.0.0")) !== undefined);
  rmSync(filling);
  const freedMs = performance.now();
  await announcePush(controller.address);
  await controller.logs({ message: "entry moved", landscape: "dev", to: "1.1.0" });
  console.log(`a commit is served ${seconds(freedMs)} after the disk had room again`);
});

/** A disk of a few megabytes, unmounted at the end of the test; `undefined` without the right to mount one. */
function smallDisk(): string | undefined {
  const { path } = emptyFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", path], { stdio: "ignore" });
  } catch {
    return undefined;
  }
  onTestFinished(() => {
    execFileSync("umount", ["--lazy", path]);
  });
  return path;
}
