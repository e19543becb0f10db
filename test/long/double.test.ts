import { Octokit } from "@octokit/rest";
import { createSign, generateKeyPairSync } from "node:crypto";
import { describe, expect, test } from "vitest";
import { doubleTown, type DoubleTown } from "../systems/github/doubleClient.ts";

interface Named {
  readonly sha: string;
}

interface Ref {
  readonly ref: string;
  readonly object: Named;
}

/** Writes a commit over HTTP, as the program does; returns its hash. */
async function commit(
  ask: DoubleTown["ask"],
  parent: string,
  files: Readonly<Record<string, string>>,
): Promise<string> {
  const tree = Object.entries(files).map(([path, content]) => ({ path, content, mode: "100644", type: "blob" }));
  const written = await ask<Named>("POST", "git/trees", { base_tree: parent, tree });
  const message = "promote\n\nbody\n\nPromotes: a 1.0.0\n";
  const author = { name: "Train", email: "train@example.com", date: "2026-03-01T10:00:00+01:00" };
  const body = { message, tree: written.body.sha, parents: [parent], author };
  return (await ask<Named>("POST", "git/commits", body)).body.sha;
}

async function tip(ask: DoubleTown["ask"], branch: string): Promise<string> {
  return (await ask<Ref>("GET", `git/ref/heads/${branch}`)).body.object.sha;
}

describe("git data", () => {
  test("git reads a commit made over HTTP exactly as it was written", async () => {
    const { ask, bare } = await doubleTown();
    const made = await commit(ask, await tip(ask, "main"), { "channels/regular.yaml": "version: 1.0.0\n" });
    expect((await ask("POST", "git/refs", { ref: "refs/heads/promote/a", sha: made })).status).toBe(201);
    expect(bare.git("log", "-1", "--format=%an %aI %cn%n%B", "promote/a")).toBe(
      "Train 2026-03-01T09:00:00+00:00 Train\npromote\n\nbody\n\nPromotes: a 1.0.0",
    );
    expect(bare.git("ls-tree", "-r", "--name-only", "promote/a").split("\n")).toEqual([
      "README.md",
      "channels/fast.yaml",
      "channels/regular.yaml",
    ]);
    const read = await ask<{ readonly message: string; readonly tree: Named }>("GET", `git/commits/${made}`);
    expect(read.body.message).toBe("promote\n\nbody\n\nPromotes: a 1.0.0\n");
    const listed = await ask<{ readonly tree: readonly { readonly path: string }[] }>(
      "GET",
      `git/trees/${read.body.tree.sha}?recursive=1`,
    );
    expect(listed.body.tree.map(({ path }) => path)).toContain("channels/regular.yaml");
  });

  test("a tree accepts blobs, deletions and replaced folders; deleting a missing file is refused", async () => {
    const { ask, bare } = await doubleTown();
    const main = await tip(ask, "main");
    const blob = await ask<Named>("POST", "git/blobs", { content: "aGk=", encoding: "base64" });
    const folder = await ask<Named>("POST", "git/trees", {
      tree: [{ path: "new.yaml", mode: "100644", type: "blob", sha: blob.body.sha }],
    });
    const whole = await ask<Named>("POST", "git/trees", {
      base_tree: main,
      tree: [
        { path: "README.md", mode: "100644", type: "blob", sha: null },
        { path: "channels", mode: "040000", type: "tree", sha: folder.body.sha },
      ],
    });
    expect(bare.git("ls-tree", "-r", "--name-only", whole.body.sha)).toBe("channels/new.yaml");
    expect(bare.git("cat-file", "blob", `${whole.body.sha}:channels/new.yaml`)).toBe("hi");
    const nothing = [{ path: "nowhere", mode: "100644", type: "blob", sha: null }];
    expect((await ask("POST", "git/trees", { base_tree: main, tree: nothing })).status).toBe(422);
  });

  test("a ref is created once, moved forward only, and deleted once", async () => {
    const { ask, push } = await doubleTown();
    const main = await tip(ask, "main");
    const [one, other] = [await commit(ask, main, { a: "1" }), await commit(ask, main, { a: "2" })];
    const refs = { ref: "refs/heads/promote/a", sha: one };
    expect((await ask("POST", "git/refs", refs)).status).toBe(201);
    expect(await ask("POST", "git/refs", refs)).toMatchObject({
      status: 422,
      body: { message: "Reference already exists" },
    });
    const sideways = await ask("PATCH", "git/refs/heads/promote/a", { sha: other, force: false });
    expect(sideways).toMatchObject({ status: 422, body: { message: "Update is not a fast forward" } });
    expect(await tip(ask, "promote/a")).toBe(one);
    const further = await commit(ask, one, { a: "3" });
    expect((await ask("PATCH", "git/refs/heads%2Fpromote%2Fa", { sha: further })).status).toBe(200);
    expect((await ask("PATCH", "git/refs/heads/promote/a", { sha: other, force: true })).status).toBe(200);
    push("promote/b", { b: "1" });
    const found = await ask<readonly Ref[]>("GET", "git/matching-refs/heads/promote/");
    expect(found.body.map(({ ref }) => ref)).toEqual(["refs/heads/promote/a", "refs/heads/promote/b"]);
    expect((await ask("DELETE", "git/refs/heads/promote/a")).status).toBe(204);
    expect((await ask("DELETE", "git/refs/heads/promote/a")).status).toBe(422);
    expect((await ask("GET", "git/ref/heads/promote/a")).status).toBe(404);
    expect((await ask("GET", "git/matching-refs/heads/promote/a")).body).toEqual([]);
  });

  test("if two clients create a ref at the same time, one succeeds", async () => {
    const { ask } = await doubleTown();
    const refs = { ref: "refs/heads/promote/a", sha: await tip(ask, "main") };
    const both = await Promise.all([ask("POST", "git/refs", refs), ask("POST", "git/refs", refs)]);
    expect(both.map(({ status }) => status).sort()).toEqual([201, 422]);
  });

  test("a protected branch cannot be moved, and a protected name cannot be created", async () => {
    const { ask, double } = await doubleTown();
    const main = await tip(ask, "main");
    const made = await commit(ask, main, { a: "1" });
    double.protect("main", { writes: "pulls" });
    double.protect("promote/*", { writes: "none" });
    const moved = await ask("PATCH", "git/refs/heads/main", { sha: made });
    const created = await ask("POST", "git/refs", { ref: "refs/heads/promote/a", sha: made });
    expect([moved.status, created.status]).toEqual([422, 422]);
    expect(created.body).toMatchObject({ message: expect.stringContaining("creations being restricted") as string });
    expect(await tip(ask, "main")).toBe(main);
  });
});

