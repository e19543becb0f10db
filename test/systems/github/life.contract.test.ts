import { describe, expect, it } from "vitest";
import { baseOf, BRANCH, forgeTown } from "./forgeTown.ts";

describe("a proposal", () => {
  it("is opened, left alone, updated in place, closed, opened again and merged", async () => {
    const town = await forgeTown({ settings: { checks: "green" } });
    const { double, bare, run } = town;
    const forge = await town.open();
    const first = await forge.propose(town.draft(), undefined, run);

    expect(first).toMatchObject({ branch: BRANCH, pull: { number: 1, isOpen: true }, digest: "digest-of-1.1.0" });
    expect(bare.git("show", `${BRANCH}:channels/regular/istio.yaml`)).toBe("version: 1.1.0");
    expect(bare.git("log", "-1", "--format=%s|%P", BRANCH)).toBe(`Promote istio 1.1.0 to regular|${baseOf(double)}`);
    expect(bare.git("log", "-1", "--format=%(trailers:key=Promotes,valueonly)", BRANCH)).toBe("istio 1.1.0");
    expect(await town.proposals()).toEqual([first]);

    const before = double.requests.length;
    expect(await forge.propose(town.draft(), first, run)).toEqual(first);
    expect(double.requests.length).toBe(before);

    const second = await forge.propose(town.draft({ version: "1.2.0" }), first, run);
    expect(second).toMatchObject({ pull: { number: 1 }, digest: "digest-of-1.2.0" });
    expect(double.pulls()).toMatchObject([{ title: "Promote istio 1.2.0 to regular", headSha: second.tip }]);
    expect(bare.git("log", "-1", "--format=%P", BRANCH)).toBe(`${first.tip} ${baseOf(double)}`);
    expect(await town.proposals()).toEqual([second]);

    await forge.close(second, "istio 1.2.0 is held: it loses certificates.", run);
    expect(double.pulls()[0]).toMatchObject({ state: "closed" });
    expect(double.pulls()[0]?.body).toMatch(
      /^istio 1\.2\.0 is held: it loses certificates\.\n\nistio 1\.2\.0, as fast/,
    );
    const closed = await town.proposals();
    expect(closed).toEqual([{ ...second, pull: undefined, digest: undefined }]);

    const third = await forge.propose(town.draft({ version: "1.2.1" }), closed[0], run);
    expect(double.pulls()).toMatchObject([{ number: 1, state: "open", title: "Promote istio 1.2.1 to regular" }]);
    expect(double.pulls()[0]?.body).toMatch(/^istio 1\.2\.1, as fast/);

    const merged = await forge.merge(third, town.draft({ version: "1.2.1" }), run);
    expect(merged).toEqual({ kind: "merged", commit: baseOf(double) });
    expect(bare.git("log", "-1", "--format=%B", "main")).toBe(
      "Promote istio 1.2.1 to regular\n\nIt soaked for a week.\n\nPromotes: istio 1.2.1",
    );
    expect(bare.git("diff", "--name-only", "main~", "main")).toBe("channels/regular/istio.yaml");
    expect(await town.proposals()).toEqual([]);
    expect(double.refs().has(`refs/heads/${BRANCH}`)).toBe(false);
  });

  it("that is reopened unchanged needs no new commit", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    const first = await forge.propose(town.draft(), undefined, town.run);
    await forge.close(first, "It is held.", town.run);
    const again = await (await town.open()).propose(town.draft(), (await town.proposals())[0], town.run);

    expect(again).toEqual(first);
    expect(town.double.pulls()).toMatchObject([{ number: 1, state: "open", headSha: first.tip }]);
    expect(town.double.pulls()[0]?.body).not.toContain("It is held.");
  });

  it("is closed also by a run that did not look, and keeps its text", async () => {
    const town = await forgeTown();
    const proposal = await (await town.open()).propose(town.draft(), undefined, town.run);
    await (await town.open()).close(proposal, "It is held.", town.run);

    expect(town.double.pulls()[0]?.body).toMatch(/^It is held\.\n\nistio 1\.1\.0, as fast serves it\.\n\n<!-- kyma/);
  });

  it("writes into the folder of the catalogue", async () => {
    const town = await forgeTown();
    await (await town.open({ prefix: "modules/here/" })).propose(town.draft(), undefined, town.run);

    expect(town.bare.git("diff", "--name-only", "main", BRANCH)).toBe("modules/here/channels/regular/istio.yaml");
  });

  it("requests reviews of people and teams, and never of its own author", async () => {
    const town = await forgeTown();
    const draft = town.draft({ reviewers: ["@octo/istio", "ada", "release-train"] });
    const proposal = await (await town.open()).propose(draft, undefined, town.run);

    expect(town.double.pulls()[0]).toMatchObject({ reviewers: ["ada"], teams: ["istio"] });
    expect(await town.proposals()).toEqual([proposal]);
  });

  it("is opened even if reviews cannot be requested", async () => {
    const town = await forgeTown({ collaborators: [] });
    await (await town.open()).propose(town.draft({ reviewers: ["ada"] }), undefined, town.run);

    expect(town.warnings).toEqual([expect.stringContaining("Reviews may only be requested from collaborators")]);
    expect(await town.proposals()).toMatchObject([{ digest: "digest-of-1.1.0" }]);
  });

  it("whose branch outlived its merge is proposed again on top of the base", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    await forge.propose(town.draft(), undefined, town.run);
    town.double.merge(1);
    const [left] = await town.proposals();
    expect(left).toMatchObject({ branch: BRANCH, pull: undefined, content: { isCurrent: false } });
    const draft = town.draft({ version: "1.2.0" });
    const second = await (await town.open()).propose(draft, left, town.run);

    expect(second.pull).toMatchObject({ number: 2 });
    expect(town.bare.git("diff", `main...${BRANCH}`)).toContain("-version: 1.1.0\n+version: 1.2.0");
  });

  it("for a merged branch that no look showed is created on top of the base", async () => {
    const town = await forgeTown();
    await (await town.open()).propose(town.draft(), undefined, town.run);
    town.double.merge(1);
    town.clone.git("pull", "--quiet", "origin", "main");
    town.push("main", { "channels/regular/istio.yaml": "version: 1.0.0\n" });
    const again = await (await town.open()).propose(town.draft(), undefined, town.run);

    expect(again.pull).toMatchObject({ number: 2, isOpen: true });
    expect(town.bare.git("diff", `main...${BRANCH}`)).toContain("-version: 1.0.0\n+version: 1.1.0");
  });

  it("that a person merged before it could be closed is reported, and keeps its text", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    const proposal = await forge.propose(town.draft(), undefined, town.run);
    const commit = town.double.merge(1);

    expect(await forge.close(proposal, "No.", town.run)).toEqual({ kind: "merged", commit });
    expect(town.double.pulls()[0]?.body).toMatch(/^istio 1\.1\.0, as fast serves it\./);
  });

  it("whose branch a person deleted after closing it gets a new pull request", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    await forge.close(await forge.propose(town.draft(), undefined, town.run), "No.", town.run);
    town.bare.git("branch", "-D", BRANCH);
    const second = await (await town.open()).propose(town.draft(), undefined, town.run);

    expect(second.pull).toMatchObject({ number: 2 });
    expect(town.double.pulls().map(({ state }) => state)).toEqual(["closed", "open"]);
  });
});

