import { describe, expect, it } from "vitest";
import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../../src/catalogue/names.ts";
import { commandsFor } from "../../../src/dashboard/module/page.ts";
import { moduleEvidence } from "../../../src/dashboard/module/evidence.ts";
import { factsOfModule, type ModuleFacts } from "../../../src/dashboard/module/facts.ts";
import { seenRollouts } from "../../../src/dashboard/module/rollouts.ts";
import { moduleSummary } from "../../../src/dashboard/module/summary.ts";
import { timelineOfModule } from "../../../src/dashboard/module/timeline.ts";
import { renderPage } from "../../../src/dashboard/layout.ts";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { alongTheWay } from "../../../src/dashboard/channelOrder.ts";
import { catalogueOf, channelTemplate, SETTINGS } from "../../catalogue/repository.ts";
import { day, version } from "../../promote/verdict/timeline.ts";
import { sentencesOf } from "../landscapeState.ts";
import { sightOf, stateAfter, type Told } from "../story.ts";
import { mentions } from "../../support/mentions.ts";
import { hashIn, istio, observed, RECORDS, STORY, USERS } from "./istio.ts";

function factsIn(state: DashboardState): ModuleFacts {
  const facts = factsOfModule(state, "istio");
  if (facts === undefined) throw new Error("there is no istio");
  return facts;
}

function pageOf(state: DashboardState): string {
  const look = { theme: undefined, styles: [], scripts: [] };
  return renderPage(state, { path: "/modules/istio", query: new URLSearchParams() }, look).text.replace(/\s+/g, " ");
}

const regular = (at: number, text: string | null): Told => ({
  atMs: day(at),
  files: { "channels/regular/istio.yaml": text === null ? null : channelTemplate("regular", "istio", text) },
});

describe("the facts about a module", () => {
  it("list channels in the order in which a version passes them, mandatory ones last", () => {
    const policy = (follows?: string): string => JSON.stringify({ format: 1, landscapes: ["dev"], follows });
    const catalogue = catalogueOf({
      "kyma-modules.yaml": SETTINGS,
      "channels/aged.yaml": policy("slow"),
      "channels/fast.yaml": policy(),
      "channels/every.yaml": JSON.stringify({ format: 1, kind: "mandatory", landscapes: ["dev"] }),
      "channels/slow.yaml": policy("usual"),
      "channels/usual.yaml": policy("fast"),
    });

    expect(alongTheWay(catalogue).map(({ name }) => name)).toEqual(["fast", "usual", "slow", "aged", "every"]);
  });

  it("allow the promotion once the soak is over, with the command for it", async () => {
    const state = await stateAfter(STORY, day(40));
    const facts = factsIn(state);
    const summary = moduleSummary(facts, [], state.nowMs);

    expect(summary.next).toMatchObject({ version: "1.2.1", kind: "promote", atMs: undefined });
    expect(commandsFor(facts, summary)).toContain("kyma-modules promote istio --apply");
    expect(pageOf(state)).toContain("<b>1.2.1 may enter regular now.</b>");
  });

  it("name what blocks the next version", async () => {
    const state = await stateAfter(STORY.slice(0, 5), day(13));

    expect(moduleSummary(factsIn(state), [], state.nowMs).next).toMatchObject({ version: "1.2.0", kind: "blocked" });
    expect(pageOf(state)).toContain("<b>1.2.0 is blocked:</b>");
  });

  it("include a decrease by hand, whose version counts as held", async () => {
    const state = await stateAfter([...STORY, regular(15, "1.1.0"), regular(15.5, null)], day(16));
    const picture = timelineOfModule(factsIn(state), state);

    expect(picture?.marks.map(({ kind }) => kind).sort()).toEqual(["downgrade", "hot-fix", "removal"]);
    expect(moduleSummary(factsIn(state), [], state.nowMs).held).toEqual(["1.2.0", "1.1.1"]);
    expect(sentencesOf(pageOf(state))).toContainEqual(mentions("held", "every channel", "regular", "1.1.0"));
  });

  it("have no timeline if no channel ever served the module", async () => {
    const files = { "modules/istio/module.yaml": JSON.stringify({ format: 1, owners: ["@org/mesh"] }) };
    const [first] = STORY;
    const kept = Object.entries(first?.files ?? {}).filter(([path]) => !path.includes("istio"));
    const state = await stateAfter([{ atMs: day(0), files: { ...Object.fromEntries(kept), ...files } }], day(1));

    expect(timelineOfModule(factsIn(state), state)).toBeUndefined();
    expect(sentencesOf(pageOf(state))).toContain("No channel serves istio.");
  });

  it("have no links if the repository has no web address", async () => {
    const page = pageOf(await istio({ repositoryUrl: undefined }));

    expect(page).not.toContain("https://github.com/org/name");
    expect(page).toContain("channels/regular.yaml:6");
  });
});

