import { describe, expect, it } from "vitest";
import { Fault, type FaultCode, type Forge, type Proposal } from "../../src/ports.ts";
import type { ModuleName } from "../../src/catalogue/names.ts";
import type { Finding } from "../../src/document/finding.ts";
import { actOn, carryOut, moveWith, orFailure, type Act, type ActOutcome } from "../../src/promote/apply.ts";
import type { KnownProposals } from "../../src/promote/foreign.ts";
import type { Verdict } from "../../src/promote/verdict/verdict.ts";
import { quietRun } from "../support/quietRun.ts";
import { mentions } from "../support/mentions.ts";
import { contentOf, DRAFT, forgeWith, MERGES, proposal, verdictOn, viewOf } from "./promotions.ts";
import { instant, SOAK } from "./verdict/timeline.ts";

const FINDING: Finding = { rule: "r", severity: "error", file: "f", line: 1, column: 1, message: "No.", remedy: "Go." };
const OURS = proposal(contentOf("1.2.0"));
const FOREIGN = proposal({ ...contentOf("1.2.0"), others: ["src/evil.ts"], author: "Eve <eve@example.com>" });
const HOTFIX = proposal(contentOf("1.1.1", true));
const FREEZE = { promotion: { soak: SOAK, freezes: [{ from: instant(15), until: instant(30), reason: "year-end" }] } };

const promoteNow = verdictOn(20);
const waits = verdictOn(12);
const isHeld = verdictOn(20, [...MERGES, { at: 19, hold: { version: "1.2.0" } }]);
const isServed = verdictOn(20, [...MERGES, { at: 19, regular: "1.2.0" }]);
const isFrozen = verdictOn(20, MERGES, FREEZE);

/** A forge with these proposals, of which those without other changes are ours. */
function knownOf(...proposals: readonly Proposal[]): KnownProposals {
  return { view: viewOf(...proposals), isOwn: ({ content }) => content.others.length === 0 };
}

/** The act with these proposals: its kind, and why. */
function acts(verdict: Verdict, ...known: readonly Proposal[]): string {
  const act = actOn(verdict, verdict.kind === "promote" ? DRAFT : undefined, true, knownOf(...known));
  return "why" in act && act.why !== undefined ? `${act.kind}: ${act.why}` : act.kind;
}