describe("a branch without an open pull request", () => {
  it("gets a new one if the old one was closed before the branch was recreated", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    await forge.close(await forge.propose(town.draft(), undefined, town.run), "No.", town.run);
    town.bare.git("branch", "-D", BRANCH);
    town.double.fault({ on: "POST /repos/octo/train/pulls", trouble: { kind: "refused", status: 403 } });
    const draft = town.draft({ version: "1.2.0" });
    await expect(forge.propose(draft, undefined, town.run)).rejects.toMatchObject({ code: "FORGE_UNAUTHORIZED" });
    const [left] = await town.proposals();
    expect(left).toMatchObject({ content: { files: draft.files }, pull: undefined });
    const proposal = await (await town.open()).propose(draft, left, town.run);

    expect(proposal).toMatchObject({ tip: left?.tip, pull: { number: 2 } });
  });

  it("is deleted if it was merged, and kept otherwise, which is checked once", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    await forge.propose(town.draft(), undefined, town.run);
    town.double.merge(1);
    const other = town.draft({ branch: "promote/regular/other", files: new Map([["other", "1"]]) });
    await forge.close(await forge.propose(other, undefined, town.run), "No.", town.run);
    const closeAll = async (): Promise<number> => {
      const closing = await town.open();
      const { proposals } = await closing.look(["promote/"], town.run);
      const before = town.double.requests.length;
      for (const proposal of proposals) await closing.close(proposal, "It is over.", town.run);
      return town.double.requests.length - before;
    };

    // The merged one is looked for, its branch looked at and removed; the other's is looked for.
    expect(await closeAll()).toBe(4);
    expect((await town.proposals()).map(({ branch }) => branch)).toEqual(["promote/regular/other"]);
    expect(await closeAll()).toBe(0);
  });
});

