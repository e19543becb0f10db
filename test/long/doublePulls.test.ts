import { describe, expect, test } from "vitest";
import { doubleTown, type DoubleTown } from "../systems/github/doubleClient.ts";

interface SeenPull {
  readonly number: number;
  readonly state: string;
  readonly mergeable: boolean | null;
  readonly mergeable_state: string;
  readonly merged_at: string | null;
  readonly merge_commit_sha: string | null;
  readonly head: { readonly sha: string };
  readonly user: { readonly login: string };
}

async function openPull(town: DoubleTown, branch = "promote/a", token = "a-token"): Promise<number> {
  const asked = { title: `Promote ${branch}`, head: branch, base: "main", body: "why" };
  const got = await town.ask<SeenPull>("POST", "pulls", asked, { authorization: `token ${token}` });
  expect(got.status).toBe(201);
  return got.body.number;
}

async function look({ ask }: DoubleTown, number: number): Promise<SeenPull> {
  return (await ask<SeenPull>("GET", `pulls/${number}`)).body;
}

describe("opening", () => {
  test("a second pull request of a branch is refused, and so is one without commits", async () => {
    const town = await doubleTown();
    town.push("promote/a", { "a.txt": "1\n" });
    await openPull(town);
    const again = await town.ask("POST", "pulls", { title: "A", head: "octo:promote/a", base: "main" });
    expect(again).toMatchObject({
      status: 422,
      body: { errors: [{ message: "A pull request already exists for octo:promote/a." }] },
    });
    town.clone.git("push", "--quiet", "origin", "main:promote/same");
    const empty = await town.ask("POST", "pulls", { title: "B", head: "promote/same", base: "main" });
    expect(empty.body).toMatchObject({ errors: [{ message: "No commits between main and promote/same" }] });
    const nowhere = await town.ask("POST", "pulls", { title: "C", head: "promote/none", base: "main" });
    expect(nowhere.body).toMatchObject({ errors: [{ field: "head", code: "invalid" }] });
  });

  test("the list is filtered, sorted and paged", async () => {
    const town = await doubleTown();
    for (const [index, name] of ["a", "b", "c"].entries()) {
      town.double.setNow(Date.UTC(2026, 0, 1 + index));
      town.push(`promote/${name}`, { [name]: "1\n" });
      await openPull(town, `promote/${name}`);
    }
    await town.ask("PATCH", "pulls/2", { state: "closed" });
    const numbers = async (query: string): Promise<readonly number[]> =>
      (await town.ask<readonly SeenPull[]>("GET", `pulls?${query}`)).body.map(({ number }) => number);
    expect(await numbers("")).toEqual([3, 1]);
    expect(await numbers("state=all&direction=asc")).toEqual([1, 2, 3]);
    expect(await numbers("state=all&sort=updated&direction=desc")).toEqual([3, 2, 1]);
    expect(await numbers("state=all&head=octo:promote/b")).toEqual([2]);
    expect(await numbers("state=all&head=stranger:promote/b")).toEqual([]);
    const second = await town.ask("GET", "pulls?state=all&per_page=1&page=2");
    expect(second.body).toMatchObject([{ number: 2 }]);
    expect(second.headers.get("link")).toMatch(/page=1>; rel="prev".*page=3>; rel="next".*page=3>; rel="last"/);
    const next = /<([^>]+)>; rel="next"/.exec(second.headers.get("link") ?? "")?.[1] ?? "";
    expect((await town.ask("GET", next.replace(town.double.url, ""))).body).toMatchObject([{ number: 1 }]);
  });

  test("the head follows a git push while the pull request is open; deleting the branch closes it", async () => {
    const town = await doubleTown();
    town.push("promote/a", { "a.txt": "1\n" });
    const number = await openPull(town);
    const pushed = town.push("promote/a", { "a.txt": "2\n" });
    expect(await look(town, number)).toMatchObject({ state: "open", head: { sha: pushed } });
    expect((await town.ask("GET", `pulls/${number}/commits`)).body).toHaveLength(2);
    town.clone.git("push", "--quiet", "origin", ":promote/a");
    expect(await look(town, number)).toMatchObject({ state: "closed", merged_at: null });
  });

  test("reviews are requested from collaborators, but not from the author", async () => {
    const town = await doubleTown({ collaborators: ["rita", "release-train", "owners"] });
    town.push("promote/a", { "a.txt": "1\n" });
    const path = `pulls/${await openPull(town)}/requested_reviewers`;
    const asked = await town.ask("POST", path, { reviewers: ["rita"], team_reviewers: ["owners"] });
    expect(asked).toMatchObject({
      status: 201,
      body: { requested_reviewers: [{ login: "rita" }], requested_teams: [{ slug: "owners" }] },
    });
    expect((await town.ask("POST", path, { reviewers: ["release-train"] })).status).toBe(422);
    expect((await town.ask("POST", path, { reviewers: ["stranger"] })).status).toBe(422);
  });
});