describe("authorization", () => {
  test.each([
    ["no token", {}, 401, "Requires authentication"],
    ["an unknown token", { authorization: "token of-a-stranger" }, 401, "Bad credentials"],
    ["an expired token", { authorization: "Bearer an-old-token" }, 401, "Bad credentials"],
    [
      "a write by a read-only user",
      { authorization: "token a-reader-token" },
      403,
      "Resource not accessible by personal access token",
    ],
  ])("%s is refused", async (_, headers, status, message) => {
    const { double, ask } = await doubleTown({
      tokens: { "an-old-token": { login: "old" }, "a-reader-token": { login: "visitor", isReader: true } },
    });
    double.expire("an-old-token");
    const got = await ask("POST", "git/blobs", { content: "" }, { authorization: "", ...headers });
    expect(got).toMatchObject({ status, body: { message } });
  });

  test("the user is that of the token; the workflow's token has none", async () => {
    const { ask } = await doubleTown();
    expect((await ask("GET", "/user")).body).toMatchObject({ login: "release-train", type: "User" });
    expect((await ask("GET", "/user", undefined, { authorization: "token a-workflow-token" })).status).toBe(403);
  });

  test("an App finds its installation, and only its key gets it a token for an hour", async () => {
    const ours = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const publicKey = ours.publicKey.export({ type: "spki", format: "pem" }).toString();
    const { ask } = await doubleTown({ app: { id: 7, installation: 70, publicKey, slug: "train" } });
    const pass = (key: typeof ours.privateKey, seconds: number): { readonly authorization: string } => {
      const now = Math.floor(Date.now() / 1000);
      const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString("base64url");
      const text = `${encode({ alg: "RS256" })}.${encode({ iss: 7, iat: now - 60, exp: now + seconds })}`;
      return { authorization: `bearer ${text}.${createSign("RSA-SHA256").update(text).sign(key, "base64url")}` };
    };
    const found = await ask("GET", "installation", undefined, pass(ours.privateKey, 60));
    expect(found).toMatchObject({ status: 200, body: { id: 70, app_slug: "train" } });
    const path = "/app/installations/70/access_tokens";
    expect((await ask("POST", path, undefined, pass(other.privateKey, 60))).status).toBe(401);
    expect((await ask("POST", path, undefined, pass(ours.privateKey, -1))).status).toBe(401);
    const given = await ask<{ readonly token: string }>("POST", path, undefined, pass(ours.privateKey, 60));
    const authorization = `token ${given.body.token}`;
    expect((await ask("GET", "", undefined, { authorization })).body).toMatchObject({ full_name: "octo/train" });
  });

  test("every response has the rest of the rate limit, and requests beyond it are refused", async () => {
    const { double, ask } = await doubleTown({ settings: { remaining: 2, resetS: 1_800_000_000 } });
    const left = [await ask("GET", ""), await ask("GET", ""), await ask("GET", "")];
    expect(left.map(({ status }) => status)).toEqual([200, 200, 403]);
    expect(left.map(({ headers }) => headers.get("x-ratelimit-remaining"))).toEqual(["1", "0", "0"]);
    expect(left[2]?.headers.get("x-ratelimit-reset")).toBe("1800000000");
    expect(await ask("GET", "/rate_limit")).toMatchObject({
      status: 200,
      body: { rate: { limit: 5000, remaining: 0 } },
    });
    expect(double.requests.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
      "GET /repos/octo/train 200",
      "GET /repos/octo/train 200",
      "GET /repos/octo/train 403",
      "GET /rate_limit 200",
    ]);
  });

  test.each([
    ["an API version that is none", { "x-github-api-version": "2021-01-01" }, 400],
    ["the API version of these days", { "x-github-api-version": "2022-11-28" }, 200],
    ["a media type that GitHub does not give", { accept: "image/png" }, 415],
    ["GitHub's own media type", { accept: "application/vnd.github.v3+json" }, 200],
  ])("%s gets the same response as from GitHub", async (_, headers, status) => {
    const { ask } = await doubleTown();
    expect((await ask("GET", "", undefined, headers)).status).toBe(status);
  });

  test("another repository is not found", async () => {
    const { ask } = await doubleTown();
    expect((await ask("GET", "/repos/octo/ship")).status).toBe(404);
  });
});

