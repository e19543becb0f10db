import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { SETTINGS } from "../../src/check/example.ts";
import { long } from "../support/long.ts";
import { mentions } from "../support/mentions.ts";
import { emptyFolder } from "../systems/repository.ts";
import { run, start } from "./program.ts";
import { kymaIn, siteOf } from "./promoting.ts";
import { writeKyma } from "../sync/fleet.ts";
import { hideClusters } from "../sync/users.ts";
import { SAMPLE, twoLandscapes } from "./syncing.ts";

/** The folder of a catalogue with a history. */
function catalogue(): string {
  return siteOf().path;
}

describe("kyma-modules dashboard", () => {
  it("prints its address, serves the train, and ends with Ctrl-C", async () => {
    const program = start(["dashboard", "--repo", catalogue(), "--offline", "--port", "0"]);
    onTestFinished(() => {
      program.signal("SIGKILL");
    });
    const said = await program.says(/Stop with Ctrl-C/);
    const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0] ?? "";
    const page = await fetch(address);

    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="row-sample"')]);
    program.signal("SIGINT");
    expect((await program.ended).code).toBe(130);
    await expect(fetch(address)).rejects.toThrow();
  });

  it("writes linked pages that need no server", async () => {
    const folder = join(emptyFolder().path, "site");
    const { code, stdout } = await run(["dashboard", "--repo", catalogue(), "--offline", "--export", folder]);
    const page = readFileSync(join(folder, "index.html"), "utf8");
    const links = [...page.matchAll(/ (?:href|action)="([^"#]+)[^"]*"/g)].map(([, link = ""]) => link);

    expect([code, stdout]).toEqual([0, expect.stringContaining("index.html")]);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !link.startsWith("https:") && !existsSync(join(folder, link)))).toEqual([]);
  });

  long("links no clusters but those that it writes", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync"]);
    await writeKyma(site.dev, "a", [{ name: "certs", channel: "fast", version: "1.1.0", state: "Error" }]);
    const folder = join(emptyFolder().path, "site");
    const { code } = await kymaIn(site.repository.path, ["dashboard", "--export", folder]);
    const linksOf = (page: string): readonly string[] =>
      [...readFileSync(join(folder, page), "utf8").matchAll(/ href="([^"]*fleet[^"]*)"/g)].map(([, link = ""]) => link);

    expect(code).toBe(0);
    expect(linksOf("landscapes/elsewhere.html")).toEqual(["../fleet.html"]);
    expect(linksOf("fleet.html")).toEqual(["fleet.html", "fleet/dev/a.html"]);
  });

  it("refuses a commit with broken settings, as status does", async () => {
    const repo = siteOf({ [SETTINGS]: "broken: [" }).path;
    const folder = join(emptyFolder().path, "site");
    const ends = await Promise.all([
      run(["dashboard", "--repo", repo, "--offline", "--export", folder]),
      run(["status", "--repo", repo, "--offline"]),
    ]);

    for (const end of ends)
      expect(end).toMatchObject({ code: 1, stderr: expect.stringContaining(`${SETTINGS}:1:`) as unknown });
    expect(existsSync(folder)).toBe(false);
  });

  it("shows everything else if a file of a module is broken, and exits with 1", async () => {
    const repo = siteOf({ "modules/other/holds.yaml": "broken: [" }).path;
    const folder = join(emptyFolder().path, "site");
    const { code, stderr } = await run(["dashboard", "--repo", repo, "--offline", "--export", folder]);

    expect([code, stderr]).toEqual([1, mentions("modules/other/holds.yaml:1:", "module other")]);
    expect(existsSync(join(folder, "index.html"))).toBe(true);
  });

  it("says that a landscape could not be read, and why", async () => {
    const folder = join(emptyFolder().path, "site");
    const nowhere = { KUBECONFIG: join(folder, "none") };
    const { code, stderr } = await run(["dashboard", "--repo", catalogue(), "--export", folder], nowhere);

    expect([code, stderr]).toEqual([3, mentions("dev", join(folder, "none"))]);
    expect(readFileSync(join(folder, "index.html"), "utf8")).toEqual(mentions("dev", "never been seen"));
  });

  long("says that clusters are not known if it may not list them", async (context) => {
    const site = await twoLandscapes(context);
    site.commit(SAMPLE);
    await kymaIn(site.repository.path, ["sync", "dev"]);
    await hideClusters(site);
    const folder = join(emptyFolder().path, "site");
    const { code, stderr } = await kymaIn(site.repository.path, ["dashboard", "--export", folder]);
    const page = readFileSync(join(folder, "index.html"), "utf8");

    expect([code, stderr]).toEqual([3, expect.stringMatching(/^.*\bclusters of dev\b.*\bkymas\b.*\n$/)]);
    expect(page).toMatch(/\bclusters\b.* not known: .*\bkymas\b/);
    expect(page).toContain("clusters not known</span>");
  });

  long("replaces only the pages that it wrote before", async () => {
    const folder = join(emptyFolder().path, "site");
    const write = (): ReturnType<typeof run> =>
      run(["dashboard", "--repo", catalogue(), "--offline", "--export", folder]);
    await write();
    const list = join(folder, "written.json");
    const { files } = JSON.parse(readFileSync(list, "utf8")) as { readonly files: readonly string[] };
    writeFileSync(join(folder, "notes.html"), "mine");
    writeFileSync(join(folder, "gone.html"), "of last week");
    writeFileSync(list, JSON.stringify({ files: ["gone.html", ...files] }));

    expect(await write()).toMatchObject({ code: 0 });
    expect([existsSync(join(folder, "gone.html")), readFileSync(join(folder, "notes.html"), "utf8")]).toEqual([
      false,
      "mine",
    ]);
    writeFileSync(list, JSON.stringify({ files: files.filter((path) => path !== "index.html") }));
    expect(await write()).toMatchObject({
      code: 2,
      stderr: mentions(folder, "index.html"),
    });
    for (const text of ["{", '{ "files": ["../gone.html"] }']) {
      writeFileSync(list, text);
      expect(await write()).toMatchObject({
        code: 2,
        stderr: mentions(list),
      });
    }
  });

  it.each([
    [["--bind", "0.0.0.0"], /--auth/],
    [["--auth", "other"], /token nor header/],
    [["--auth", "token"], /KYMA_MODULES_DASHBOARD_TOKEN/],
    [["--port", "70000"], /must be a port/],
  ])("refuses %j", async (args, why) => {
    const { code, stderr } = await run(["dashboard", "--repo", catalogue(), "--offline", ...args]);

    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});
