import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FAST } from "../../src/check/example.ts";
import { bumpCommand } from "../../src/cli/bump/command.ts";
import { openBump } from "../../src/cli/compose/promotion.ts";
import { openOutput } from "../../src/cli/terminal/output.ts";
import { openLinks } from "../../src/systems/http/web.ts";
import { quietRun } from "../support/quietRun.ts";
import { emptyFolder } from "../systems/repository.ts";
import { startServer } from "../systems/webServer.ts";
import { BRANCH, bumpSite, TEMPLATE } from "../cli/bumping.ts";
import { run } from "../cli/program.ts";

describe("kyma-modules bump, killed", () => {
  it("has the same result wherever it is killed", async () => {
    const { repository, base, template, branches } = bumpSite();
    const tools = emptyFolder();
    const git = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
    const count = join(tools.path, "count");
    // Kills the program after the git command with the number $KILL_AT.
    tools.write({
      git: `#!/bin/sh\nn=$(($(cat ${count}) + 1)); echo $n >${count}\n${git} "$@"; code=$?\n[ $n -ne $KILL_AT ] || kill -9 $PPID\nexit $code\n`,
    });
    execFileSync("chmod", ["+x", join(tools.path, "git")]);
    const args = ["bump", "sample@1.2.0", "--channel", "fast", "--template", template, "--repo", repository.path];
    let kills = 0;
    for (let killAt = 1; ; killAt++) {
      writeFileSync(count, "0");
      const PATH = `${tools.path}:${process.env["PATH"] ?? ""}`;
      const { code } = await run([...args, "--offline"], { PATH, KILL_AT: String(killAt) });
      expect(repository.git("status", "--porcelain")).toBe("");
      if (branches().length > 1) expect(repository.git("diff", "--name-status", base, BRANCH)).toBe(`M\t${FAST}`);
      if (code !== null) break;
      kills++;
    }

    expect(kills).toBeGreaterThan(5);
    expect(repository.git("rev-list", "--count", `${base}..${BRANCH}`)).toBe("1");
    expect(readFileSync(count, "utf8")).not.toBe("0\n");
  });
});

describe("kyma-modules bump with a template behind a link", () => {
  const fromServer = async (path: string): Promise<{ readonly code: number; readonly said: string }> => {
    const { repository } = bumpSite();
    const { host } = await startServer(({ path: asked }) =>
      asked === "/template.yaml" ? { status: 200, body: TEMPLATE } : { status: 404 },
    );
    let said = "";
    const stream = { write: (text: string) => (said += text) };
    const output = openOutput(
      { stdout: stream, stderr: stream },
      { formats: [{ format: "text", file: undefined }], color: "never", variables: {} },
    );
    const opened = openBump(repository.path);
    const ports = {
      ...opened,
      bump: { ...opened.bump, links: () => Promise.resolve(openLinks({}, { allowsLoopback: true })) },
    };
    const request = {
      subject: "sample@1.2.0",
      channel: "fast",
      branch: undefined,
      base: undefined,
      pullRequest: false,
    };
    const rest = { template: `http://${host}${path}`, offline: true, dryRun: false, version: "0.0.0" };
    return { code: await bumpCommand({ ...request, ...rest }, ports, output, quietRun()), said };
  };

  it("uses the template at the link", async () => {
    const { code, said } = await fromServer("/template.yaml");

    expect(said).toContain(`on the new branch ${BRANCH}`);
    expect(code).toBe(0);
  });

  it("reports that the link leads to no template", async () => {
    await expect(fromServer("/missing.yaml")).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: expect.stringMatching(/ http:\/\/\S+\/missing\.yaml\b/) as string,
    });
  });

  it("sends no request over http", async () => {
    const { code, stderr } = await run([
      "bump",
      "sample@1.2.0",
      "--channel",
      "fast",
      "--template",
      "http://127.0.0.1/t.yaml",
      "--repo",
      bumpSite().repository.path,
    ]);

    expect(stderr).toContain("use https");
    expect(code).toBe(3);
  });
});
