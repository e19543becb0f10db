import { describe, expect, it } from "vitest";
import { BRANCH, forgeTown } from "./forgeTown.ts";

describe("two concurrent runs", () => {
  it("that propose the same open one pull request, and both return it", async () => {
    const town = await forgeTown();
    const draft = town.draft();
    const [one, other] = await Promise.all([
      (await town.open()).propose(draft, undefined, town.run),
      (await town.open()).propose(draft, undefined, town.run),
    ]);

    expect(one).toEqual(other);
    expect(await town.proposals()).toEqual([one]);
    expect(town.double.pulls().length).toBe(1);
  });

  it("that update to the same move the branch once", async () => {
    const town = await forgeTown();
    const known = await (await town.open()).propose(town.draft(), undefined, town.run);
    const draft = town.draft({ version: "1.2.0" });
    const [one, other] = await Promise.all([
      (await town.open()).propose(draft, known, town.run),
      (await town.open()).propose(draft, known, town.run),
    ]);

    expect(one).toEqual(other);
    expect(await town.proposals()).toEqual([one]);
    expect(town.bare.git("rev-list", "--count", "--first-parent", `main..${BRANCH}`)).toBe("2");
  });

  it.each(["open", "update"])("that %s different content end with the content of one of them", async (kind) => {
    const town = await forgeTown();
    const first = kind === "open" ? undefined : await (await town.open()).propose(town.draft(), undefined, town.run);
    const propose = async (version: string): Promise<unknown> =>
      (await town.open()).propose(town.draft({ version }), first, town.run);
    const ends = await Promise.allSettled([propose("1.2.0"), propose("1.3.0")]);

    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(ends.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { code: "FORGE_CONFLICT", retry: true, message: expect.stringContaining(BRANCH) as string },
    });
    const won = ends[0].status === "fulfilled" ? "1.2.0" : "1.3.0";
    expect(await town.proposals()).toMatchObject([{ digest: `digest-of-${won}`, pull: { number: 1 } }]);
    expect(town.double.pulls()).toMatchObject([{ title: `Promote istio ${won} to regular` }]);
  });

  it("that merge the same merge it once", async () => {
    const town = await forgeTown({ settings: { checks: "green" } });
    const draft = town.draft();
    const proposal = await (await town.open()).propose(draft, undefined, town.run);
    const ends = await Promise.all([
      (await town.open()).merge(proposal, draft, town.run),
      (await town.open()).merge(proposal, draft, town.run),
    ]);

    expect(ends[0]).toMatchObject({ kind: "merged" });
    expect(ends[1]).toEqual(ends[0]);
    expect(town.bare.git("rev-list", "--count", "main")).toBe("2");
  });
});

describe("a run with stale reads", () => {
  it("finds the existing branch and pull request", async () => {
    const town = await forgeTown();
    const first = await (await town.open()).propose(town.draft(), undefined, town.run);
    town.double.fault({ on: (request) => request.method === "GET", times: 3, trouble: { kind: "stale", writes: 9 } });
    const forge = await town.open();
    const view = await forge.look(["promote/"], town.run);

    expect(view.proposals).toEqual([]);
    expect(await forge.propose(town.draft(), undefined, town.run)).toEqual(first);
    expect(town.double.pulls().length).toBe(1);
  });

  it("waits until the list has the pull request that exists according to GitHub", async () => {
    const town = await forgeTown();
    const first = await (await town.open()).propose(town.draft(), undefined, town.run);
    town.double.fault({ on: "GET /repos/octo/train/pulls", times: 3, trouble: { kind: "stale", writes: 2 } });
    const forge = await town.open();
    const [seen] = (await forge.look(["promote/"], town.run)).proposals;

    expect(seen).toEqual({ ...first, pull: undefined, digest: undefined });
    expect(await forge.propose(town.draft(), seen, town.run)).toEqual(first);
    expect(town.waitedMs()).toBeGreaterThan(0);
    expect(town.double.pulls().length).toBe(1);
  });
});

const WRITES = [
  "POST /repos/octo/train/git/trees",
  "POST /repos/octo/train/git/commits",
  "POST /repos/octo/train/git/refs",
  "PATCH /repos/octo/train/git/refs/heads/promote",
  "POST /repos/octo/train/pulls",
  "PATCH /repos/octo/train/pulls/1",
  "POST /repos/octo/train/pulls/1/requested_reviewers",
  "PUT /repos/octo/train/pulls/1/merge",
  "DELETE /repos/octo/train/git/refs/heads/promote",
];

describe("when the connection breaks at the first write of every kind", () => {
  it.each([
    ["before it is carried out", { kind: "lost", isBefore: true }],
    ["after it was carried out", { kind: "lost" }],
    ["with an error page", { kind: "refused", status: 502, isAfter: true }],
  ] as const)("%s, everything is done once", async (_, trouble) => {
    const town = await forgeTown({ settings: { checks: "green" } });
    for (const write of WRITES) {
      // Pull requests have addresses that begin as others do.
      const on = ({ method, path }: { readonly method: string; readonly path: string }): boolean =>
        `${method} ${decodeURIComponent(path)}`.replace(/(promote).*/, "$1") === write;
      town.double.fault({ on, trouble });
    }
    const forge = await town.open();
    const first = await forge.propose(town.draft({ reviewers: ["ada"] }), undefined, town.run);
    const draft = town.draft({ version: "1.2.0" });
    const second = await forge.propose(draft, first, town.run);

    expect(second.pull).toMatchObject({ number: 1 });
    expect(await town.proposals()).toEqual([second]);
    expect(await forge.merge(second, draft, town.run)).toMatchObject({ kind: "merged" });
    expect(town.double.pulls()).toMatchObject([{ reviewers: ["ada"], mergedAtMs: expect.any(Number) as number }]);
    expect(town.bare.git("rev-list", "--count", "main")).toBe("2");
    expect(await town.proposals()).toEqual([]);
    expect(town.warnings).toEqual([]);
  });
});
