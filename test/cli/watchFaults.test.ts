import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Sample } from "../sync/catalogueFiles.ts";
import { pathOf } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";
import { kymaIn } from "./promoting.ts";
import { servedIn, serving, twoLandscapes, type TwoLandscapes } from "./syncing.ts";
import { announcePush, linesOf, numbers, statusIn, watching } from "./watching.ts";

const DEV = { landscape: "dev" };

describe("the repository", () => {
  it("may be rewritten: the served commit and its landscapes stay and are repaired, also after a restart, until a person rewinds", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(serving("0.9.0"));
    site.commit(serving("1.0.0"));
    const first = await watching(site);
    for (const landscape of ["dev", "elsewhere"]) await first.logs({ message: "entry moved", landscape, to: "1.0.0" });
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
  }, 60_000);

  it("may drop a landscape that the controller was started for: it is left as it is, and the others are served, also after a restart", async (context) => {
    const site = await twoLandscapes(context);
    const { repository, elsewhere } = site;
    site.commit(serving("1.0.0"));
    site.commit(serving("1.0.0"), "pruned", pruned(site));
    const first = await watching(site, "dev", "elsewhere");
    for (const landscape of ["dev", "elsewhere"]) await first.logs({ message: "entry moved", landscape, to: "1.0.0" });
    site.commit(serving("1.1.0"), "dropped", onlyDev(settingsOf(site)));
    await announcePush(first.address);
    await first.logs({ message: "lease given up", landscape: "elsewhere" });
    await first.logs({ message: "landscape not followed", landscape: "elsewhere", because: /It has: dev\./ });
    await first.logs({ message: "entry moved", ...DEV, to: "1.1.0" });
    first.signal("SIGTERM");
    await first.ended;
    const second = await watching(site, "dev", "elsewhere");
    await second.logs({ message: "landscape not followed", landscape: "elsewhere" });
    site.commit(serving("1.2.0"), "next", onlyDev(settingsOf(site)));
    await announcePush(second.address);
    await second.logs({ message: "entry moved", ...DEV, to: "1.2.0" });
    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });

    repository.git("revert", "--no-edit", "HEAD", "HEAD~1");
    await announcePush(second.address);
    await second.logs({ message: "trouble is over", landscape: "elsewhere" });
    expect((await linesOf(second)).filter(({ message }) => message === "landscape not followed")).toHaveLength(1);
  }, 60_000);

  it("may be rewritten without a landscape that has not served the lost commits: it is left as it is", async (context) => {
    const site = await twoLandscapes(context);
    const { repository, elsewhere } = site;
    site.commit(serving("1.0.0"));
    site.commit(serving("1.0.0"), "pruned", pruned(site));
    const controller = await watching(site);
    for (const landscape of ["dev", "elsewhere"]) await controller.logs({ message: "entry moved", landscape });
    await kymaIn(repository.path, ["sync", "pause", "elsewhere", "--reason", "INC-3"]);
    site.commit(serving("1.1.0"), "lost", pruned(site));
    await announcePush(controller.address);
    await controller.logs({ message: "entry moved", ...DEV, to: "1.1.0" });
    repository.git("reset", "--quiet", "--hard", "HEAD~1");
    site.commit(serving("1.2.0"), "dropped", onlyDev(settingsOf(site)));
    await announcePush(controller.address);
    await controller.logs({ message: "commit held", ...DEV });
    const because = /landscape elsewhere\b/;
    await controller.logs({ message: "pass failed", landscape: "elsewhere", because });

    expect(await servedIn(elsewhere, "certs")).toEqual({ fast: "1.0.0" });
  }, 60_000);

  it("may have broken settings: nothing changes, even for a controller that starts then", async (context) => {
    const site = await twoLandscapes(context);
    const served = site.commit(serving("1.0.0"));
    const first = await watching(site);
    await first.logs({ message: "entry moved", ...DEV, to: "1.0.0" });
    await first.logs({ message: "entry moved", landscape: "elsewhere", to: "1.0.0" });
    const settings = settingsOf(site);
    const [dev, elsewhere] = settings.landscapes;
    const broken = JSON.stringify({ ...settings, landscapes: [dev, { ...elsewhere, namespace: 7 }] });
    site.commit(serving("1.1.0"), "broken settings", { "kyma-modules.yaml": broken });
    await announcePush(first.address);
    for (const landscape of ["dev", "elsewhere"]) await first.logs({ message: "commit held", landscape });
    first.signal("SIGTERM");
    await first.ended;
    const second = await watching(site);
    for (const landscape of ["dev", "elsewhere"]) {
      await second.logs({ message: "commit held", landscape });
      const world = landscape === "dev" ? site.dev : site.elsewhere;
      await world.outside.must("DELETE", pathOf("templates", world.namespace, "certs-1.0.0"));
      await second.logs({ message: "object written", landscape, revision: served });

      expect(await servedIn(world, "certs")).toEqual({ fast: "1.0.0" });
    }
  }, 60_000);

  it("may have an unsigned commit: nothing changes, not even the list of landscapes", async (context) => {
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
  }, 60_000);

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
      .poll(events, { timeout: 10_000 })
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

/** The settings by which a sync also removes what is not served any more. */
function pruned(site: TwoLandscapes): Readonly<Record<string, string>> {
  const settings = settingsOf(site);
  const landscapes = settings.landscapes.map((landscape) => ({ ...landscape, prune: true, maxPrune: "100%" }));
  return { "kyma-modules.yaml": JSON.stringify({ ...settings, landscapes }) };
}

/** The files that leave only the first landscape. */
function onlyDev(settings: ReturnType<typeof settingsOf>): Readonly<Record<string, string>> {
  return {
    "kyma-modules.yaml": JSON.stringify({ ...settings, landscapes: settings.landscapes.slice(0, 1) }),
    "channels/fast.yaml": JSON.stringify({ format: 1, versions: "any", landscapes: ["dev"] }),
  };
}

function both(version: string): Sample {
  return { channels: { fast: { certs: version, keda: version } } };
}

/** The settings that were committed last. */
function settingsOf({ repository }: TwoLandscapes): { readonly landscapes: readonly object[] } {
  return JSON.parse(repository.git("show", "HEAD:kyma-modules.yaml")) as { readonly landscapes: readonly object[] };
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
