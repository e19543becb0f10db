import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { emptyFolder } from "../systems/repository.ts";
import { run, start } from "./program.ts";
import { siteOf } from "./promoting.ts";

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
    const said = await program.says(/Ctrl-C ends it/);
    const address = /http:\/\/127\.0\.0\.1:\d+\//.exec(said)?.[0] ?? "";
    const page = await fetch(address);

    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('id="row-sample"')]);
    program.signal("SIGINT");
    expect((await program.ended).code).toBe(130);
    await expect(fetch(address)).rejects.toThrow();
  });

  it("writes pages that need no server, and lead to one another", async () => {
    const folder = join(emptyFolder().path, "site");
    const { code, stdout } = await run(["dashboard", "--repo", catalogue(), "--offline", "--export", folder]);
    const page = readFileSync(join(folder, "index.html"), "utf8");
    const links = [...page.matchAll(/ (?:href|action)="([^"#]+)[^"]*"/g)].map(([, link = ""]) => link);

    expect([code, stdout]).toEqual([0, expect.stringContaining("index.html")]);
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter((link) => !link.startsWith("https:") && !existsSync(join(folder, link)))).toEqual([]);
  });

  it("says of a landscape that it is not seen, and why", async () => {
    const folder = join(emptyFolder().path, "site");
    await run(["dashboard", "--repo", catalogue(), "--export", folder], { KUBECONFIG: join(folder, "none") });

    expect(readFileSync(join(folder, "index.html"), "utf8")).toMatch(/is not seen since/);
  });

  it.each([
    [["--bind", "0.0.0.0"], /--auth/],
    [["--auth", "nobody"], /token nor header/],
    [["--auth", "token"], /KYMA_MODULES_DASHBOARD_TOKEN/],
    [["--port", "70000"], /must be a port/],
  ])("refuses %j", async (args, why) => {
    const { code, stderr } = await run(["dashboard", "--repo", catalogue(), "--offline", ...args]);

    expect([code, stderr]).toEqual([2, expect.stringMatching(why)]);
  });
});
