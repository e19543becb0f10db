import { describe, expect, it } from "vitest";
import {
  decideIntervention,
  intervene,
  interventionBranch,
  type InterventionRequest,
} from "../../src/promote/intervene.ts";
import type { Proposal, ProposalDraft } from "../../src/ports.ts";
import { quietRun } from "../support/quietRun.ts";
import { contentOf, forgeWith, holding, proposal, viewOf } from "./promotions.ts";
import { changeOf, channel, knownOf, requestOf, siteOf } from "./verdict/interventions.ts";
import { instantText } from "../../src/document/times.ts";
import { day, historyOf, ISTIO, version } from "./verdict/timeline.ts";
import { channelTemplate, POLICY } from "../catalogue/repository.ts";
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
const LEFT: Proposal = proposal(contentOf("1.2.0"));

/** A promotion of these modules (`NAME@VERSION`) on the branch `promote/CHANNEL/MODULE`. */
function promotion(channelName: string, module: string, ...versions: readonly string[]): Proposal {
  const files = versions.map((one) => {
    const [name = "", number = ""] = one.split("@");
    return [`channels/${channelName}/${name}.yaml`, channelTemplate(channelName, name, number)] as const;
  });
  return { ...proposal(holding(Object.fromEntries(files))), branch: `promote/${channelName}/${module}` };
}

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
    const edited = promotion("edited", "istio", "istio@1.2.0");
    const standing = [
      LEFT,
      promotion("slow", "istio", "istio@1.2.0"),
      promotion("regular", "other", "other@1.2.0"),
      promotion("later", "istio", "istio@1.1.0"),
      { ...edited, content: { ...edited.content, others: ["src/evil.ts"], isMarked: false } },
      promotion("unknown", "istio"),
      { ...LEFT, pull: LEFT.pull && { ...LEFT.pull, isOpen: false }, branch: "promote/closed/istio" },
      { ...LEFT, branch: "hold/regular/istio" },
      promotion("regular", "other-group", "other-group@1.2.0", "istio@1.1.0"),
      promotion("regular", "group", "group@2.0.0", "keda@1.0.0", "istio@1.2.0"),
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

  it("keeps the instant of an equal request on its branch, and takes a new one otherwise", () => {
    const gathered = { catalogue: KNOWN.catalogue, histories: { modules: [], of: () => historyOf() }, nowMs: day(2) };
    const decided = (request: InterventionRequest, ...standing: readonly Proposal[]): unknown =>
      decideIntervention(request, { ...gathered, nowMs: day(3), view: viewOf(...standing) });
    const first = changeOf(decideIntervention(REQUEST, { ...gathered, view: undefined }));
    const there = { ...proposal(holding(Object.fromEntries(first.files))), branch: interventionBranch(REQUEST) };
    const other = { ...REQUEST, reason: "another reason" };

    expect(decided(REQUEST, there)).toMatchObject({ files: first.files });
    for (const fresh of [decided(REQUEST), decided(other, there)])
      expect(fresh).toMatchObject({ files: new Map([["modules/istio/holds.yaml", mentions(instantText(day(3)))]]) });
    expect(decided({ ...REQUEST, version: version("9.9.9"), kind: "unhold" }, there)).toMatchObject({
      kind: "nothing",
    });
  });

  it("replaces an earlier request on its branch, but nothing else and no commit of a person", async () => {
    const { draft } = await carriedOut(REQUEST);
    const earlier = holding({ "modules/istio/holds.yaml": "format: 1\nholds: []\n" });
    const others = [
      { ...earlier, isMarked: false },
      { ...earlier, others: ["src/evil.ts"] },
      holding({ "modules/istio/holds.yaml": "", "channels/regular.yaml": "" }),
    ];

    expect([earlier, holding({}), ...others].map((content) => draft?.mayReplace(content))).toEqual([
      ...[true, true, false, false, false],
    ]);
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
