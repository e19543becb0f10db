import { describe, expect, it } from "vitest";
import { entriesTable } from "../../../src/dashboard/landscape/entriesTable.ts";
import { NO_USERS } from "../../../src/fleet/users.ts";
import { mentions } from "../../support/mentions.ts";
import { entryOf, sentencesOf, sightOf, stateOf, statusOf, textAt } from "../landscapeState.ts";

const NOW = Date.parse("2030-01-02T12:00:00Z");

describe("an entry of which it is not known what is wanted", () => {
  const entries = [
    entryOf({ channel: "fast", module: "istio", version: "1.2.0" }),
    entryOf({ channel: "fast", module: "warden", version: "1.0.0", isWantedKnown: false }),
  ];
  const status = statusOf("prod", { entries });

  it("does not count as one that is as in the repository", () => {
    const page = textAt("/landscapes", stateOf([sightOf("prod", NO_USERS, status, NOW)], NOW));

    expect(sentencesOf(page)).toContainEqual(mentions("1 of 2 entries", "1", "not known"));
  });

  it("is not in order", () => {
    const [, , istio, warden] = entriesTable(status, NOW).toString().split("<tr");

    expect([istio?.includes("in order"), warden?.includes("in order")]).toEqual([true, false]);
  });
});
