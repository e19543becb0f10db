import { describe, expect, it } from "vitest";
import type { Proposal } from "../../../src/ports.ts";
import { readMarker, withMarker, withTrailer } from "../../../src/systems/marker.ts";
import { mentions } from "../../support/mentions.ts";
import { baseOf, BRANCH, type ForgeTown, readyTown, type ReadyTown } from "./forgeTown.ts";

const PATH = "channels/regular/istio.yaml";
const EVIL = { "src/evil.ts": "steal();\n", "channels/regular.yaml": "promotion: {}\n" };

/** The tree of `from` with other files, modes and links: `path` to `mode` and content; `undefined` removes. */
function treeOf(
  { clone }: ForgeTown,
  from: string,
  changes: Readonly<Record<string, { readonly mode?: string; readonly text: string } | undefined>>,
): string {
  clone.git("fetch", "--quiet", "origin");
  clone.git("read-tree", from);
  for (const [path, entry] of Object.entries(changes)) {
    if (entry === undefined) clone.git("update-index", "--force-remove", path);
    else {
      clone.write({ "a blob": entry.text });
      const id = entry.mode === "160000" ? clone.git("rev-parse", "HEAD") : clone.git("hash-object", "-w", "a blob");
      clone.git("update-index", "--add", "--cacheinfo", `${entry.mode ?? "100644"},${id},${path}`);
    }
  }
  const tree = clone.git("write-tree");
  clone.git("read-tree", "HEAD");
  return tree;
}

/** Commits `tree` with the message of our commit, trailers included, and pushes it to the branch, also by force. */
function push(town: ForgeTown, tree: string, ...parents: readonly string[]): string {
  const message = town.bare.git("log", "-1", "--format=%B", BRANCH).replace(/^Proposed-Tree: .*$/m, "");
  town.clone.git("fetch", "--quiet", "origin");
  const lineage = parents.flatMap((parent) => ["-p", parent]);
  const tip = town.clone.git("commit-tree", tree, ...lineage, "-m", withTrailer(message, tree));
  town.clone.git("push", "--quiet", "--force", "origin", `${tip}:refs/heads/${BRANCH}`);
  return tip;
}

/** Copies the marker of the text for another head. */
function copyMarker({ double }: ForgeTown, head: string): void {
  const body = String(double.pulls()[0]?.body);
  const marker = readMarker(body);
  if (marker === undefined) throw new Error("there is no marker");
  double.edit(1, withMarker(body.replace(/<!--.*-->/, ""), { ...marker, head }));
}

/** Everything that a run tries with the branch: all of it leaves branch and main alone. Gives why it is not merged. */
async function refused({ town, draft }: ReadyTown): Promise<string> {
  const { double, run } = town;
  const before = new Map(double.refs());
  const [seen] = await town.proposals();
  if (seen === undefined) throw new Error("there is no proposal");
  const strict = { mayReplace: () => false };
  for (const wanted of [draft, town.draft({ version: "1.2.0" })])
    for (const known of [seen, undefined])
      await expect((await town.open()).propose({ ...wanted, ...strict }, known, run)).rejects.toMatchObject({
        code: "FORGE_CONFLICT",
      });
  const honest: Proposal = { ...seen, content: { ...seen.content, files: draft.files, others: [] } };
  const whys = [seen, honest].map(async (known) => {
    const merge = await (await town.open()).merge(known, draft, run);
    return merge.kind === "waiting" ? merge.why : expect.unreachable();
  });
  expect(new Map(double.refs())).toEqual(before);
  return (await Promise.all(whys)).join("; ");
}

