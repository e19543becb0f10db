import { describe, expect, it } from "vitest";
import { mentions } from "../../support/mentions.ts";
import { baseOf, BRANCH, faultOf, forgeTown, proposeNew, readyTown } from "./forgeTown.ts";

describe("a branch that a person changed", () => {
  it("is left alone, with a remedy", async () => {
    const town = await forgeTown();
    const first = await (await town.open()).propose(town.draft(), undefined, town.run);
    town.clone.git("fetch", "--quiet", "origin");
    town.clone.git("branch", BRANCH, `origin/${BRANCH}`);
    const edit = town.push(BRANCH, { "channels/regular/istio.yaml": "version: 1.1.0-mine\n" });
    const [seen] = await town.proposals();
    expect(seen).toMatchObject({ pull: first.pull, tip: edit, digest: undefined, content: { isMarked: false } });

    for (const known of [seen, first]) {
      const forge = await town.open();
      const fault = await faultOf(forge.propose(town.draft({ version: "1.2.0" }), known, town.run));
      expect(fault.code).toBe("FORGE_CONFLICT");
      expect(fault.message).toEqual(mentions(`${BRANCH} of octo/train`, edit.slice(0, 10), "close", "delete"));
    }
    expect(town.double.refs().get(`refs/heads/${BRANCH}`)).toBe(edit);
  });

  it("is not ours if a person amended its commit", async () => {
    const town = await forgeTown();
    await proposeNew(town);
    const message = town.bare.git("log", "-1", "--format=%B", BRANCH);
    const edit = town.bare.git("commit-tree", "main^{tree}", "-p", BRANCH, "-m", message);
    town.bare.git("update-ref", `refs/heads/${BRANCH}`, edit);

    expect(await town.proposals()).toMatchObject([{ tip: edit, content: { isMarked: false } }]);
  });
});

describe("a base that moved", () => {
  it("is reported, and nothing is written", async () => {
    const town = await forgeTown();
    const draft = town.draft();
    town.push("main", { "channels/fast.yaml": "version: 2.0.0\n" });
    const fault = await faultOf((await town.open()).propose(draft, undefined, town.run));

    expect(fault).toMatchObject({ code: "FORGE_CONFLICT", retry: true });
    expect(fault.message).toEqual(
      mentions("main", draft.base.slice(0, 10), baseOf(town.double).slice(0, 10), "git pull"),
    );
    expect(await town.proposals()).toEqual([]);
  });

  it("that does not exist causes a fault that says what to check", async () => {
    const town = await forgeTown();
    const fault = await faultOf((await town.open({ base: "trunk" })).look(["promote/"], town.run));

    expect(fault).toMatchObject({ code: "FORGE_REFUSED" });
    expect(fault.message).toEqual(mentions("branch trunk", "octo/train", "forge.base"));
  });
});

