import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { MergedPull } from "../../../src/ports.ts";
import { baseOf, forgeTown, type ForgeTown } from "./forgeTown.ts";

const HOUR_MS = 3_600_000;

/** Merges so many pull requests; gives their commits, oldest first. */
function mergeSome(town: ForgeTown, names: readonly string[]): readonly string[] {
  return names.map((name) => {
    town.clone.git("pull", "--quiet", "origin", "main");
    town.push(name, { [name]: "1" });
    return town.double.merge(town.double.open(name).number);
  });
}

/** What a new run says, and how many requests that took. */
async function ask(
  town: ForgeTown,
  commits: readonly string[],
): Promise<{ readonly times: Readonly<Record<string, MergedPull>>; readonly requests: number }> {
  const before = town.double.requests.length;
  const times = await (await town.open()).mergeTimes(commits, town.run);
  return { times: Object.fromEntries(times), requests: town.double.requests.length - before };
}

describe("merge times", () => {
  it("come from the forge, and are requested once", async () => {
    const town = await forgeTown();
    const [one = "", other = ""] = mergeSome(town, ["one", "other"]);
    town.double.setMergedAt(1, 1_700_000_000_000);
    const first = await ask(town, [one, other]);

    expect(first.times[one]).toEqual({ atMs: 1_700_000_000_000, number: 1 });
    expect(first.times[other]?.number).toBe(2);
    expect(first.requests).toBe(1);
    expect(await ask(town, [other, one])).toEqual({ times: first.times, requests: 0 });
    expect(await ask(town, [])).toEqual({ times: {}, requests: 0 });
  });

  it("of new commits take one request, however many there were before", async () => {
    const town = await forgeTown();
    const old = mergeSome(town, ["one", "other"]);
    await ask(town, old);
    const [third = ""] = mergeSome(town, ["third"]);
    const { times, requests } = await ask(town, [...old, third]);

    expect(times[third]?.number).toBe(3);
    expect(requests).toBe(1);
  });

  it("of a commit without a pull request are looked up for an hour, and then never again", async () => {
    const town = await forgeTown();
    mergeSome(town, ["one"]);
    town.clone.git("pull", "--quiet", "origin", "main");
    const direct = town.push("main", { direct: "1" });
    const startMs = Date.now();
    town.double.setNow(startMs);

    expect(await ask(town, [direct])).toEqual({ times: {}, requests: 2 });
    expect(await ask(town, [direct])).toEqual({ times: {}, requests: 2 });
    town.double.setNow(startMs + HOUR_MS + 1);
    expect(await ask(town, [direct])).toEqual({ times: {}, requests: 2 });
    expect(await ask(town, [direct])).toEqual({ times: {}, requests: 0 });
  });

  it("are missing for a commit that GitHub does not have yet", async () => {
    const town = await forgeTown();
    mergeSome(town, ["one"]);
    town.clone.write({ local: "1" });

    expect((await ask(town, [town.clone.commit("local")])).times).toEqual({});
  });

  it("include the first commits of a rebase merge", async () => {
    const town = await forgeTown();
    town.push("two", { a: "1" });
    town.push("two", { b: "2" });
    town.double.open("two");
    town.double.merge(1, "rebase");
    const commits = town.bare.git("rev-list", "main~2..main").split("\n");
    const { times } = await ask(town, commits);

    expect(Object.values(times).map(({ number }) => number)).toEqual([1, 1]);
  });

  it("exclude pull requests that were closed or have another base", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    const proposal = await forge.propose(town.draft(), undefined, town.run);
    await forge.close(proposal, "No.", town.run);

    expect((await ask(town, [proposal.tip, baseOf(town.double)])).times).toEqual({});
  });

  it("are read only up to the start of an earlier run", async () => {
    const town = await forgeTown();
    const beginMs = Date.now();
    town.double.setNow(beginMs);
    mergeSome(town, ["old"]);
    // Two pages of what was closed: a run that finds all of them begins where this one ended.
    for (const [index, branch] of town.pushMany(101).entries()) {
      town.double.shut(town.double.open(branch).number);
      town.double.setNow(beginMs + index * HOUR_MS);
    }
    town.clone.git("pull", "--quiet", "origin", "main");
    const direct = town.push("main", { direct: "1" });

    expect((await ask(town, [direct])).requests).toBe(3);
    expect((await ask(town, [direct])).requests).toBe(2);
  });

  it("tolerate a broken cache, and one that cannot be written", async () => {
    const town = await forgeTown();
    const commits = mergeSome(town, ["one"]);
    const { times } = await ask(town, commits);
    const [file = ""] = readdirSync(town.cacheFolder);
    for (const broken of ["{", "[]", '{"format":1,"merges":{"a":[1],"b":"c"},"readUntilMs":"x"}', '{"format":2}']) {
      writeFileSync(join(town.cacheFolder, file), broken);
      expect(await ask(town, commits)).toEqual({ times, requests: 1 });
      expect(await ask(town, commits)).toEqual({ times, requests: 0 });
    }
    const forge = await town.open({ cacheFolder: join(town.cacheFolder, file, "below-a-file") });
    expect(Object.fromEntries(await forge.mergeTimes(commits, town.run))).toEqual(times);
    expect(town.warnings).toEqual([expect.stringContaining("cannot be remembered")]);
  });

  it("of concurrent runs are all cached in one complete file", async () => {
    const town = await forgeTown();
    const commits = mergeSome(town, ["one", "other", "third"]);
    await Promise.all(commits.map(async (commit) => (await town.open()).mergeTimes([commit], town.run)));
    const files = readdirSync(town.cacheFolder);

    expect(files).toEqual([expect.stringMatching(/^127\.0\.0\.1.*octo.*train.*\.json$/)]);
    expect(() => {
      JSON.parse(readFileSync(join(town.cacheFolder, files[0] ?? ""), "utf8"));
    }).not.toThrow();
    expect((await ask(town, commits)).requests).toBe(0);
  });
});