describe("a branch to which somebody pushed", () => {
  it("foreign files with our trailers and our marker is neither merged nor overwritten", async () => {
    const ready = await readyTown({ checks: "green" });
    const { town, proposal } = ready;
    const evil = Object.entries(EVIL).map(([path, text]) => [path, { text }] as const);
    const tip = push(town, treeOf(town, proposal.tip, Object.fromEntries(evil)), proposal.tip);
    expect(await refused(ready)).toEqual(mentions("src/evil.ts"));
    copyMarker(town, tip);

    expect(await refused(ready)).toEqual(mentions("decided", "channels/regular.yaml", "src/evil.ts"));
    expect(await town.proposals()).toMatchObject([
      { tip, digest: ready.draft.digest, content: { isMarked: true, others: ["src/evil.ts"] } },
    ]);
  });

  it.each([
    ["another content", { [PATH]: { text: "version: 6.6.6\n" } }],
    ["an executable file", { [PATH]: { mode: "100755", text: "version: 1.1.0\n" } }],
    ["a link", { [PATH]: { mode: "120000", text: "version: 1.1.0\n" } }],
    ["a submodule", { [PATH]: { text: "version: 1.1.0\n" }, sub: { mode: "160000", text: "" } }],
    ["a removed file", { [PATH]: { text: "version: 1.1.0\n" }, "README.md": undefined }],
    ["a renamed file", { [PATH]: undefined, "channels/regular/other.yaml": { text: "version: 1.1.0\n" } }],
    ["a file in place of a folder", { [PATH]: undefined, "channels/regular": { text: "version: 1.1.0\n" } }],
  ])("%s is neither merged nor overwritten", async (_, changes) => {
    const ready = await readyTown({ checks: "green" });
    copyMarker(ready.town, push(ready.town, treeOf(ready.town, ready.proposal.tip, changes), ready.proposal.tip));

    expect(await refused(ready)).toEqual(mentions("merge would"));
  });

  it("between the look and the merge is not merged", async () => {
    const { town, forge, draft, proposal } = await readyTown({ checks: "green" });
    const evil = treeOf(town, proposal.tip, { "src/evil.ts": { text: "steal();\n" } });
    const base = baseOf(town.double);
    town.double.onRequest((_, phase, description) => {
      if (phase === "before" && description.startsWith("PUT ")) push(town, evil, base);
      return undefined;
    });

    expect(await forge.merge(proposal, draft, town.run)).toEqual({ kind: "waiting", why: mentions("Head branch") });
    expect(baseOf(town.double)).toBe(base);
  });

  it("an equal tree is merged, whoever wrote it", async () => {
    const { town, draft, proposal } = await readyTown({ checks: "green" });
    push(town, `${proposal.tip}^{tree}`, baseOf(town.double));
    const forge = await town.open();
    const [seen] = (await forge.look(["promote/"], town.run)).proposals;
    const known = seen && (await forge.propose(draft, seen, town.run));

    expect(known && (await forge.merge(known, draft, town.run))).toMatchObject({ kind: "merged" });
    expect(town.bare.git("diff", "--name-only", "main~", "main")).toBe(PATH);
  });

  it("a merge of the base, as Update branch makes it, is merged", async () => {
    const { town, draft, proposal } = await readyTown({ checks: "green" });
    const base = town.push("main", { "README.md": "Another train\n" });
    push(town, treeOf(town, base, { [PATH]: { text: "version: 1.1.0\n" } }), proposal.tip, base);
    const forge = await town.open();
    const [seen] = (await forge.look(["promote/"], town.run)).proposals;
    const known = seen && (await forge.propose({ ...draft, base }, seen, town.run));

    expect(known && (await forge.merge(known, { ...draft, base }, town.run))).toMatchObject({ kind: "merged" });
    expect(town.bare.git("diff", "--name-only", base, "main")).toBe(PATH);
  });

  it("a history by which the merge would undo what main has is not merged", async () => {
    const { town, draft, proposal } = await readyTown({ checks: "green" });
    const { clone } = town;
    const side = town.push("side", { "channels/regular.yaml": "soak: 30d\n" });
    const main = town.push("main", { "README.md": "Another train\n" });
    clone.git("merge", "--quiet", "--no-ff", "--no-edit", "side");
    clone.git("push", "--quiet", "origin", "main");
    const base = baseOf(town.double);
    // The tree is that of one fork and the draft; the other fork has the policy, which the merge would take away.
    push(town, treeOf(town, main, { [PATH]: { text: "version: 1.1.0\n" } }), proposal.tip, main, side);
    const forge = await town.open();
    const [seen] = (await forge.look(["promote/"], town.run)).proposals;
    const honest = seen && { ...seen, content: proposal.content };
    const merge = honest && (await forge.merge(honest, { ...draft, base }, town.run));

    expect(merge).toEqual({ kind: "waiting", why: mentions("channels/regular.yaml") });
    expect(baseOf(town.double)).toBe(base);
  });

  it("and took back is not rebased onto main commit by commit", async () => {
    const { town, draft, proposal } = await readyTown({ checks: "green", mergeMethods: ["rebase"] });
    const evil = push(town, treeOf(town, proposal.tip, { "src/evil.ts": { text: "steal();\n" } }), proposal.tip);
    push(town, `${proposal.tip}^{tree}`, evil);
    const forge = await town.open();
    const [seen] = (await forge.look(["promote/"], town.run)).proposals;
    const attempt = async (): Promise<unknown> => seen && forge.merge(seen, draft, town.run);

    expect(await attempt()).toEqual({ kind: "waiting", why: mentions("rebase", "squash merges") });
    town.double.settings.mergeMethods = ["squash"];
    expect(await attempt()).toMatchObject({ kind: "merged" });
    expect(town.bare.git("log", "--format=%H", "main", "--", "src/evil.ts")).toBe("");
  });
});

