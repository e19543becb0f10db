import { execFile } from "node:child_process";
import { chmodSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder, emptyRepository, type Folder, gitAt, gitHere, pathWithGit } from "../repository.ts";

const run = quietRun();

/** A path with a program `git` that writes its process, then runs `script` first, and the processes that it wrote. */
function recorded(script = ""): { readonly path: string; readonly processes: () => readonly number[] } {
  const folder = emptyFolder();
  const list = join(folder.path, "processes");
  folder.write({ processes: "" });
  const processes = (): readonly number[] => readFileSync(list, "utf8").split("\n").filter(Boolean).map(Number);
  return { path: pathWithGit(`echo $$ >>'${list}'\n${script}`), processes };
}

/** The name of a blob in `repository` with this content. */
function blob(repository: Folder, content: string | Uint8Array): string {
  repository.write({ content });
  return repository.git("hash-object", "-w", "content");
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Waits until none of `processes` runs any more. */
const ended = (processes: () => readonly number[]): Promise<boolean> =>
  vi.waitUntil(() => !processes().some(isAlive), { timeout: 30_000 });

describe("the objects of a repository", () => {
  it("are read in turn with one process, byte for byte", async () => {
    const repository = emptyRepository();
    const contents = [
      "",
      "\n",
      "two\nlines\n",
      Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7) % 256)),
    ];
    const { path, processes } = recorded();
    const { objects } = gitAt(repository.path).with({ PATH: path });
    const names = contents.map((content) => blob(repository, content));
    const [first = "", second = ""] = names;

    expect(await objects.blobs([], run)).toEqual(new Map());
    expect(processes()).toEqual([]);
    expect([...(await objects.blobs([...names, ...names], run)).values()]).toEqual(
      contents.map((one) => Buffer.from(one)),
    );
    expect((await objects.blobs([second], run)).get(second)).toEqual(Buffer.from("\n"));
    const written = blob(repository, "written since");
    expect((await objects.blobs([written], run)).get(written)).toEqual(Buffer.from("written since"));
    expect(await Promise.all([objects.blobs([first], run), objects.blobs([second], run)])).toEqual([
      new Map([[first, Buffer.from("")]]),
      new Map([[second, Buffer.from("\n")]]),
    ]);
    expect(processes()).toHaveLength(1);
  });

  it("are folders too", async () => {
    const repository = emptyRepository();
    repository.write({ "folder/file": "content", script: "#!/bin/sh\n", link: { link: "script" } });
    chmodSync(join(repository.path, "script"), 0o755);
    const commit = repository.commit();
    const { path, processes } = recorded();
    const { objects } = gitAt(repository.path).with({ PATH: path });
    const top = await objects.tree(`${commit}^{tree}`, run);

    expect(top.id).toBe(repository.git("rev-parse", "HEAD^{tree}"));
    expect(top.entries.map(({ mode, name, id }) => `${mode} ${id}\t${String(name)}`)).toEqual(
      repository
        .git("ls-tree", "HEAD")
        .split("\n")
        .map((line) => line.replace(/ (?:blob|tree)/, "")),
    );
    await expect(objects.tree(commit, run)).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining(`${commit} is commit`) as unknown,
    });
    // A process that stayed is not trusted with that.
    expect(processes()).toHaveLength(2);
  });

  it("are those of a repository that has replaced another one", async () => {
    const repository = emptyRepository();
    const { objects } = gitAt(repository.path);
    await objects.blobs([blob(repository, "old")], run);
    repository.remove(".git");
    repository.git("init", "--quiet");
    const name = blob(repository, "new");

    expect(String((await objects.blobs([name], run)).get(name))).toBe("new");
  });

  it("are damaged if an entry of a folder is not whole", async () => {
    const repository = emptyRepository();
    const name = blob(repository, "content");
    const { objects } = gitAt(repository.path);
    const good = Buffer.concat([Buffer.from("100644 file\0"), Buffer.from(name, "hex")]);
    const odd = ["1x0644 a", "-100644 a", " a", "100644 "].map((start) =>
      Buffer.concat([Buffer.from(`${start}\0`), Buffer.from(name, "hex")]),
    );
    const cut = ["x".repeat(55), "zz", good.subarray(0, -10), Buffer.concat([good, Buffer.from("100644 zzz")])];
    for (const bad of [...odd, ...cut]) {
      repository.write({ bad });
      const tree = repository.git("hash-object", "-t", "tree", "-w", "--literally", "bad");
      await expect(objects.tree(tree, run)).rejects.toMatchObject({ code: "GIT_FAILED" });
    }
  });

  it("have the modes that Git takes them for, also with other permissions", async () => {
    const repository = emptyRepository();
    const id = Buffer.from(blob(repository, "content"), "hex");
    const modes = ["100664", "100744", "120777", "40755", "160755"];
    repository.write({ odd: Buffer.concat(modes.flatMap((mode, at) => [Buffer.from(`${mode} ${String(at)}\0`), id])) });
    const tree = repository.git("hash-object", "-t", "tree", "-w", "--literally", "odd");
    const { entries } = await gitAt(repository.path).objects.tree(tree, run);

    expect(entries.map(({ mode }) => mode)).toEqual(["100644", "100755", "120000", "040000", "160000"]);
  });

  it("are read after their process has ended", async () => {
    const repository = emptyRepository();
    const name = blob(repository, "content");
    const { path, processes } = recorded();
    const { objects } = gitAt(repository.path).with({ PATH: path });
    await objects.blobs([name], run);
    // 0 would be the whole group of processes.
    const [first = Number.NaN] = processes();
    process.kill(first, "SIGINT");

    expect((await objects.blobs([name], run)).get(name)).toEqual(Buffer.from("content"));
    expect(processes()).toHaveLength(2);
    await ended(processes);
    expect((await objects.blobs([name], run)).get(name)).toEqual(Buffer.from("content"));
    expect(processes()).toHaveLength(3);
  });

  it("are named if they are missing, or if Git fails", async () => {
    const repository = emptyRepository();
    const name = blob(repository, "content");
    const missing = "1".repeat(40);
    const { objects } = gitAt(repository.path);

    await expect(objects.blobs([name, missing, name], run)).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringMatching(new RegExp(`${missing}.*missing`)) as unknown,
    });
    expect((await objects.blobs([name], run)).get(name)).toEqual(Buffer.from("content"));
    await expect(gitAt(emptyFolder().path).objects.blobs([name], run)).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringMatching(/\(128\).*not a git repository/) as unknown,
    });
    await expect(gitAt(join(repository.path, "gone")).objects.blobs([name], run)).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: expect.stringContaining(join(repository.path, "gone")) as unknown,
    });
    await expect(gitAt(repository.path).with({ PATH: "/nowhere" }).objects.blobs([name], run)).rejects.toMatchObject({
      code: "GIT_FAILED",
      message: expect.stringContaining(repository.path) as unknown,
    });
  });

  it("are not waited for after an interruption, which ends their process", async () => {
    const { path, processes } = recorded("exec sleep 60");
    const interruption = new AbortController();
    const asked = gitAt(emptyFolder().path)
      .with({ PATH: path })
      .objects.blobs(["1".repeat(40)], quietRun(interruption.signal));
    await vi.waitUntil(() => processes().length > 0, { timeout: 30_000 });
    interruption.abort(new Error("stop"));

    await expect(asked).rejects.toThrow("stop");
    await ended(processes);
  });

  it("are not asked for after an interruption", async () => {
    const { path, processes } = recorded();
    const { objects } = gitAt(emptyRepository().path).with({ PATH: path });
    const asked = objects.blobs(["1".repeat(40)], quietRun(AbortSignal.abort(new Error("stop"))));

    await expect(asked).rejects.toThrow("stop");
    expect(processes()).toEqual([]);
  });

  it("keep no program alive, and their process ends with it", async () => {
    const repository = emptyRepository();
    const name = blob(repository, "content");
    const { path, processes } = recorded();
    const asked = `${gitHere()} console.log(String((await git.objects.blobs(["${name}"], { signal: new AbortController().signal })).get("${name}"))); setTimeout(() => { throw new Error("kept alive"); }, 900).unref();`;
    const env = { ...process.env, PATH: path };
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", asked], {
      cwd: repository.path,
      env,
    });

    expect(stdout).toBe("content\n");
    expect(processes()).toHaveLength(1);
    await ended(processes);
  });
});