describe("a token", () => {
  it("that expired causes a fault with the needed permissions", async () => {
    const town = await forgeTown();
    town.double.expire("ghp_persons");
    const fault = await faultOf((await town.open()).look(["promote/"], town.run));

    expect(fault).toMatchObject({ code: "FORGE_UNAUTHORIZED" });
    const permissions = "contents: write, pull-requests: write, actions: write";
    expect(fault.message).toEqual(mentions("expired", "GITHUB_TOKEN", "GH_TOKEN", permissions));
    expect(JSON.stringify([fault.message, fault.cause])).not.toContain("ghp_persons");
  });

  it("that may only read causes a fault with the missing permission", async () => {
    const town = await forgeTown();
    const forge = await town.open({ variables: { GITHUB_TOKEN: "ghp_readers" } });
    const fault = await faultOf(forge.propose(town.draft(), undefined, town.run));

    expect(fault).toMatchObject({ code: "FORGE_UNAUTHORIZED" });
    expect(fault.message).toContain("contents: write on octo/train");
  });

  it.each([
    [
      "Resource not accessible by integration",
      { "x-accepted-github-permissions": "contents=write; workflows=write" },
      "contents: write or  workflows: write on octo/train",
    ],
    ["Resource protected by organization SAML enforcement.", {}, "authorized for single sign-on"],
    ["Repository was archived so is read-only.", {}, "Unarchive octo/train"],
  ])("that is refused with %j causes a fault with what GitHub demands", async (message, headers, demand) => {
    const town = await forgeTown();
    town.double.fault({ on: "POST ", trouble: { kind: "refused", status: 403, message, headers } });
    const fault = await faultOf(proposeNew(town));

    expect(fault).toMatchObject({ code: "FORGE_UNAUTHORIZED", retry: false });
    expect(fault.message).toContain(demand);
    expect(fault.message.includes("contents: write")).toBe(demand.startsWith("contents: write"));
  });

  it("that may not read the checks of a pull request causes a fault, and a partial answer is rejected", async () => {
    const { town, draft, proposal } = await readyTown({ checks: "red" });
    const forge = await town.open({ variables: { GITHUB_TOKEN: "github_pat_fine" } });
    const fault = await faultOf(forge.merge(proposal, draft, town.run));

    expect(fault).toMatchObject({ code: "FORGE_UNAUTHORIZED", retry: false });
    expect(fault.message).toEqual(mentions("pull request #1", "checks: read", "fine-grained", "token"));
  });

  it("of a workflow that may not open pull requests causes a fault with the setting, and the branch is reused", async () => {
    const town = await forgeTown({ settings: { mayActionsOpenPulls: false } });
    const variables = { GITHUB_TOKEN: "ghs_workflows" };
    const fault = await faultOf((await town.open({ variables })).propose(town.draft(), undefined, town.run));
    expect(fault).toMatchObject({ code: "FORGE_UNAUTHORIZED" });
    expect(fault.message).toContain("Workflow permissions");
    town.double.settings.mayActionsOpenPulls = true;
    const [left] = await town.proposals();
    await (await town.open({ variables })).propose(town.draft(), left, town.run);

    expect(await town.proposals()).toMatchObject([{ tip: left?.tip, pull: { number: 1 } }]);
  });

  it("that cannot see the repository causes a fault", async () => {
    const town = await forgeTown();
    const fault = await faultOf((await town.open({ repository: "octo/other" })).look(["promote/"], town.run));

    expect(fault).toMatchObject({ code: "FORGE_REFUSED" });
    expect(fault.message).toEqual(mentions("octo/other", "forge.repository", "token"));
  });
});

describe("a refusal of GraphQL, which comes with the status 200,", () => {
  it.each([
    ["of a rate limit is waited for", "RATE_LIMITED", "API rate limit exceeded", "FORGE_BUSY"],
    ["of what is not there is said", "NOT_FOUND", "Could not resolve to a PullRequest", "FORGE_REFUSED"],
    [
      "of a server that is too slow is given up",
      undefined,
      "Something went wrong while executing",
      "FORGE_UNREACHABLE",
    ],
    ["of a document is said", undefined, "Field 'queue' doesn't exist", "FORGE_REFUSED"],
  ] as const)("%s", async (_, type, message, code) => {
    const { town, forge, draft, proposal } = await readyTown({ checks: "green" });
    const body = { data: null, errors: [{ ...(type && { type }), message }] };
    town.double.fault({ on: "POST /graphql", times: 9, trouble: { kind: "answered", body } });
    const fault = await faultOf(forge.merge(proposal, draft, town.run));

    expect(fault).toMatchObject({ code, retry: code === "FORGE_BUSY" || code === "FORGE_UNREACHABLE" });
    expect(fault.message).toEqual(mentions("pull request #1"));
  });
});

describe("a protected branch", () => {
  it("is named, with the remedy", async () => {
    const town = await forgeTown();
    town.double.protect("promote/*", { writes: "none" });
    const fault = await faultOf(proposeNew(town));

    expect(fault).toMatchObject({ code: "FORGE_REFUSED" });
    expect(fault.message).toContain(`protects the branch ${BRANCH} against this token`);
    expect(fault.message).toContain("rulesets");
  });

  it("that was protected after its creation is never moved", async () => {
    const town = await forgeTown();
    const first = await (await town.open()).propose(town.draft(), undefined, town.run);
    town.double.protect(BRANCH, { writes: "none" });
    const forge = await town.open();
    const fault = await faultOf(forge.propose(town.draft({ version: "1.2.0" }), first, town.run));

    expect(fault).toMatchObject({ code: "FORGE_REFUSED" });
    expect(fault.message).toContain(BRANCH);
    expect(await town.proposals()).toEqual([first]);
  });
});