describe("a pull request", () => {
  it("that somebody opened from a foreign branch of our name is neither taken nor overwritten", async () => {
    const ready = await readyTown({ checks: "green" });
    const { town } = ready;
    town.double.shut(1);
    town.bare.git("branch", "-D", BRANCH);
    const tip = town.push(BRANCH, EVIL);
    town.double.open(BRANCH, "Promote istio 1.1.0 to regular");
    const [seen] = await town.proposals();
    const draft = { ...ready.draft, isAsked: true };
    const attempt = (await town.open()).propose(draft, seen, town.run);

    await expect(attempt).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: mentions("src/evil.ts", tip.slice(0, 10), "test@example.com"),
    });
    expect(town.double.refs().get(`refs/heads/${BRANCH}`)).toBe(tip);
  });

  it("that somebody opened from our branch gets our text", async () => {
    const { town, draft } = await readyTown({ checks: "green" });
    town.double.edit(1, "Do not look.");
    const forge = await town.open();
    const [seen] = (await forge.look(["promote/"], town.run)).proposals;
    const known = await forge.propose(draft, seen, town.run);

    expect(town.double.pulls()[0]?.body).toMatch(/^istio 1\.1\.0/);
    expect(await forge.merge(known, draft, town.run)).toMatchObject({ kind: "merged" });
  });

  it("whose base branch somebody changed is not merged", async () => {
    const { town, forge, draft, proposal } = await readyTown({ checks: "green" });
    town.push("elsewhere", { "README.md": "Another train\n" });
    await town.ask("PATCH", "pulls/1", { base: "elsewhere" }, { authorization: "Bearer ghp_persons" });

    expect(await forge.merge(proposal, draft, town.run)).toEqual({
      kind: "waiting",
      why: mentions("elsewhere", "main"),
    });
  });

  it("of a foreign branch gets a warning once, which goes when the branch is right again", async () => {
    const { town, draft, proposal } = await readyTown();
    const warn = async (): Promise<number> => {
      const forge = await town.open();
      const [seen] = (await forge.look(["promote/"], town.run)).proposals;
      const before = town.double.requests.length;
      if (seen !== undefined) await forge.warn?.(seen, "Eve changed it.", town.run);
      return town.double.requests.length - before;
    };
    push(town, treeOf(town, proposal.tip, { "src/evil.ts": { text: "steal();\n" } }), proposal.tip);

    expect([await warn(), await warn()]).toEqual([1, 0]);
    expect(town.double.pulls()[0]?.body).toMatch(/^<!-- .* -->\n> \[!CAUTION\]\n> Eve changed it\.\n/);
    town.bare.git("update-ref", `refs/heads/${BRANCH}`, proposal.tip);
    const [seen] = await town.proposals();
    await (await town.open()).propose(draft, seen, town.run);
    expect(town.double.pulls()[0]?.body).toMatch(/^istio 1\.1\.0/);
  });
});