describe("the action for a verdict", () => {
  it("is a proposal if none exists, if one is open, and if one was closed", () => {
    const about = { kind: "propose", draft: DRAFT, merge: true };
    const closed = proposal(OURS.content, false);

    expect(actOn(promoteNow, DRAFT, true, knownOf())).toEqual({ ...about, known: undefined });
    expect(actOn(promoteNow, DRAFT, true, knownOf(OURS))).toEqual({ ...about, known: OURS });
    expect(actOn(promoteNow, DRAFT, true, knownOf(closed))).toEqual({ ...about, known: closed });
  });

  it("does not merge if the policy demands a review", () => {
    expect(actOn(promoteNow, DRAFT, false, knownOf())).toMatchObject({ kind: "propose", merge: false });
  });

  it("ignores proposals for other modules and channels", () => {
    expect(acts(isHeld, { ...OURS, branch: "promote/slow/istio" })).toBe("tidy");
  });

  it("uses the branch as the proposal without a forge", () => {
    const { view, isOwn } = knownOf({ ...OURS, pull: undefined });
    const kindOf = (hasPulls: boolean): string =>
      actOn(isHeld, undefined, true, { view: { ...view, hasPulls }, isOwn }).kind;

    expect([false, true].map(kindOf)).toEqual(["close", "tidy"]);
  });

  it("leaves a branch alone that holds something else, and tells whose commit it is, and how to give it back", () => {
    const left = mentions("foreign", "committed", "src/evil.ts", "aaaaaaaaaa", "Eve", "not merge");
    const remedy = mentions("close", "git push origin --delete promote/regular/istio");

    for (const verdict of [promoteNow, waits, isServed, isFrozen]) {
      expect(acts(verdict, FOREIGN)).toEqual(left);
      expect(acts(verdict, FOREIGN)).toEqual(remedy);
    }
    const closed = proposal(FOREIGN.content, false);
    expect(acts(promoteNow, closed)).toEqual(mentions("leave-unmerged", "src/evil.ts", "delete"));
    expect(acts(isHeld, closed)).toBe("tidy");
    const hidden = proposal({ ...contentOf("1.1.1", true), others: ["src/evil.ts"] });
    expect(acts(promoteNow, hidden)).toEqual(mentions("foreign", "src/evil.ts"));
  });

  it("names the command of Git that removes a foreign branch of a clone", () => {
    const { view, isOwn } = knownOf({ ...FOREIGN, pull: undefined });

    expect(actOn(promoteNow, DRAFT, true, { view: { ...view, hasPulls: false }, isOwn })).toMatchObject({
      kind: "foreign",
      why: mentions("git branch -D promote/regular/istio"),
    });
  });

  it("takes a branch with exactly the decided files, whoever wrote them", () => {
    const { view } = knownOf({ ...OURS, content: { ...OURS.content, isMarked: false } });
    const draft = { ...DRAFT, files: OURS.content.files };

    expect(actOn(promoteNow, draft, true, { view, isOwn: () => false }).kind).toBe("propose");
    const more = { ...OURS, content: { ...OURS.content, others: ["README.md"] } };
    expect(actOn(promoteNow, draft, true, { view: viewOf(more), isOwn: () => false }).kind).toBe("foreign");
    expect(actOn(promoteNow, DRAFT, true, { view, isOwn: () => false }).kind).toBe("foreign");
  });

  it("closes a held version even if a person committed to its branch, and keeps the branch", () => {
    expect(acts(isHeld, FOREIGN)).toEqual(mentions("close", "1.2.0", "octocat holds"));
    const lower = { ...isHeld, kind: "promote" } as const;
    expect(acts(lower, FOREIGN)).toMatch(/^close: /);
  });

  it("leaves a hot-fix to the people who asked for it, and lets another hot-fix replace it", () => {
    for (const verdict of [promoteNow, isHeld]) expect(acts(verdict, HOTFIX)).toEqual(mentions("leave", "hot-fix"));
    expect(acts(isServed, HOTFIX)).toEqual(mentions("close", "istio 1.1.1", "regular", "1.2.0"));
    const { chosen } = promoteNow;
    const hotfix = { ...promoteNow, chosen: chosen && { ...chosen, isHotfix: true } };
    expect(acts(hotfix, HOTFIX)).toBe("propose");
    const refused = { ...hotfix, kind: "blocked" } as const;
    expect([HOTFIX, OURS].map((known) => acts(refused, known))).toEqual(["leave", "leave"]);
    expect(acts(refused, proposal(contentOf("1.2.0", true)))).toMatch(/^close: /);
    expect(acts(promoteNow, proposal(HOTFIX.content, false))).toBe("propose");
  });

  it("closes a proposal that is no longer right, and tells why", () => {
    expect(acts(waits, OURS)).toEqual(mentions("close", "1.2.0", "fast", "line 1.2", "2d of 7d"));
    expect(acts(isHeld, OURS)).toEqual(mentions("close", "octocat holds 1.2.0", "it leaks"));
    expect(acts(isServed, OURS)).toEqual(mentions("close", "regular", "istio 1.2.0"));
    const former = acts(isHeld, proposal(contentOf("1.1.5")));
    expect(former).toEqual(mentions("close", "istio 1.1.5", "regular", "1.1.0"));
  });

  it("keeps an open proposal until the calendar opens, but only if the version is the same", () => {
    expect(acts(isFrozen, OURS)).toEqual(mentions("pause", "calendar"));
    expect(acts(isFrozen, proposal(contentOf("1.1.5")))).toMatch(/^close: /);
    expect(acts(verdictOn(16, MERGES, FREEZE), OURS)).toMatch(/^close: /);
  });
});

describe("a module that moves together with another one", () => {
  const KEDA: Proposal = { ...OURS, branch: "promote/regular/keda" };
  const why = mentions("keda");
  const moves = (...known: readonly Proposal[]): Act => moveWith("keda" as ModuleName, promoteNow, knownOf(...known));

  it("uses the proposal of that one", () => {
    expect(moves(KEDA)).toEqual({ kind: "leave", proposal: KEDA, why });
    expect(moves()).toEqual({ kind: "leave", proposal: undefined, why });
    expect(moves(KEDA, proposal(OURS.content, false))).toEqual({ kind: "leave", proposal: KEDA, why });
  });

  it("has no proposal of its own, except a hot-fix or a branch that a person committed to", () => {
    expect(moves(KEDA, OURS)).toEqual({
      kind: "close",
      proposal: OURS,
      why: mentions("istio", "keda"),
    });
    const hotfix = proposal(contentOf("1.1.2", true));
    expect(moves(KEDA, hotfix)).toMatchObject({ kind: "leave", proposal: hotfix });
    expect(moves(KEDA, FOREIGN)).toMatchObject({
      kind: "foreign",
      proposal: FOREIGN,
      why: mentions("committed", "not merge", "keda"),
    });
  });
});

