import { chmodSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { keptTips } from "../../../src/systems/git/kept.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, gitAt } from "../repository.ts";

it("a branch that is fetched while the remote is asked counts", async () => {
  const remote = emptyRepository();
  const tip = remote.commit("main");
  remote.git("branch", "evidence");
  const [job, tools] = [emptyRepository(), emptyFolder()];
  job.git("remote", "add", "origin", remote.path);
  job.git("fetch", "--quiet", "origin", "main");
  job.git("checkout", "--quiet", "--detach", "FETCH_HEAD");
  const path = String(process.env["PATH"]);
  const fetching = 'case "$*" in *ls-remote*) git fetch --quiet origin;; esac';
  tools.write({ git: `#!/bin/sh\nPATH='${path}'\n${fetching}\nexec git "$@"\n` });
  chmodSync(join(tools.path, "git"), 0o755);
  const git = gitAt(job.path).with({ PATH: `${tools.path}:${path}` });

  expect(await keptTips(git, "evidence", { branches: ["evidence"], isOffline: false }, quietRun())).toEqual([tip]);
});
