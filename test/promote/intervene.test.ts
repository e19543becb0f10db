import { describe, expect, it } from "vitest";
import {
  decideIntervention,
  intervene,
  interventionBranch,
  type InterventionRequest,
} from "../../src/promote/intervene.ts";
import type { Proposal, ProposalDraft } from "../../src/ports.ts";
import { quietRun } from "../support/quietRun.ts";
import { forgeWith, proposal, viewOf } from "./promotions.ts";
import { changeOf, channel, knownOf, requestOf, siteOf } from "./verdict/interventions.ts";
import { day, historyOf, ISTIO } from "./verdict/timeline.ts";
import { POLICY } from "../catalogue/repository.ts";
import { decideHold } from "../../src/promote/intervention/hold.ts";
import { mentions } from "../support/mentions.ts";

const REQUEST = {
  ...requestOf("1.2.0", undefined, "leaks: @org/team, fixes #12 <b>"),
  kind: "hold",
  until: undefined,
} as const;
const KNOWN = knownOf(siteOf());
const CHANGE = changeOf(decideHold(REQUEST, KNOWN));
/** The base of `viewOf`. */
const BASE = { revision: viewOf().base, catalogue: KNOWN.catalogue };
const LEFT: Proposal = proposal("promotion:1.2.0:sha256:1");

/** The proposed and closed pull requests for `request`, with these open promotions. */
async function carriedOut(
  request: InterventionRequest,
  ...standing: readonly Proposal[]
): Promise<{
  readonly draft: ProposalDraft | undefined;
  readonly closed: readonly string[];
  readonly said: readonly string[];
}> {
  const said: string[] = [];
  let draft: ProposalDraft | undefined;
  const forge = forgeWith({
    propose: (asked) => {
      draft = asked;
      return Promise.resolve({ ...LEFT, branch: asked.branch });
    },
    close: (_, why) => {
      said.push(why);
      return Promise.resolve({ kind: "closed" });
    },
  });
  const context = { forge, view: viewOf(...standing), gate: () => Promise.resolve([]) };
  const done = await intervene(request, CHANGE, BASE, context, quietRun());
  return { draft, said, closed: done.kind === "refused" ? [] : done.closed.map(({ branch }) => branch) };
}

describe("lifting a decrease by hand", () => {
  it("works in a channel that follows none and that no channel follows", () => {
    const history = historyOf({ at: 0, fast: "1.2.0" }, { at: 1, fast: "1.1.0" });
    const gathered = {
      catalogue: siteOf({ "channels/regular.yaml": POLICY }),
      histories: { modules: [ISTIO], of: () => history },
      nowMs: day(2),
      view: undefined,
    };

    expect(decideIntervention({ ...requestOf("1.2.0", "fast"), kind: "unhold" }, gathered)).toMatchObject({
      kind: "change",
      sentences: [mentions("fast", "istio 1.2.0"), mentions("release manager")],
    });
  });
});

describe("carrying a hold out", () => {
  it("escapes what people wrote in the pull request, and keeps trailers on one line each", async () => {
    const { draft } = await carriedOut(REQUEST);

    expect(draft?.body.split("\n")[0]).toBe("**Why**: leaks: @\u200borg/team, fixes #\u200b12 \\<b\\> (boss)");
    expect(draft?.body.split("\n")).toContainEqual(mentions("- istio 1.2.0", "held", "all channels"));
    expect(draft?.message).toContain(
      "\nHolds: istio@1.2.0\nBy: boss\nReason: leaks: @\u200borg/team, fixes #\u200b12 <b>\n",
    );
  });

  it("closes only the open promotions of the version into channels where it is held", async () => {
    const standing = [
      LEFT,
      { ...LEFT, branch: "promote/slow/istio" },
      { ...LEFT, branch: "promote/regular/other" },
      { ...proposal("promotion:1.1.0:sha256:1"), branch: "promote/later/istio" },
      { ...proposal(undefined), former: LEFT.digest ?? "", branch: "promote/edited/istio" },
      { ...proposal(undefined), branch: "promote/unknown/istio" },
      { ...proposal(LEFT.digest, false), branch: "promote/closed/istio" },
      { ...LEFT, branch: "hold/regular/istio" },
      { ...proposal("promotion:1.2.0+istio@1.1.0:sha256:1"), branch: "promote/regular/other-group" },
      { ...proposal("promotion:2.0.0+keda@1.0.0+istio@1.2.0:sha256:1"), branch: "promote/regular/group" },
    ];

    expect((await carriedOut(REQUEST, ...standing)).closed).toEqual([
      ...["promote/regular/istio", "promote/slow/istio", "promote/edited/istio", "promote/regular/group"],
    ]);
    const narrow = { ...REQUEST, channel: channel("slow") };
    expect(await carriedOut(narrow, ...standing)).toMatchObject({
      closed: ["promote/slow/istio"],
      said: ["Closed because boss holds istio 1.2.0: leaks: @\u200borg/team, fixes #\u200b12 \\<b\\>"],
    });
    const lifted: InterventionRequest = { ...requestOf("1.2.0"), kind: "unhold" };
    expect((await carriedOut(lifted, ...standing)).closed).toEqual([]);
  });

  it("stays the same for a repeated request, and changes with the file that it replaces", async () => {
    const digestOf = async (known: typeof KNOWN): Promise<string | undefined> => {
      let digest: string | undefined;
      const forge = forgeWith({
        propose: (asked) => {
          digest = asked.digest;
          return Promise.resolve(LEFT);
        },
      });
      const context = { forge, view: viewOf(), gate: () => Promise.resolve([]) };
      const change = changeOf(decideHold(REQUEST, known));
      await intervene(REQUEST, change, { ...BASE, catalogue: known.catalogue }, context, quietRun());
      return digest;
    };
    const first = await digestOf(KNOWN);
    const held = "format: 1\nholds:\n  - { version: 1.0.0, reason: old, by: boss, since: '2026-01-01T00:00:00Z' }\n";

    expect(await digestOf({ ...KNOWN, nowMs: KNOWN.nowMs + 60_000 })).toBe(first);
    expect(await digestOf(knownOf(siteOf({ "modules/istio/holds.yaml": held })))).not.toBe(first);
  });

  it("does nothing on a base that moved", async () => {
    const context = {
      forge: forgeWith({}),
      view: { ...viewOf(), base: "d".repeat(40) },
      gate: () => Promise.resolve([]),
    };

    await expect(intervene(REQUEST, CHANGE, BASE, context, quietRun())).rejects.toMatchObject({
      code: "FORGE_CONFLICT",
      message: expect.stringContaining("git pull") as string,
    });
  });

  it("does not propose what the gate refuses", async () => {
    const finding = { rule: "r", severity: "error", file: "f", line: 1, column: 1, message: "m", remedy: "r" } as const;
    const context = { forge: forgeWith({}), view: viewOf(LEFT), gate: () => Promise.resolve([finding]) };

    expect(await intervene(REQUEST, CHANGE, BASE, context, quietRun())).toEqual({
      kind: "refused",
      findings: [finding],
    });
  });

  it("has a branch of its own for each kind, version and channel", () => {
    const withdraw: InterventionRequest = { ...requestOf("1.2.0", "fast"), kind: "withdraw", channel: channel("fast") };

    expect(interventionBranch(REQUEST)).toBe("hold/every-channel/istio-1.2.0");
    expect(interventionBranch({ ...requestOf("1.2.0", "fast"), kind: "unhold" })).toBe("unhold/fast/istio-1.2.0");
    expect(interventionBranch(withdraw)).toBe("withdraw/fast/istio-1.2.0");
  });
});