describe("closing and reopening", () => {
  test("one request closes it with a comment; it can be reopened while the branch exists", async () => {
    const town = await doubleTown();
    town.push("promote/a", { "a.txt": "1\n" });
    const number = await openPull(town);
    const closed = await town.ask("PATCH", `pulls/${number}`, { state: "closed", body: "held" });
    expect(closed.body).toMatchObject({ state: "closed", body: "held" });
    const further = town.push("promote/a", { "a.txt": "2\n" });
    expect((await look(town, number)).head.sha).not.toBe(further);
    const opened = await town.ask("PATCH", `pulls/${number}`, { state: "open" });
    expect(opened).toMatchObject({ status: 200, body: { state: "open", closed_at: null, head: { sha: further } } });
  });

  test.each([
    ["is gone", "The promote/a branch has been deleted.", [":promote/a"]],
    ["was made anew", "force-pushed or recreated", ["+other:promote/a"]],
  ])("it cannot be reopened when the branch %s", async (_, sentence, refspecs) => {
    const town = await doubleTown();
    town.push("promote/a", { "a.txt": "1\n" });
    town.push("other", { "b.txt": "1\n" });
    const number = await openPull(town);
    await town.ask("PATCH", `pulls/${number}`, { state: "closed" });
    town.clone.git("push", "--quiet", "origin", ...refspecs);
    const refused = await town.ask("PATCH", `pulls/${number}`, { state: "open" });
    expect(refused.status).toBe(422);
    expect(refused.body).toMatchObject({ errors: [{ message: expect.stringContaining(sentence) as string }] });
  });
});

