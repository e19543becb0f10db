import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { commitsOf, historyIn } from "../histories.ts";
import { emptyRepository, type Folder } from "../repository.ts";
import { A, B, C, cloneOf, commitsIn, pull, rejectedPush } from "./rejectedPush.ts";

describe("the line of a branch in a clone made after the pull", () => {
  it.each([
    ["when a landscape was served from a commit of it", ""],
    ["when the catalogue is in a folder of its repository", "catalogue/"],
  ])("is what the branch was, %s", async (_, folder) => {
    const { remote, clone, main } = rejectedPush(folder);
    const merge = pull(clone, "Bring telemetry");
    publish(remote, { folder, commits: [String(main[1])] });
    const later = cloneOf(remote);

    expect(commitsIn(await historyIn(join(later.path, folder)))).toEqual([...main, merge]);
    expect(commitsIn(await historyIn(join(later.path, folder), "HEAD^2"))).toEqual(main);
    const topic = commitsOf(later, { [folder + C]: "1" });
    expect(commitsIn(await historyIn(join(later.path, folder)))).toEqual([...main, merge, ...topic]);
  });

  it("is what the branch was after a pull without a local commit", async () => {
    const { remote, clone, main } = rejectedPush();
    clone.git("reset", "--quiet", "--hard", "HEAD~1");
    const merge = pull(clone, "Bring telemetry");
    publish(remote, { commits: [main[0], main[2]].map(String) });

    expect(commitsIn(await historyIn(cloneOf(remote).path))).toEqual([...main, merge]);
  });

  it("is that of the first parent, if that was served before a merge that looks like a pull", async () => {
    const { remote, clone } = rejectedPush();
    clone.git("reset", "--quiet", "--hard", "origin/main");
    clone.git("pull", "--quiet", "--ff-only");
    clone.git("switch", "--quiet", "--create", "topic");
    commitsOf(clone, { [B]: "1" });
    clone.git("switch", "--quiet", "main");
    const main = [...clone.git("rev-list", "--reverse", "main").split("\n"), ...commitsOf(clone, { [A]: "4" })];
    clone.git("merge", "--quiet", "--no-ff", "--message", "Merge branch 'main' of https://example.com/x", "topic");
    clone.git("push", "--quiet");

    await expect(historyIn(cloneOf(remote).path)).rejects.toMatchObject({ code: "CONFIGURATION" });
    publish(remote, { commits: [String(main.at(-1))] });
    expect(commitsIn(await historyIn(cloneOf(remote).path)).slice(0, -1)).toEqual(main);
  });

  it.each<[string, (main: readonly string[]) => Parameters<typeof publish>[1]]>([
    ["a commit that no clone has", () => ({ commits: ["f".repeat(40)] })],
    ["a commit that both parents have", ([base = ""]) => ({ commits: [base] })],
    ["a file that is malformed", ([, one = ""]) => ({ commits: [one], more: { extra: 1 } })],
    ["a file at the path of another content", ([, one = ""]) => ({ commits: [one], path: "other" })],
    ["another observation than that it was served", ([, one = ""]) => ({ commits: [one], more: { kind: "health" } })],
    ["a file outside of the folder of evidence", ([, one = ""]) => ({ commits: [one], folder: "catalogue/" })],
    ["another branch", ([, one = ""]) => ({ commits: [one], branch: "team/evidence" })],
  ])("is not decided by %s", async (_, of) => {
    const { remote, clone, main } = rejectedPush();
    pull(clone, "Bring telemetry");
    publish(remote, of(main));
    const found = commitsIn(await historyIn(cloneOf(remote).path));

    expect(found).toHaveLength(3);
    expect(found).not.toContain(main[1]);
  });

  it("is refused if landscapes were served from both parents", async () => {
    const { remote, clone, main } = rejectedPush();
    const merge = pull(clone, "Bring telemetry");
    publish(remote, { commits: [String(main[1]), clone.git("rev-parse", "HEAD^1")] });

    await expect(historyIn(cloneOf(remote).path)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions(merge.slice(0, 10), "knownCommits"),
    });
  });
});

/** Pushes evidence that landscapes were served from `commits`. */
function publish(
  remote: Folder,
  about: {
    readonly commits: readonly string[];
    readonly folder?: string;
    readonly path?: string;
    readonly branch?: string;
    readonly more?: Readonly<Record<string, unknown>>;
  },
): void {
  const { commits, folder = "", path = "istio", branch = "evidence", more = {} } = about;
  const specHash = `sha256:${"0".repeat(64)}`;
  const evidence = commits.map((commit, index) => ({
    ...{ kind: "served", module: "istio", version: "1.0.0", specHash, landscape: "dev", source: "a look at dev" },
    ...{ observedAt: `2026-01-0${String(index + 1)}T00:00:00Z`, commit, ...more },
  }));
  const text = JSON.stringify({ format: 1, evidence }, null, 2);
  const repository = emptyRepository();
  commitsOf(repository, { [`${folder}modules/${path}/1.0.0/${specHash}.json`]: text });
  repository.git("push", "--quiet", remote.path, `HEAD:refs/heads/${branch}`);
}