describe("a look", () => {
  it("takes three requests without changes, regardless of the number of proposals", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    for (const module of ["istio", "serverless", "telemetry"]) {
      await forge.propose(town.draft({ branch: `promote/regular/${module}` }), undefined, town.run);
    }
    await forge.propose(town.draft({ branch: "hold/istio-1.1.0" }), undefined, town.run);
    const before = town.double.requests.length;
    const view = await (await town.open()).look(["promote/", "hold/"], town.run);

    expect(town.double.requests.length - before).toBe(3);
    expect(view.base).toBe(baseOf(town.double));
    expect(view.proposals.map(({ branch }) => branch).sort()).toEqual([
      "hold/istio-1.1.0",
      "promote/regular/istio",
      "promote/regular/serverless",
      "promote/regular/telemetry",
    ]);
  });

  it("reads the commit of a branch without a pull request once for all runs", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    await forge.close(await forge.propose(town.draft(), undefined, town.run), "No.", town.run);
    await town.proposals();
    const before = town.double.requests.length;
    expect(await town.proposals()).toMatchObject([{ pull: undefined, content: { files: town.draft().files } }]);

    expect(town.double.requests.length - before).toBe(3);
  });

  it("ignores branches of people and of other names", async () => {
    const town = await forgeTown();
    town.push("promote/regular/telemetry", { "channels/regular/telemetry.yaml": "version: 1.0.0\n" });
    town.push("feature", { "README.md": "Another train\n" });
    town.double.open("feature");

    expect(await town.proposals()).toMatchObject([
      { branch: "promote/regular/telemetry", pull: undefined, content: { isMarked: false } },
    ]);
  });

  it("writes the text of a proposal again if someone overwrote it", async () => {
    const town = await forgeTown();
    const forge = await town.open();
    const first = await forge.propose(town.draft(), undefined, town.run);
    await town.ask("PATCH", "pulls/1", { body: "I know better." }, { authorization: "Bearer ghp_persons" });
    const [seen] = await town.proposals();
    expect(seen).toEqual({ ...first, digest: undefined });
    await (await town.open()).propose(town.draft(), seen, town.run);

    expect(await town.proposals()).toEqual([first]);
    expect(town.double.pulls()[0]?.body).toMatch(/^istio 1\.1\.0/);
  });

  it("reads every page", async () => {
    const town = await forgeTown();
    for (const branch of town.pushMany(101)) town.double.open(branch);
    const forge = await town.open();
    const first = await forge.propose(town.draft(), undefined, town.run);

    expect(await town.proposals()).toEqual([first]);
  });
});