describe("landscapes of a module", () => {
  it("show that one was never seen", async () => {
    const blind = { sinceMs: day(15), because: "no route" };
    const unseen = { name: "prod", input: undefined, status: undefined, seenMs: undefined, blind };
    const state = await istio({ landscapes: [unseen] });

    expect(seenRollouts("istio" as ModuleName, state)).toEqual([
      { landscape: "prod", rollout: undefined, seenMs: undefined, blind },
    ]);
    expect(sentencesOf(pageOf(state))).toContainEqual(mentions("never seen", "versions"));
  });

  it("are named if they still serve a module that no channel has any more", async () => {
    const files = ["fast/istio", "regular/istio"].map((name) => [`channels/${name}.yaml`, null] as const);
    const paid = ["modules/istio/hotfixes.yaml", null] as const;
    for (const [removed, said] of [
      [files, "regular serves no version"],
      [[...files, paid], "No channel serves istio"],
    ] as const) {
      const gone = await stateAfter([...STORY, { atMs: day(15), files: Object.fromEntries(removed) }], day(16));
      const sight = sightOf(gone, "prod", { users: USERS, records: RECORDS, serves: await istio() });
      const state = { ...gone, landscapes: [sight] };
      const sentences = sentencesOf(pageOf(state));

      expect(sentences).toContainEqual(mentions(said, "prod has 1.1.1", "10 clusters"));
      expect(sentences).not.toContainEqual(mentions("No landscape", "serves"));
      expect(sentences).not.toContainEqual(mentions("No cluster", "run"));
      const facts = factsIn(state);
      const summary = moduleSummary(facts, seenRollouts(facts.module, state), state.nowMs);
      expect(commandsFor(facts, summary)).toContain("kyma-modules rollout istio@1.1.1 --landscape prod");
    }
  });

  it("do not show unknown clusters as none", async () => {
    const state = await istio();
    const users = { kind: "unknown", because: "it is forbidden" } as const;
    const page = pageOf({ ...state, landscapes: [sightOf(state, "prod", { users, records: RECORDS })] });

    expect(page).toMatch(/<td class="number-cell" colspan="4">[^<]*\bnot known</);
    expect(sentencesOf(page)).toContainEqual(mentions("number", "clusters", "prod", "not known"));
  });
});

describe("evidence of a version", () => {
  const path = { pods: true, passed: [], failed: [], notChecked: [] };
  const told = async (...evidence: readonly ((hash: string) => Evidence)[]): Promise<readonly string[]> => {
    const state = await istio();
    const made = evidence.map((make) => make(hashIn(state, "1.2.1")));
    const rows = moduleEvidence({ ...factsIn(state), evidence: made }, version("1.2.1"), state.nowMs);
    return rows.map(
      ({ says, speaks, whyNot }) => `${String(speaks)}: ${says}${whyNot === undefined ? "" : ` (${whyNot})`}`,
    );
  };

  it("lists the paths of a smoke test, only the failed ones if any failed", async () => {
    const smoke = (failed: readonly ["install"] | readonly []) => (hash: string) =>
      observed(hash, {
        ...{ kind: "smoke", kubernetes: "1.36.3" },
        paths: [path, { ...path, pods: failed.length === 0, from: version("1.1.1"), failed }],
      });

    expect(await told(smoke([]), smoke(["install"]))).toEqual([
      "for: install, upgrade from 1.1.1 did not fail on Kubernetes 1.36.3",
      "against: upgrade from 1.1.1 (install) failed on Kubernetes 1.36.3, without pods",
    ]);
  });

  const health = (healthy: number, at: number, clusters: number) => (hash: string) =>
    observed(hash, { kind: "health", clusters, healthy, observedAt: new Date(day(at)).toISOString() });

  it("without a cluster does not speak for the version", async () => {
    expect(await told(health(0, 14, 0))).toEqual([mentions("undefined:", "0 of 0 clusters")]);
  });

  it("counts only the last observation of a place", async () => {
    expect(await told(health(9, 14, 10), health(10, 15, 10))).toEqual([
      mentions("for:", "10 of 10 clusters"),
      mentions("undefined:", "9 of 10 clusters", "newer", "same place"),
    ]);
  });

  it("names the landscape that serves it, and who refused it", async () => {
    const refused = (hash: string): Evidence => observed(hash, { kind: "approval", approved: false, by: "boss" });

    expect(await told((hash) => observed(hash, {}), refused)).toEqual([
      "for: a landscape serves it",
      "against: boss refused it",
    ]);
  });
});
