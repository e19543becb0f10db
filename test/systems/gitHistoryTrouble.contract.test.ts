import { execFileSync } from "node:child_process";
import { describe, expect, it, vi } from "vitest";
import { MAX_FILE_BYTES } from "../../src/document/snapshot.ts";
import { MODULE_FILES } from "../../src/catalogue/history/moduleHistory.ts";
import { gitHistory } from "../../src/systems/git/history.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";
import { changes, commitsOf, historyIn, said } from "./histories.ts";
import { emptyFolder, emptyRepository, gitAt } from "./repository.ts";

const [A, B] = ["channels/fast/istio.yaml", "channels/fast/telemetry.yaml"];

describe("a history of special files", () => {
  it("does not follow links, and reports files that are too large", async () => {
    const repository = emptyRepository();
    commitsOf(
      repository,
      { [A]: "1", [B]: { link: "istio.yaml" } },
      { [A]: { link: "../elsewhere" }, [B]: "x".repeat(MAX_FILE_BYTES + 1) },
      { [A]: "1" },
    );

    expect(await changes(repository.path)).toEqual([
      `0 ${A}: 1`,
      `0 ${B} is bad-link`,
      `1 ${A} is bad-link`,
      `1 ${B} is too-large`,
      `2 ${A}: 1`,
    ]);
  });

  it("ignores submodules", async () => {
    const repository = emptyRepository();
    const [first = ""] = commitsOf(repository, { [A]: "1" });
    repository.git("rm", "--quiet", A);
    repository.git("update-index", "--add", "--cacheinfo", `160000,${first},${A}`);
    repository.git("commit", "--quiet", "--message", "submodule");

    expect(await changes(repository.path)).toEqual([`0 ${A}: 1`, `1 ${A} is gone`]);
  });

  it("returns bytes unchanged, also those that are not text", async () => {
    const repository = emptyRepository();
    const bytes = Buffer.from([0, 255, 10, 13, 10]);
    commitsOf(repository, { ".gitattributes": "*.yaml text eol=lf\n" });
    const blob = execFileSync("git", ["hash-object", "-w", "--no-filters", "--stdin"], {
      cwd: repository.path,
      input: bytes,
    });
    repository.git("update-index", "--add", "--cacheinfo", `100644,${blob.toString().trim()},${A}`);
    repository.git("commit", "--quiet", "--message", "bytes");
    const [change] = (await historyIn(repository.path)).changes;

    expect(change?.content).toEqual({ kind: "bytes", bytes });
  });
});

const TOO_SHALLOW = {
  code: "HISTORY_TOO_SHALLOW",
  message: mentions("shallow", "2 commits", "2", "git fetch --deepen=20"),
};

describe("a clone that is shallow", () => {
  it("returns the available commits, and a fault with its depth", async () => {
    const [repository, clone] = [emptyRepository(), emptyFolder()];
    commitsOf(repository, { [A]: "1", [B]: "1" }, { [A]: "2" }, { [A]: "3" });
    clone.git("clone", "--quiet", "--depth=2", `file://${repository.path}`, ".");
    const found = await historyIn(clone.path);

    expect(found).toMatchObject({ cut: TOO_SHALLOW, commits: [{ subject: "change" }, { subject: "change" }] });
    expect(found.changes.map(said)).toEqual([`0 ${A}: 2`, `0 ${B}: 1`, `1 ${A}: 3`]);
    clone.git("fetch", "--quiet", "--unshallow");
    expect(await historyIn(clone.path)).toMatchObject({ cut: undefined, commits: { length: 3 } });
  });

  it("counts as complete if only a merged branch is cut off", async () => {
    const [repository, clone] = [emptyRepository(), emptyFolder()];
    commitsOf(repository, { [A]: "1" });
    repository.git("checkout", "--quiet", "--orphan", "import");
    commitsOf(repository, { b: "1" }, { b: "2" }, { b: "3" });
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--allow-unrelated-histories", "--message", "merge", "import");
    clone.git("clone", "--quiet", "--depth=2", `file://${repository.path}`, ".");

    expect(clone.git("rev-parse", "--is-shallow-repository")).toBe("true");
    expect(await historyIn(clone.path)).toMatchObject({ cut: undefined, commits: { length: 2 } });
  });
});

describe("a history that cannot be read", () => {
  it("fails if the clone lacks objects, without git, and once the run is aborted", async () => {
    const repository = emptyRepository();
    commitsOf(repository, { [A]: "1" });
    const aborted = quietRun(AbortSignal.abort(new Error("interrupted")));
    await expect(gitHistory(gitAt(repository.path)).read("HEAD", MODULE_FILES, aborted)).rejects.toThrow("interrupted");
    const blob = repository.git("rev-parse", `HEAD:${A}`);
    repository.remove(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`);

    await expect(historyIn(repository.path)).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: mentions(blob, "missing", "git fsck"),
    });
    vi.stubEnv("PATH", "/nowhere");
    await expect(historyIn(repository.path)).rejects.toMatchObject({ code: "GIT_FAILED" });
  });
});