describe("merging", () => {
  test.each(["squash", "merge", "rebase"] as const)("%s creates real commits on the base branch", async (method) => {
    const town = await doubleTown();
    town.double.setNow(Date.UTC(2026, 0, 2));
    town.push("promote/a", { "a.txt": "1\n" });
    const sha = town.push("promote/a", { "a.txt": "2\n" });
    town.clone.write({ "b.txt": "beside\n" });
    town.clone.commit("beside");
    town.clone.git("push", "--quiet", "origin", "main");
    const number = await openPull(town);
    const titled = method === "rebase" ? {} : { commit_title: "Promote a", commit_message: "Promotes: a 1.0.0" };
    const merged = await town.ask("PUT", `pulls/${number}/merge`, { sha, merge_method: method, ...titled });
    expect(merged).toMatchObject({ status: 200, body: { merged: true, sha: town.bare.git("rev-parse", "main") } });
    expect(town.bare.git("show", "main:a.txt")).toBe("2");
    expect(town.bare.git("show", "main:b.txt")).toBe("beside");
    const subjects = { squash: 3, merge: 3, rebase: 4 };
    expect(town.bare.git("log", "--first-parent", "--format=%s", "main").split("\n")).toHaveLength(subjects[method]);
    const parents = town.bare.git("log", "-1", "--format=%P", "main").split(" ");
    expect(parents).toHaveLength(method === "merge" ? 2 : 1);
    if (method !== "rebase")
      expect(town.bare.git("log", "-1", "--format=%B", "main")).toBe("Promote a\n\nPromotes: a 1.0.0");
    expect(await look(town, number)).toMatchObject({ state: "closed", merged_at: "2026-01-02T00:00:00Z" });
    expect((await town.ask("GET", `pulls/${number}/commits`)).body).toHaveLength(2);
    town.double.setMergedAt(number, Date.UTC(2025, 0, 2));
    const of = await town.ask("GET", `commits/${town.bare.git("rev-parse", "main")}/pulls`);
    expect(of.body).toMatchObject([{ number, merged_at: "2025-01-02T00:00:00Z" }]);
  });

  test("a head other than the expected one is not merged, and neither is a merged pull request", async () => {
    const town = await doubleTown();
    const sha = town.push("promote/a", { "a.txt": "1\n" });
    const number = await openPull(town);
    town.push("promote/a", { "a.txt": "2\n" });
    const path = `pulls/${number}/merge`;
    expect(await town.ask("PUT", path, { sha })).toMatchObject({
      status: 409,
      body: { message: "Head branch was modified. Review and try the merge again." },
    });
    town.double.merge(number);
    expect((await town.ask("PUT", path, {})).status).toBe(405);
    expect((await town.ask("PATCH", `pulls/${number}`, { state: "open" })).status).toBe(422);
  });

  test("a conflict makes it dirty and prevents the merge", async () => {
    const town = await doubleTown();
    town.push("promote/a", { "channels/fast.yaml": "version: 2.0.0\n" });
    const number = await openPull(town);
    expect(await look(town, number)).toMatchObject({ mergeable: true, mergeable_state: "clean" });
    town.clone.write({ "channels/fast.yaml": "version: 3.0.0\n" });
    town.clone.commit("other");
    town.clone.git("push", "--quiet", "origin", "main");
    expect(await look(town, number)).toMatchObject({ mergeable: false, mergeable_state: "dirty" });
    expect((await town.ask("PUT", `pulls/${number}/merge`, {})).status).toBe(405);
  });

  test("the first request may report an unknown mergeability", async () => {
    const town = await doubleTown({ settings: { mergeability: "at the second look" } });
    town.push("promote/a", { "a.txt": "1\n" });
    await openPull(town);
    expect((await look(town, 1)).mergeable_state).toBe("clean");
    town.push("promote/a", { "a.txt": "2\n" });
    expect(await look(town, 1)).toMatchObject({ mergeable: null, mergeable_state: "unknown" });
    expect(await look(town, 1)).toMatchObject({ mergeable: true, mergeable_state: "clean" });
  });

  test("a method that the repository does not allow is refused", async () => {
    const town = await doubleTown({ settings: { mergeMethods: ["squash"] } });
    town.push("promote/a", { "a.txt": "1\n" });
    const number = await openPull(town);
    expect(await town.ask("PUT", `pulls/${number}/merge`, { merge_method: "merge" })).toMatchObject({
      status: 405,
      body: { message: "Merge commits are not allowed on this repository." },
    });
    expect((await town.ask("GET", "")).body).toMatchObject({ allow_squash_merge: true, allow_merge_commit: false });
  });

  test("a pull request whose commits are in the base after a push is merged", async () => {
    const town = await doubleTown();
    const sha = town.push("promote/a", { "a.txt": "1\n" });
    const number = await openPull(town);
    town.clone.git("push", "--quiet", "origin", "promote/a:main");
    expect(await look(town, number)).toMatchObject({ state: "closed", merge_commit_sha: sha });
    expect((await town.ask("GET", `commits/${sha}/pulls`)).body).toMatchObject([{ number }]);
  });
});
