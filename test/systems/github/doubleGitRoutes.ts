import { resolve, signatureOf } from "./doubleBodies.ts";
import type { CommitObject, Signature, TreeChange } from "./doubleGit.ts";
import { instant } from "./doubleGit.ts";
import { Refusal, type Answer, type Call, type Routes } from "./doubleRoute.ts";
import type { Fields } from "./doubleSample.ts";
import { protectionOf, type World } from "./doubleWorld.ts";

const AT = "/repos/{owner}/{repo}/git";

/** Git data: refs, blobs, trees, commits. */
export const gitRoutes: Routes = {
  [`GET ${AT}/ref/{ref}`]: readRef,
  [`GET ${AT}/matching-refs/{ref}`]: matchingRefs,
  [`POST ${AT}/refs`]: createRef,
  [`PATCH ${AT}/refs/{ref}`]: updateRef,
  [`DELETE ${AT}/refs/{ref}`]: deleteRef,
  [`GET ${AT}/blobs/{file_sha}`]: readBlob,
  [`POST ${AT}/blobs`]: createBlob,
  [`POST ${AT}/trees`]: createTree,
  [`GET ${AT}/trees/{tree_sha}`]: readTree,
  [`POST ${AT}/commits`]: createCommit,
  [`GET ${AT}/commits/{commit_sha}`]: readCommit,
};

function api(world: World, rest: string): string {
  return `${world.url()}/repos/${world.owner}/${world.name}/git/${rest}`;
}

function refBody(world: World, ref: string, sha: string): Fields {
  const object = { type: world.git.typeOf(sha) ?? "commit", sha, url: api(world, `commits/${sha}`) };
  return { ref, node_id: `REF_${ref}`, url: api(world, ref), object };
}

function readRef(call: Call, world: World): Answer {
  const ref = `refs/${call.path["ref"] ?? ""}`;
  const sha = world.refs().get(ref);
  if (sha === undefined) throw new Refusal(404, "Not Found");
  return { status: 200, body: refBody(world, ref, sha) };
}

function matchingRefs(call: Call, world: World): Answer {
  const prefix = `refs/${call.path["ref"] ?? ""}`;
  const found = [...world.refs()].filter(([ref]) => ref.startsWith(prefix));
  return { status: 200, body: found.map(([ref, sha]) => refBody(world, ref, sha)) };
}

function guard(world: World, ref: string, act: "create" | "update" | "delete"): void {
  const protection = protectionOf(world, ref.replace("refs/heads/", ""));
  if (protection === undefined || (act === "create" && protection.writes === "pulls")) return;
  const rule = {
    create: "Cannot create ref due to creations being restricted.",
    update: "Cannot update this protected ref.",
    delete: "Cannot delete this protected branch.",
  };
  throw new Refusal(422, `Repository rule violations found\n\n${rule[act]}\n\n`);
}

function createRef(call: Call, world: World): Answer {
  const { ref, sha } = call.body as { readonly ref: string; readonly sha: string };
  if (!/^refs\/[^/]+\/./.test(ref) || !world.git.isRefName(ref))
    throw new Refusal(422, `${ref} is not a valid ref name.`);
  if (world.git.typeOf(sha) === undefined) throw new Refusal(422, "Object does not exist");
  if (world.refs().has(ref)) throw new Refusal(422, "Reference already exists");
  guard(world, ref, "create");
  // a directory of refs is in place of this one, or another git push was faster
  if (!world.git.moveRef(ref, sha, undefined)) throw new Refusal(422, "Reference already exists");
  return { status: 201, body: refBody(world, ref, sha) };
}

function updateRef(call: Call, world: World): Answer {
  const ref = `refs/${call.path["ref"] ?? ""}`;
  const { sha, force } = call.body as { readonly sha: string; readonly force?: boolean };
  const from = world.refs().get(ref);
  if (from === undefined) throw new Refusal(422, "Reference does not exist");
  if (world.git.typeOf(sha) === undefined) throw new Refusal(422, "Object does not exist");
  guard(world, ref, "update");
  const isForward = force === true || world.git.isAncestor(from, sha);
  if (!isForward || !world.git.moveRef(ref, sha, from)) throw new Refusal(422, "Update is not a fast forward");
  return { status: 200, body: refBody(world, ref, sha) };
}

function deleteRef(call: Call, world: World): Answer {
  const ref = `refs/${call.path["ref"] ?? ""}`;
  const from = world.refs().get(ref);
  if (from === undefined) throw new Refusal(422, "Reference does not exist");
  guard(world, ref, "delete");
  world.git.moveRef(ref, undefined, from);
  return { status: 204 };
}

function readBlob(call: Call, world: World): Answer {
  const sha = call.path["file_sha"] ?? "";
  if (world.git.typeOf(sha) !== "blob") throw new Refusal(404, "Not Found");
  const bytes = world.git.blob(sha);
  const content = bytes.toString("base64");
  const body = { sha, node_id: `B_${sha}`, size: bytes.length, url: api(world, `blobs/${sha}`), content };
  return { status: 200, body: { ...body, encoding: "base64" } };
}

