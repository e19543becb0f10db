import { expect, it } from "vitest";
import { keptTips } from "../../../src/systems/git/kept.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyRepository, gitAt, pathWithGit } from "../repository.ts";

it("a branch that is fetched while the remote is asked counts", async () => {
  const remote = emptyRepository();
  const tip = remote.commit("main");
  remote.git("branch", "evidence");
  const job = emptyRepository();
  job.git("remote", "add", "origin", remote.path);
  job.git("fetch", "--quiet", "origin", "main");
  job.git("checkout", "--quiet", "--detach", "FETCH_HEAD");
  const fetching = 'case "$*" in *ls-remote*) git fetch --quiet origin;; esac';
  const git = gitAt(job.path).with({ PATH: pathWithGit(fetching) });

  expect(await keptTips(git, "evidence", { branches: ["evidence"], isOffline: false }, quietRun())).toEqual([tip]);
});
