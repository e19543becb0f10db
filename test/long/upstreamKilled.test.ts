import { spawn } from "node:child_process";
import { chmodSync, existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { quietRun } from "../support/quietRun.ts";
import { followed } from "../systems/git/following.ts";
import { emptyFolder } from "../systems/repository.ts";

const run = quietRun();

describe("a clone", () => {
  it("is fetched into after its process was killed, while Git still runs", async () => {
    const { remote, cache, open } = followed();
    const [tools, path] = [emptyFolder(), join(import.meta.dirname, "../../src/systems/git/upstream.ts")];
    tools.write({
      hook: `#!/bin/sh\ntouch ${tools.path}/begun\nsleep 7\nexec "$@"\n`,
      config: `[uploadpack]\n\tpackObjectsHook = ${tools.path}/hook\n`,
      "fetch.ts": `import { openUpstream } from ${JSON.stringify(path)};
        const log = { info() {}, warn() {}, with() { return log; } };
        const options = ${JSON.stringify({ url: remote.path, branch: "main", cache: cache.path })};
        await openUpstream(options, process.env).fetch({ signal: new AbortController().signal, log });`,
    });
    chmodSync(join(tools.path, "hook"), 0o755);
    const env = { ...process.env, GIT_CONFIG_GLOBAL: join(tools.path, "config") };
    const child = spawn(process.execPath, [join(tools.path, "fetch.ts")], { stdio: "ignore", env });
    await vi.waitUntil(() => existsSync(join(tools.path, "begun")), { timeout: 60_000 });
    child.kill("SIGKILL");

    expect(await open().fetch(run)).toBe(remote.git("rev-parse", "HEAD"));
    const tip = remote.commit("two");
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(await open().fetch(run)).toBe(tip);
  });
});
