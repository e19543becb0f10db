import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import type { ReadHistory } from "../../../src/ports.ts";
import { changes, commitsOf, historyIn, historyOf, said } from "../histories.ts";
import { emptyFolder, emptyRepository } from "../repository.ts";

const [A, B] = ["channels/fast/istio.yaml", "channels/fast/telemetry.yaml"];

describe("a history of everything", () => {
  it("has every change of channel files, holds and hot-fixes, oldest first, and every commit with its time", async () => {
    const repository = emptyRepository();
    const commits = commitsOf(
      repository,
      { [A]: "1", "channels/fast.yaml": "policy", "modules/istio/module.yaml": "m" },
      { "README.md": "other" },
      { "modules/istio/holds.yaml": "h", "modules/istio/hotfixes.yaml": "f", [A]: "2" },
    );
    repository.remove(A);
    const removal = repository.commit();
    const again = commitsOf(repository, { [A]: "2" });
    const found = await historyIn(repository.path);

    expect(found.changes.map(said)).toEqual([
      `0 ${A}: 1`,
      `2 ${A}: 2`,
      "2 modules/istio/holds.yaml: h",
      "2 modules/istio/hotfixes.yaml: f",
      `3 ${A} is gone`,
      `4 ${A}: 2`,
    ]);
    expect(found.commits.map(({ commit }) => commit)).toEqual([...commits, removal, ...again]);
    expect(found.cut).toBeUndefined();
  });

  it("has the committer's time, the author, the subject and the body of a commit", async () => {
    const repository = emptyRepository();
    vi.stubEnv("TZ", "Asia/Tokyo");
    repository.git(
      ...["-c", "user.name=Zoë", "commit", "--quiet", "--allow-empty", "--author=A. U. Thor <a@x>"],
      ...["--date=2001-01-01T00:00:00Z", "--message", "Promote it\n\nIt is good.\n\nPromotes: istio@1.2.3\n"],
    );
    const seconds = Number(repository.git("show", "--no-patch", "--format=%ct"));
    const [commit] = (await historyIn(repository.path)).commits;

    expect(commit).toMatchObject({ committerMs: seconds * 1000, author: "A. U. Thor", subject: "Promote it" });
    expect(commit?.body.trim()).toBe("It is good.\n\nPromotes: istio@1.2.3");
  });

  it("is not confused by messages that look like its own output, in other encodings, or empty", async () => {
    const repository = emptyRepository();
    const latin1 = join(repository.path, "message");
    repository.write({ message: Buffer.from("Gr\u00fc\u00dfe\n", "latin1"), [A]: "1" });
    repository.git("add", "--all");
    repository.git("-c", "i18n.commitEncoding=ISO-8859-1", "commit", "--quiet", "--file", latin1);
    repository.write({ [A]: "2" });
    repository.commit(`:100644 100644 ${"a".repeat(40)} ${"b".repeat(40)} M\n${"c".repeat(40)}\n\n:000000 000000\n`);
    repository.write({ [A]: "3" });
    repository.git("commit", "--all", "--quiet", "--allow-empty-message", "--message", "");
    const found = await historyIn(repository.path);

    expect(found.commits.map(({ subject }) => subject.slice(0, 8))).toEqual(["Grüße", ":100644 ", ""]);
    expect(found.changes.map(said)).toEqual([`0 ${A}: 1`, `1 ${A}: 2`, `2 ${A}: 3`]);
  });

  it("handles names that need quotes, regardless of a user's settings", async () => {
    const repository = emptyRepository();
    commitsOf(repository, { [A]: "1\n2\n3\n", 'channels/fast/a "b"\n:é.yaml': "odd", "channels/fast/plain": "x" });
    repository.git("mv", A, B);
    repository.commit();
    const settings = emptyFolder();
    settings.write({
      config:
        "[log]\nshowRoot=false\nshowSignature=true\ndate=raw\n[diff]\nrenames=copies\nignoreSubmodules=all\nrelative=true\n[core]\nquotePath=true\n[color]\nui=always\n",
    });
    vi.stubEnv("GIT_CONFIG_GLOBAL", join(settings.path, "config"));
    const found = await changes(repository.path);

    expect(found.filter((line) => !line.includes("odd"))).toEqual([
      `0 ${A}: 1\n2\n3\n`,
      `1 ${A} is gone`,
      `1 ${B}: 1\n2\n3\n`,
    ]);
  });

  it("treats a merge as one step from its first parent, with two or three parents", async () => {
    const repository = emptyRepository();
    const [root = ""] = commitsOf(repository, { [A]: "1" });
    for (const branch of ["left", "right"]) {
      repository.git("checkout", "--quiet", "-b", branch, root);
      commitsOf(
        repository,
        { [`channels/${branch}/istio.yaml`]: "draft" },
        { [`channels/${branch}/istio.yaml`]: "ready" },
      );
    }
    repository.git("checkout", "--quiet", "main");
    commitsOf(repository, { [B]: "1" });
    repository.git("merge", "--quiet", "--no-ff", "--message", "octopus", "left", "right");
    repository.git("checkout", "--quiet", "-b", "topic");
    commitsOf(repository, { [A]: "draft" }, { [A]: "2" });
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "topic");
    const found = await historyIn(repository.path);

    expect(found.changes.map(said)).toEqual([
      `0 ${A}: 1`,
      `1 ${B}: 1`,
      "2 channels/left/istio.yaml: ready",
      "2 channels/right/istio.yaml: ready",
      `3 ${A}: 2`,
    ]);
    expect(found.commits.map(({ subject }) => subject)).toEqual(["change", "change", "octopus", "merge"]);
  });

  it("keeps a merge that equals its second parent, and one that changes nothing", async () => {
    const repository = emptyRepository();
    commitsOf(repository, { [A]: "1" });
    repository.git("checkout", "--quiet", "-b", "topic");
    commitsOf(repository, { [A]: "2" });
    repository.git("checkout", "--quiet", "main");
    commitsOf(repository, { [A]: "3" });
    repository.git("merge", "--quiet", "--strategy", "ours", "--message", "ours", "topic");
    repository.git("checkout", "--quiet", "-b", "more");
    commitsOf(repository, { [A]: "4" });
    repository.git("checkout", "--quiet", "main");
    repository.git("merge", "--quiet", "--no-ff", "--message", "theirs", "more");
    const found = await historyIn(repository.path);

    expect(found.changes.map(said)).toEqual([`0 ${A}: 1`, `1 ${A}: 3`, `3 ${A}: 4`]);
    expect(found.commits).toHaveLength(4);
  });

  it("covers only the folder of a catalogue in a larger repository", async () => {
    const repository = emptyRepository();
    commitsOf(repository, { [`catalogue/${A}`]: "in", [A]: "out" }, { [A]: "out again" });
    const found = await historyIn(join(repository.path, "catalogue"));

    expect(found.changes.map(said)).toEqual([`0 ${A}: in`]);
    expect(found.commits).toHaveLength(2);
  });

  it("continues in the folders from which the catalogue moved, without the files that a move left out", async () => {
    const repository = emptyRepository();
    const move = (from: string, to: string): void => {
      mkdirSync(join(repository.path, to), { recursive: true });
      for (const name of ["kyma-modules.yaml", "channels"]) repository.git("mv", `${from}/${name}`, to);
      repository.git("commit", "--quiet", "--message", `to ${to}`);
    };
    commitsOf(repository, { "kyma-modules.yaml": "s", [A]: "1", [B]: "1", "other/channels/fast/istio.yaml": "x" });
    repository.git("rm", "--quiet", B);
    move(".", "first [*]");
    commitsOf(repository, { [`first [*]/${A}`]: "2", [A]: "not of the catalogue", "first +/channels/a": "x" });
    repository.git("switch", "--quiet", "--create", "topic");
    move("first [*]", "second");
    repository.git("switch", "--quiet", "main");
    commitsOf(repository, { "README.md": "main went on" });
    repository.git("merge", "--quiet", "--no-ff", "--message", "merge", "topic");
    commitsOf(repository, { [`second/${A}`]: "3" });
    const found = await historyIn(join(repository.path, "second"));

    expect(found.changes.map(said)).toEqual([
      `0 ${A}: 1`,
      `0 ${B}: 1`,
      `1 ${B} is gone`,
      `1 ${A}: 1`,
      `2 ${A}: 2`,
      `4 ${A}: 2`,
      `5 ${A}: 3`,
    ]);
    expect(found.commits.map(({ subject }) => subject)).toEqual([
      ...["change", "to first [*]", "change", "change", "merge", "change"],
    ]);
    const alone = await historyOf(join(repository.path, "second"), "channels/*/istio.yaml");
    expect(alone.changes.map(({ content }) => content !== undefined)).toEqual([true, true, true, true, true]);
  });

  it("ignores grafts, which hide or forge older commits in one clone", async () => {
    const repository = emptyRepository();
    const [first, second] = commitsOf(repository, { [A]: "1" }, { [A]: "2" });
    repository.write({ ".git/info/grafts": `${second ?? ""}\n` });

    expect((await historyIn(repository.path)).commits.map(({ commit }) => commit)).toEqual([first, second]);
  });

  it("begins where a catalogue was added, even if another one was removed", async () => {
    const repository = emptyRepository();
    commitsOf(repository, {
      ...{ "one/kyma-modules.yaml": "1", [`one/${A}`]: "1" },
      ...{ "two/kyma-modules.yaml": "2", [`two/${A}`]: "2" },
    });
    repository.git("rm", "-r", "--quiet", "one", "two");
    commitsOf(repository, { "three/kyma-modules.yaml": "3", [`three/${A}`]: "3", "four/kyma-modules.yaml": "2" });

    expect(await changes(join(repository.path, "three"))).toEqual([`1 ${A}: 3`]);
    commitsOf(repository, { [`four/${A}`]: "4" });
    expect(await changes(join(repository.path, "four"))).toEqual([`0 ${A}: 2`, `1 ${A} is gone`, `2 ${A}: 4`]);
  });

  it("ends at the requested revision, and fails for an unknown one", async () => {
    const repository = emptyRepository();
    const [first = ""] = commitsOf(repository, { [A]: "1" }, { [A]: "2" });
    const before = await historyIn(repository.path, first);

    expect(before.changes.map(said)).toEqual([`0 ${A}: 1`]);
    await expect(historyIn(repository.path, "--all")).rejects.toMatchObject({ code: "REVISION_UNKNOWN" });
  });

  it("is empty without a Git repository, a commit, or any catalogue", async () => {
    const [none, repository] = [emptyFolder(), emptyRepository()];
    const empty: ReadHistory = { commits: [], changes: [], cut: undefined };

    expect([await historyIn(none.path), await historyIn(repository.path)]).toEqual([empty, empty]);
    commitsOf(repository, { other: "1" });
    expect(await historyIn(repository.path)).toMatchObject({ commits: [{ subject: "change" }], changes: [] });
  });
});