function createBlob(call: Call, world: World): Answer {
  const { content, encoding = "utf-8" } = call.body as { readonly content: string; readonly encoding?: string };
  const sha = world.git.writeBlob(Buffer.from(content, encoding === "base64" ? "base64" : "utf8"));
  return { status: 201, body: { sha, url: api(world, `blobs/${sha}`) } };
}

interface AskedEntry {
  readonly path?: string;
  readonly mode?: string;
  readonly sha?: string | null;
  readonly content?: string;
}

function createTree(call: Call, world: World): Answer {
  const { tree, base_tree: base } = call.body as { readonly tree: readonly AskedEntry[]; readonly base_tree?: string };
  if (base !== undefined && !["tree", "commit"].includes(world.git.typeOf(base) ?? "")) {
    throw new Refusal(422, "base_tree is not a valid tree oid");
  }
  const changes = tree.map((entry) => changeOf(entry, world));
  const sha = world.git.writeTree(base, changes);
  if (sha === undefined) throw new Refusal(422, "GitRPC::BadObjectState");
  return { status: 201, body: treeBody(world, sha, false) };
}

function changeOf(entry: AskedEntry, world: World): TreeChange {
  const { path = "", mode, content } = entry;
  const isMalformed = path.split("/").some((part) => ["", ".", "..", ".git"].includes(part));
  if (isMalformed) throw new Refusal(422, "tree.path contains a malformed path component");
  if (entry.sha === null) return { path, object: undefined };
  if (mode === undefined) throw new Refusal(422, "Must supply tree.mode");
  return { path, object: { mode, sha: entryContent(world, entry.sha, content) } };
}

function entryContent(world: World, sha: string | undefined, content: string | undefined): string {
  if ((sha === undefined) === (content === undefined)) {
    throw new Refusal(422, "Must supply either tree.sha or tree.content");
  }
  if (sha === undefined) return world.git.writeBlob(Buffer.from(content ?? ""));
  if (world.git.typeOf(sha) === undefined) throw new Refusal(422, `tree.sha ${sha} is not a valid blob`);
  return sha;
}

function treeBody(world: World, sha: string, isRecursive: boolean): Fields {
  const tree = world.git
    .tree(sha, isRecursive)
    .map((entry) => ({ ...entry, url: api(world, `${entry.type}s/${entry.sha}`) }));
  return { sha, url: api(world, `trees/${sha}`), truncated: false, tree };
}

function readTree(call: Call, world: World): Answer {
  const asked = call.path["tree_sha"] ?? "";
  const named = world.git.typeOf(asked) === "tree" ? asked : undefined;
  const commit = named === undefined ? resolve(world, asked) : undefined;
  const sha = named ?? (commit === undefined ? undefined : world.git.commit(commit).tree);
  if (sha === undefined) throw new Refusal(404, "Not Found");
  return { status: 200, body: treeBody(world, sha, call.query.has("recursive")) };
}

interface AskedCommit {
  readonly message: string;
  readonly tree: string;
  readonly parents?: readonly string[];
  readonly author?: Partial<Signature>;
  readonly committer?: Partial<Signature>;
}

function createCommit(call: Call, world: World): Answer {
  const { message, tree, parents = [], author, committer } = call.body as AskedCommit;
  if (world.git.typeOf(tree) !== "tree") throw new Refusal(422, "Tree SHA does not exist");
  if (parents.some((parent) => world.git.typeOf(parent) !== "commit")) {
    throw new Refusal(422, "Parent SHA does not exist or is not a commit object");
  }
  const written = { ...signatureOf(world, call.actor), ...author };
  const signed = { ...written, ...committer };
  const whole = (one: Signature): Signature => ({ ...one, date: instant(Date.parse(one.date)) });
  const sha = world.git.writeCommit({ message, tree, parents, author: whole(written), committer: whole(signed) });
  return { status: 201, body: gitCommitBody(world, world.git.commit(sha)) };
}

function readCommit(call: Call, world: World): Answer {
  const sha = call.path["commit_sha"] ?? "";
  if (world.git.typeOf(sha) !== "commit") throw new Refusal(404, "Not Found");
  return { status: 200, body: gitCommitBody(world, world.git.commit(sha)) };
}

function gitCommitBody(world: World, commit: CommitObject): Fields {
  const { sha, author, committer, message } = commit;
  const page = (name: string): string => `https://github.com/${world.owner}/${world.name}/commit/${name}`;
  const link = (name: string): Fields => ({ sha: name, url: api(world, `commits/${name}`), html_url: page(name) });
  return {
    ...link(sha),
    node_id: `C_${sha}`,
    author,
    committer,
    message,
    tree: { sha: commit.tree, url: api(world, `trees/${commit.tree}`) },
    parents: commit.parents.map(link),
    verification: { verified: false, reason: "unsigned", signature: null, payload: null, verified_at: null },
  };
}
