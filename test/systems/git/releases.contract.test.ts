import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { gitReleases } from "../../../src/systems/git/releases.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, gitAt } from "../repository.ts";
import { startServer } from "../webServer.ts";

const run = quietRun();
const releases = gitReleases(gitAt("."), { allowsLocal: true });

/** The address of a repository with these tags. */
function tagged(...tags: readonly string[]): string {
  const repository = emptyRepository();
  repository.commit();
  for (const tag of tags) repository.git("tag", tag);
  repository.git("tag", "--annotate", "--message", "release", "v9.0.0");
  return `file://${repository.path}`;
}

describe("a release", () => {
  it("exists if its version is a tag, with or without v", async () => {
    const url = tagged("1.2.0", "v1.3.0", "1.4.0-rc1");

    for (const version of ["1.2.0", "1.3.0", "1.4.0-rc1", "9.0.0"])
      expect([version, await releases.tagExists(url, version, run)]).toEqual([version, true]);
  });

  it("does not exist if only a similar tag does", async () => {
    const url = tagged("1.2.0", "release/1.3.0", "xx1.4.0", "1.5.0-rc1");

    for (const version of ["1.2", "2.0", "1.3.0", "1.4.0", "1.5.0", "1x2.0"])
      expect([version, await releases.tagExists(url, version, run)]).toEqual([version, false]);
  });

  it("is unknown without a publicly readable repository", async () => {
    const closed = await startServer(() => ({ status: 401, headers: { "www-authenticate": "Basic realm=r" } }));
    const missing = await startServer(() => ({ status: 404 }));
    for (const url of [`file://${emptyFolder().path}`, `http://${closed.host}/r`, `http://${missing.host}/r`]) {
      const release = releases.tagExists(url, "1.0.0", run);

      await expect(release).rejects.toMatchObject({
        name: "Fault",
        code: "GIT_FAILED",
        message: mentions(url, "without credentials"),
      });
    }
  });

  it("is looked up without the user's credentials", async () => {
    const folder = emptyFolder();
    const mark = join(folder.path, "mark");
    const closed = await startServer(() => ({ status: 401, headers: { "www-authenticate": "Basic realm=r" } }));
    const helper = `helper = "!touch ${mark}; echo username=a; echo password=b;:"`;
    folder.write({ config: `[credential]\n\t${helper}\n[credential "http://${closed.host}"]\n\t${helper}\n` });
    const before = process.env["GIT_CONFIG_GLOBAL"];
    process.env["GIT_CONFIG_GLOBAL"] = join(folder.path, "config");
    onTestFinished(() => {
      if (before === undefined) delete process.env["GIT_CONFIG_GLOBAL"];
      else process.env["GIT_CONFIG_GLOBAL"] = before;
    });

    await expect(releases.tagExists(`http://${closed.host}/r`, "1.0.0", run)).rejects.toMatchObject({
      code: "GIT_FAILED",
    });
    expect(existsSync(mark)).toBe(false);
  });

  it("is unknown if the repository does not answer in time", async () => {
    const server = await startServer(() => "hang");
    const release = gitReleases(gitAt("."), { allowsLocal: true, deadlineMs: 300 }).tagExists(
      `http://${server.host}/r`,
      "1.0.0",
      run,
    );

    await expect(release).rejects.toMatchObject({
      code: "GIT_FAILED",
      retry: true,
      message: mentions(server.host, "0.3 s"),
    });
  });

  it("stops when the run is aborted", async () => {
    const interruption = new AbortController();
    const server = await startServer(() => {
      interruption.abort(new Error("interrupted"));
      return "hang";
    });

    await expect(releases.tagExists(`http://${server.host}/r`, "1.0.0", quietRun(interruption.signal))).rejects.toThrow(
      "interrupted",
    );
  });

  it("executes no command in the address of its repository", async () => {
    const folder = emptyFolder();
    const mark = join(folder.path, "mark");
    const addresses = [
      `--upload-pack=touch ${mark}`,
      `ext::sh -c "touch ${mark}"`,
      `ssh://-oProxyCommand=touch%20${mark}/r`,
      "git@example.com:org/name",
      "https://user:password@example.com/r",
      "http://example.com/r",
      folder.path,
      "",
    ];
    for (const url of addresses)
      await expect(releases.tagExists(url, "1.0.0", run)).rejects.toMatchObject({ code: "CONFIGURATION" });

    expect(existsSync(mark)).toBe(false);
  });

  it("is looked up over https only", async () => {
    await expect(gitReleases(gitAt(".")).tagExists(tagged("1.0.0"), "1.0.0", run)).rejects.toMatchObject({
      code: "CONFIGURATION",
    });
  });

  it("must have a version that is not a pattern or an option for Git", async () => {
    for (const version of ["*", "1.0.0 --all", "", "1/2", "[1].0.0"])
      await expect(releases.tagExists(tagged("1.0.0"), version, run)).rejects.toMatchObject({ code: "CONFIGURATION" });
  });
});
