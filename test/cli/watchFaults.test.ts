import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Sample } from "../sync/catalogueFiles.ts";
import { pathOf } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import { kymaIn } from "./promoting.ts";
import { onlyDev, servedIn, serving, settingsOf, twoLandscapes } from "./syncing.ts";
import { announcePush, numbers, statusIn, watching } from "./watching.ts";
import { long } from "../support/long.ts";

const DEV = { landscape: "dev" };

describe("the repository", () => {
  long(
    "may be rewritten: the served commit and its landscapes stay and are repaired, also after a restart, until a person rewinds",
    async (context) => {
      const site = await twoLandscapes(context);
      site.commit(serving("0.9.0"));
      site.commit(serving("1.0.0"));
      const first = await watching(site);
      for (const landscape of ["dev", "elsewhere"])
        await first.logs({ message: "entry moved", landscape, to: "1.0.0" });
      const settings = settingsOf(site);
      site.repository.git("reset", "--quiet", "--hard", "HEAD~1");
      const rewritten = site.commit(serving("1.1.0"), "rewritten", onlyDev(settings));
      await announcePush(first.address);
      await first.logs({ message: "commit held", ...DEV, commit: rewritten, because: /rewritten/ });
      await first.logs({ message: "commit held", landscape: "elsewhere", commit: rewritten });
      expect((await fetch(`${first.address}/readyz`)).status).toBe(200);
      first.signal("SIGTERM");
      await first.ended;
      const second = await watching(site);
      for (const world of [site.dev, site.elsewhere]) {
        await world.outside.must("DELETE", pathOf("metas", world.namespace, "certs"));
        await eventually(async () => (await servedIn(world, "certs"))["fast"] === "1.0.0");
      }
      const asked = await kymaIn(site.repository.path, ["sync", "dev", "--rewind"]);
      expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining("carried out") as unknown });
      // The settings of the new branch count from now on.
      await second.logs({ message: "lease given up", landscape: "elsewhere" });

      expect(await servedIn(site.dev, "certs")).toEqual({ fast: "1.1.0" });
    },
  );

  long("may have an unsigned commit: nothing changes, not even the list of landscapes", async (context) => {
    const site = await twoLandscapes(context);
    const signers = signBySsh(site.repository);
    site.commit(serving("1.0.0"));
    const controller = await watching(site, "--require-signed-commits", signers);
    for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
    site.repository.git("config", "commit.gpgSign", "false");
    const settings = settingsOf(site);
    const unsigned = site.commit(serving("1.1.0"), "unsigned", onlyDev(settings));
    await announcePush(controller.address);
    await controller.logs({ message: "commit held", ...DEV, commit: unsigned, because: /no signature/ });
    await controller.logs({ message: "commit held", landscape: "elsewhere", commit: unsigned });
    await site.elsewhere.outside.must("DELETE", pathOf("templates", site.elsewhere.namespace, "certs-1.0.0"));
    await eventually(async () => (await site.elsewhere.read("templates", "certs-1.0.0")) !== undefined);

    expect(await servedIn(site.dev, "certs")).toEqual({ fast: "1.0.0" });
  });

  it("may have a broken module: all others are served, and it is kept as it was", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(both("1.0.0"));
    const controller = await watching(site);
    await controller.logs({ message: "entry moved", ...DEV, module: "certs" });
    await controller.logs({ message: "entry moved", ...DEV, module: "keda" });
    site.commit(both("1.1.0"), "one is broken", { "channels/fast/certs.yaml": "kind: nothing" });
    await announcePush(controller.address);
    await controller.logs({ message: "modules withheld", ...DEV, because: /^certs: channels\/fast\/certs\.yaml:1: / });
    await controller.logs({ message: "entry moved", ...DEV, module: "keda", to: "1.1.0" });

    const shown = async (metric: string): Promise<string> => (await numbers(controller.address, metric)).join("\n");
    expect(await shown("withheld_modules")).toContain('{landscape="dev"} 1');
    expect(await shown("revision_lag_seconds")).not.toMatch(/ 0$/);
    await site.dev.outside.must("DELETE", pathOf("metas", site.dev.namespace, "certs"));
    await site.dev.outside.send("DELETE", pathOf("templates", site.dev.namespace, "certs-1.0.0"));
    await eventually(async () => (await servedIn(site.dev, "certs"))["fast"] === "1.0.0");
    await eventually(async () => (await site.dev.read("templates", "certs-1.0.0")) !== undefined);

    expect(await servedIn(site.dev, "keda")).toEqual({ fast: "1.1.0" });
    expect(await statusIn(site.dev)).toMatchObject({
      withheld: expect.stringMatching(/^certs: channels\/fast\/certs\.yaml:1: /) as string,
    });
    const events = async (): Promise<unknown> =>
      (await site.dev.outside.must("GET", `/api/v1/namespaces/${site.dev.namespace}/events`))["items"];
    // Events are written beside the rest.
    await expect
      .poll(events)
      .toContainEqual(expect.objectContaining({ reason: "Withheld", involvedObject: named("certs") }));
    site.commit(both("1.1.0"));
    await announcePush(controller.address);
    await controller.logs({ message: "trouble is over", ...DEV });
    await eventually(async () => (await shown("revision_lag_seconds")).endsWith(" 0"));
    expect(await shown("withheld_modules")).toContain('{landscape="dev"} 0');
  }, 60_000);
});

function named(name: string): unknown {
  return expect.objectContaining({ name });
}

function both(version: string): Sample {
  return { channels: { fast: { certs: version, keda: version } } };
}

/** Has each commit signed from now on; gives the file that allows its key. */
function signBySsh(repository: Folder): string {
  const { path, write } = emptyFolder();
  const key = join(path, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key]);
  write({ allowed: `test@example.com ${readFileSync(`${key}.pub`, "utf8")}` });
  for (const [name, value] of Object.entries({ "gpg.format": "ssh", "user.signingKey": key, "commit.gpgSign": "true" }))
    repository.git("config", name, value);
  return join(path, "allowed");
}
