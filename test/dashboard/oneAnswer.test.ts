import { describe, expect, it } from "vitest";
import { countsText } from "../../src/cli/rollout/report.ts";
import { rolloutFigures } from "../../src/fleet/figures.ts";
import { NO_USERS, type KnownUsers } from "../../src/fleet/users.ts";
import { landscapeRollout } from "../../src/sync/landscapeRollout.ts";
import { servedEntriesOf } from "../../src/sync/plan/served.ts";
import { entriesIn } from "../../src/sync/plan/records.ts";
import { moduleUser } from "../fleet/moduleUser.ts";
import { mentions } from "../support/mentions.ts";
import { sentencesOf, textAt, wordsOf } from "./landscapeState.ts";
import { istio, RECORDS } from "./module/istio.ts";
import { sightOf } from "./story.ts";

const HOUR = 3_600_000;

describe("three clusters of which one has the version, one forgot it, and one never ends to process it", async () => {
  const state = await istio();
  const { nowMs } = state;
  const own = { channels: ["regular"] };
  const kymas = [
    moduleUser({ name: "Kyma a", kyma: "a", version: "1.1.1" }, { ...own, sinceMs: nowMs - 3 * HOUR }),
    moduleUser({ name: "Kyma b", kyma: "b", installed: "1.1.1" }, { ...own, sinceMs: nowMs - 2 * HOUR }),
    moduleUser({ name: "Kyma c", kyma: "c", version: "1.1.1" }, { ...own, state: "Processing", sinceMs: nowMs - HOUR }),
  ];
  const modules = new Map([["istio", kymas]]);
  const users: KnownUsers = { ...NO_USERS, modules, kymas: new Set(["a", "b", "c"]) };
  const sight = sightOf(state, "prod", { users, records: RECORDS });
  const shown = { ...state, landscapes: [sight] };

  it("are one in order and two failing for status", () => {
    const entry = sight.status?.entries.find(({ channel }) => channel === "regular");

    expect(entry?.clusters).toMatchObject({
      ...{ asked: 3, have: 1, worst: "forgotten", isWorse: true },
      counts: { inOrder: 1, pending: 0, failing: { count: 2 } },
    });
  });

  it("are so for rollout", () => {
    const asked = { module: "istio", version: undefined };
    const { versions = [] } = sight.input === undefined ? {} : landscapeRollout(sight.input, asked);
    const version = versions.find(({ channel }) => channel === "regular");

    expect(version?.counts).toMatchObject({ clusters: 3, have: 1, failing: 2 });
    expect(countsText(version?.counts)).toEqual(mentions("1 of 3", "2 clusters fail"));
  });

  it("are so on the page of the fleet", () => {
    const sentences = sentencesOf(textAt("/fleet?landscape=prod&module=istio", shown));

    expect(sentences).toContainEqual(mentions("istio 1.1.1", "1 of 3 clusters"));
    expect(wordsOf(textAt("/fleet?landscape=prod&module=istio", shown))).toMatch(
      /version lost.*longer than the deadline/,
    );
  });

  it("are so on the page of the landscape, which says that it needs somebody", () => {
    const words = wordsOf(textAt("/landscapes/prod", shown));

    expect(words).toContain("1 in order, 2 failing");
    expect(words).toMatch(/Fails regular\/istio 1\.1\.1.*2 users \(Kyma b, Kyma c\) of 3 fail/);
  });

  it("are so for the metrics", () => {
    const entries = servedEntriesOf(entriesIn(RECORDS), 600_000);

    expect(rolloutFigures(users, entries, nowMs)).toMatchObject([{ inOrder: 1, pending: 0, failing: 2 }]);
  });
});