test("GitHub's own client works with it", async () => {
  const { double, push } = await doubleTown();
  for (const name of ["a", "b", "c"]) {
    push(`promote/${name}`, { [name]: "1\n" });
    double.open(`promote/${name}`);
  }
  const quiet = (): undefined => undefined;
  const log = { debug: quiet, info: quiet, warn: quiet, error: quiet };
  const { rest, paginate } = new Octokit({ baseUrl: double.url, auth: "a-token", log });
  const place = { owner: "octo", repo: "train" };
  const pulls = await paginate(rest.pulls.list, { ...place, state: "all", per_page: 2 });
  expect(pulls.map(({ number }) => number)).toEqual([3, 2, 1]);
  const refs = await rest.git.listMatchingRefs({ ...place, ref: "heads/promote/" });
  expect(refs.data).toHaveLength(3);
  const head = await rest.git.getRef({ ...place, ref: "heads/promote/b" });
  const { sha } = head.data.object;
  const merged = await rest.pulls.merge({ ...place, pull_number: 2, sha, merge_method: "squash" });
  expect(merged.data.merged).toBe(true);
  const found = await rest.repos.listPullRequestsAssociatedWithCommit({ ...place, commit_sha: merged.data.sha });
  expect(found.data.map(({ number }) => number)).toEqual([2]);
  await expect(rest.git.getRef({ ...place, ref: "heads/none" })).rejects.toMatchObject({ status: 404 });
});
