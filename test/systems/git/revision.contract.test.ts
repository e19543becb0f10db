import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MAX_FILE_BYTES } from "../../../src/document/snapshot.ts";
import { directorySource } from "../../../src/systems/files/files.ts";
import { changesSince } from "../../../src/systems/git/changes.ts";
import { revisionSource } from "../../../src/systems/git/revision.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { type Content, emptyFolder, emptyRepository, gitAt } from "../repository.ts";
import { everything, FOLLOWED, LINKS, SIZES, tableOf } from "../snapshots.ts";

const run = quietRun();

const snapshotOf = (path: string, revision: string): Promise<Readonly<Record<string, string>>> =>
  revisionSource(gitAt(path), revision).snapshot(everything, run).then(tableOf);

/** A link that leads out of the repository: its target is not told. */
const OUTSIDE: unknown = expect.stringMatching(/^-> (?!.*\.yaml).*\boutside\b/);

describe("a revision", () => {
  it("is read by branch, tag, annotated tag, and whole or short commit, without being checked out", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast.yaml": "old\r\n", "channels/fast/ärger 中.yaml": "ümlaut" });
    const commit = repository.commit();
    repository.git("tag", "light");
    repository.git("tag", "--annotate", "--message", "m", "v1.0.0");
    repository.write({ "channels/fast.yaml": "new" });
    repository.commit();
    repository.write({ "channels/fast.yaml": "not committed", "channels/slow.yaml": "not committed" });
    repository.git("add", "channels/slow.yaml");

    for (const revision of ["light", "v1.0.0", commit, commit.slice(0, 8), "HEAD~1", "main~1"]) {
      const snapshot = await revisionSource(gitAt(repository.path), revision).snapshot(everything, run);

      expect(snapshot.revision).toBe(commit);
      expect(tableOf(snapshot)).toEqual({ "channels/fast.yaml": "old\r\n", "channels/fast/ärger 中.yaml": "ümlaut" });
    }
    expect(await snapshotOf(repository.path, "main")).toMatchObject({ "channels/fast.yaml": "new" });
    expect(repository.git("status", "--porcelain")).toContain("channels/fast.yaml");
  });

  it("has the files of its commit, also if another one replaces it in this clone", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast.yaml": "here only" });
    const other = repository.commit();
    repository.write({ "channels/fast.yaml": "everywhere" });
    repository.git("replace", repository.commit(), other);

    expect(await snapshotOf(repository.path, "HEAD")).toEqual({ "channels/fast.yaml": "everywhere" });
  });

  it("is read from a bare repository, and from another working tree of it", async () => {
    const [repository, elsewhere] = [emptyRepository(), emptyFolder()];
    repository.write({ "channels/fast.yaml": "x" });
    repository.commit();
    repository.git("clone", "--quiet", "--bare", repository.path, join(elsewhere.path, "bare"));
    repository.git("worktree", "add", "--quiet", join(elsewhere.path, "tree"));

    for (const name of ["bare", "tree"])
      expect(await snapshotOf(join(elsewhere.path, name), "HEAD")).toEqual({ "channels/fast.yaml": "x" });
  });

  it("has only the requested files", async () => {
    const repository = emptyRepository();
    repository.write({ "channels/fast.yaml": "x", "modules/a/1.0.0/manifest.yaml": "y", "README.md": "z" });
    repository.commit();
    const wanted = (path: string): boolean => path.startsWith("channels/");

    expect(tableOf(await revisionSource(gitAt(repository.path), "HEAD").snapshot(wanted, run))).toEqual({
      "channels/fast.yaml": "x",
    });
  });

  it("may be that of a folder in a larger repository", async () => {
    const repository = emptyRepository();
    repository.write({
      "catalogue/channels/fast/a.yaml": "a",
      "catalogue/channels/fast/b.yaml": { link: "../../../b.yaml" },
      "b.yaml": "b",
    });
    repository.commit();

    expect(await snapshotOf(join(repository.path, "catalogue"), "HEAD")).toEqual({
      "channels/fast/a.yaml": "a",
      "channels/fast/b.yaml": OUTSIDE,
    });
  });

  it("resolves links to any of its files, and describes the targets of the others", async () => {
    const repository = emptyRepository();
    repository.write(LINKS);
    repository.commit();
    const files = await revisionSource(gitAt(repository.path), "HEAD").snapshot(
      (path) => path.startsWith("channels/"),
      run,
    );
    const { "channels/regular/outside.yaml": outside, ...table } = tableOf(files);

    expect(table).toEqual(FOLLOWED);
    expect(outside).toEqual(OUTSIDE);
    expect(
      Object.values(tableOf(await revisionSource(gitAt(repository.path), "HEAD").snapshot(() => false, run))),
    ).not.toContain("istio");
  });

  it("does not follow a link that is an address on this machine", async () => {
    const repository = emptyRepository();
    repository.write({
      "channels/fast/a.yaml": { link: "/channels/fast/b.yaml" },
      "channels/fast/b.yaml": "b",
      "kyma-modules.yaml": "s",
    });
    repository.commit();

    expect(await snapshotOf(repository.path, "HEAD")).toMatchObject({
      "channels/fast/a.yaml": OUTSIDE,
    });
  });

  it("has the size of files that are too large", async () => {
    const repository = emptyRepository();
    repository.write(SIZES);
    repository.commit();
    const { "channels/fast/largest.yaml": largest, ...table } = await snapshotOf(repository.path, "HEAD");

    expect(largest).toHaveLength(MAX_FILE_BYTES);
    expect(table).toEqual({
      "channels/fast/empty.yaml": "",
      "channels/fast/larger.yaml": `<${MAX_FILE_BYTES + 1} bytes>`,
      "channels/fast/link.yaml": `<${MAX_FILE_BYTES + 1} bytes>`,
    });
  });

  it("omits submodules", async () => {
    const [repository, other] = [emptyRepository(), emptyRepository()];
    other.write({ "x.yaml": "x" });
    other.commit();
    repository.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", other.path, "channels/sub");
    repository.write({ "channels/fast.yaml": "x" });
    repository.commit();

    expect(Object.keys(await snapshotOf(repository.path, "HEAD"))).toEqual([".gitmodules", "channels/fast.yaml"]);
  });

  it.each(["nowhere", "0123456", "HEAD:channels", "--help", ""])(
    "is refused if it is unknown (%j)",
    async (revision) => {
      const repository = emptyRepository();
      repository.write({ "channels/fast.yaml": "x" });
      repository.commit();

      await expect(snapshotOf(repository.path, revision)).rejects.toMatchObject({
        code: "REVISION_UNKNOWN",
        message: mentions(repository.path, `revision ${revision}`),
      });
    },
  );

  it("is unknown if it names a tag and a branch at different commits, whatever the user's settings say", async () => {
    const repository = emptyRepository();
    for (const text of ["1", "2"]) {
      repository.write({ "channels/fast.yaml": text });
      repository.commit();
    }
    repository.git("tag", "--annotate", "--message", "hides the branch", "main", "HEAD~1");
    repository.git("config", "core.warnAmbiguousRefs", "false");
    const refused = { code: "REVISION_UNKNOWN", message: mentions("main", "refs/heads/main", "refs/tags/main") };

    for (const revision of ["main", "main~0", "main^{commit}"]) {
      await expect(snapshotOf(repository.path, revision)).rejects.toMatchObject(refused);
      await expect(changesSince(gitAt(repository.path), revision, "commits", run)).rejects.toMatchObject(refused);
    }
    expect(await snapshotOf(repository.path, "refs/heads/main")).toEqual({ "channels/fast.yaml": "2" });
    repository.git("tag", "--force", "--annotate", "--message", "the same commit", "main", "HEAD");
    expect(await snapshotOf(repository.path, "main")).toEqual({ "channels/fast.yaml": "2" });
  });

  it("is unknown in a folder that is not a Git repository", async () => {
    await expect(snapshotOf(emptyFolder().path, "HEAD")).rejects.toMatchObject({ code: "REVISION_UNKNOWN" });
  });

  const content = fc.constantFrom<Content>(
    "a",
    "b",
    { link: "one.yaml" },
    { link: "../fast/two.yaml" },
    { link: "../slow" },
    { link: "../slow/one.yaml" },
    { link: "../../shared/one.yaml" },
    { link: "." },
    { link: "./../fast/./one.yaml" },
    { link: "one.yaml/" },
    { link: "../../../outside" },
  );
  const names = [
    "channels/fast/one.yaml",
    "channels/fast/two.yaml",
    "channels/slow/one.yaml",
    "channels/slow/two.yaml",
    "shared/one.yaml",
  ];

  it("equals its checkout, with any links", async () => {
    const repository = emptyRepository();
    const inOneWord = (text: string): string => (text.startsWith("-> ") ? "leads astray" : text);
    const read = async (source: ReturnType<typeof directorySource>): Promise<object> => {
      const table = tableOf(await source.snapshot((path) => path.startsWith("channels/"), run));
      return Object.fromEntries(Object.entries(table).map(([path, text]) => [path, inOneWord(text)]));
    };
    await fc.assert(
      fc.asyncProperty(fc.array(content, { minLength: names.length, maxLength: names.length }), async (contents) => {
        repository.write(Object.fromEntries(names.map((name, index) => [name, contents[index] ?? ""])));
        repository.commit();

        expect(await read(revisionSource(gitAt(repository.path), "HEAD"))).toEqual(
          await read(directorySource(repository.path)),
        );
      }),
      { numRuns: 20 },
    );
  });
});