describe("carrying an act out", () => {
  const CLOSED = proposal(OURS.content, false);
  const propose: Act = { kind: "propose", draft: DRAFT, known: OURS, merge: false };
  const carry = (act: Act, forge: Forge): Promise<ActOutcome> =>
    carryOut(act, { forge, view: viewOf(), gate: () => Promise.resolve([]) }, quietRun());
  const failing = (code: FaultCode): Promise<unknown> =>
    orFailure(() => carry(propose, forgeWith({ propose: () => Promise.reject(new Fault(code, "no")) })));

  it("tells whether a proposal was opened, updated or left unchanged, and what it waits for", async () => {
    const forge = forgeWith({
      propose: ({ digest }) => Promise.resolve({ ...OURS, digest }),
      merge: () => Promise.resolve({ kind: "waiting", why: "checks" }),
    });
    const kinds = [
      await carry({ ...propose, known: CLOSED }, forge),
      await carry({ ...propose, known: CLOSED, merge: true }, forge),
      await carry(propose, forge),
      await carry({ ...propose, draft: { ...DRAFT, digest: "digest" } }, forge),
      await carry({ ...propose, merge: true }, forge),
    ];

    expect(kinds.map((one) => `${one.kind}: ${"waitsFor" in one ? String(one.waitsFor) : ""}`)).toEqual([
      "opened: a review",
      "opened: its checks",
      "updated: a review",
      "unchanged: a review",
      "updated: checks",
    ]);
  });

  it("asks the gate again about an unchanged proposal, whose checks may have judged another base", async () => {
    const same: Act = { ...propose, draft: { ...DRAFT, digest: "digest" } };
    const [forge, gate] = [forgeWith({ propose: () => Promise.resolve(OURS) }), () => Promise.resolve([FINDING])];
    const outcome = (hasPulls: boolean, act = same): Promise<ActOutcome> =>
      carryOut(act, { forge, view: { ...viewOf(), hasPulls }, gate }, quietRun());

    for (const hasPulls of [true, false])
      expect(await outcome(hasPulls)).toEqual({ kind: "refused", proposal: OURS, findings: [FINDING] });
    for (const known of [undefined, CLOSED])
      expect(await outcome(false, { ...same, known })).toMatchObject({ kind: "refused", proposal: undefined });
  });

  it("leaves a proposal that a person closed, and reports one that was merged before it could be closed", async () => {
    const declining = forgeWith({ propose: () => Promise.resolve(CLOSED) });
    const late = forgeWith({ close: () => Promise.resolve({ kind: "merged", commit: "c".repeat(40) }) });

    expect(await carry(propose, declining)).toMatchObject({
      kind: "left",
      proposal: CLOSED,
      why: mentions("closed", "reopen"),
    });
    expect(await carry({ kind: "close", proposal: OURS, why: "No." }, late)).toMatchObject({
      kind: "left",
      why: mentions("merged", "cccccccccc"),
    });
  });

  it("warns on the pull request of a foreign branch, if there are pull requests", async () => {
    const warned: string[] = [];
    const warn: Forge["warn"] = (_, why) => {
      warned.push(why);
      return Promise.resolve();
    };
    const act: Act = { kind: "foreign", proposal: FOREIGN, why: "Eve <eve@example.com> changed it" };

    for (const forge of [forgeWith({ warn }), forgeWith({})])
      expect(await carry(act, forge)).toEqual({ kind: "left", proposal: FOREIGN, why: act.why });
    expect(warned).toEqual(["Eve \\<eve@example.com\\> changed it"]);
  });

  it("escapes what people wrote when it closes a proposal", async () => {
    const said: string[] = [];
    const close: Forge["close"] = (_, why) => {
      said.push(why);
      return Promise.resolve({ kind: "closed" });
    };
    const act: Act = { kind: "close", proposal: OURS, why: "octocat holds it: @org/team, fixes #12 <b>" };

    expect(await carry(act, forgeWith({ close }))).toMatchObject({ kind: "closed", why: act.why });
    expect(said).toEqual(["octocat holds it: @\u200borg/team, fixes #\u200b12 \\<b\\>"]);
  });

  it("continues after a failure of one, and stops at a failure that affects all", async () => {
    expect(await failing("FORGE_CONFLICT")).toMatchObject({ kind: "failed" });
    expect(await failing("FORGE_REFUSED")).toMatchObject({ kind: "failed" });
    await expect(failing("FORGE_UNAUTHORIZED")).rejects.toThrow("no");
    await expect(failing("FORGE_UNREACHABLE")).rejects.toThrow("no");
    const bug = forgeWith({ propose: () => Promise.reject(new TypeError("a bug")) });
    await expect(carry(propose, bug)).rejects.toThrow("a bug");
  });
});
