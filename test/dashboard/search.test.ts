import { describe, expect, it } from "vitest";
import { renderPage } from "../../src/dashboard/layout.ts";
import { searchHits } from "../../src/dashboard/search/page.ts";
import { NO_USERS, type ModuleUser } from "../../src/fleet/users.ts";
import type { StatusInput } from "../../src/sync/landscapeStatus.ts";
import { sightOf, stateOf, statusIn } from "./train/trainState.ts";

const STATUSES = [
  statusIn("fast", "istio", "1.2.0"),
  statusIn("regular", "istio", "1.1.0"),
  statusIn("regular", "telemetry", "1.2.0"),
  statusIn("regular", "nats", undefined),
];

/** A landscape with these Kymas, and a Manifest without one that uses a module. */
function usedBy(...kymas: readonly string[]): ReturnType<typeof sightOf> {
  const modules = new Map([["istio", [{ name: "Manifest b-2" } as ModuleUser]]]);
  const input: Partial<StatusInput> = { users: { ...NO_USERS, modules, kymas: new Set(kymas) } };
  return { ...sightOf("dev", []), input: input as StatusInput };
}

const STATE = stateOf(STATUSES, {
  landscapes: [usedBy("b-1", "a-1"), sightOf("stage", [])],
});

/** The results as `kind name (where) address`. */
function found(text: string): readonly string[] {
  return searchHits(text, STATE).map(({ kind, name, where, address }) => `${kind} ${name} (${where}) ${address}`);
}

/** The page of a search. */
function pageOf(query: string, state = STATE): string {
  const look = { theme: undefined, styles: [], scripts: [] };
  return renderPage(state, { path: "/search", query: new URLSearchParams(query) }, look).text;
}

describe("the search", () => {
  it("finds modules and versions, each once", () => {
    expect(found("ISTIO")).toEqual(["module istio (fast, regular) /modules/istio"]);
    expect(found(" 1.2 ")).toEqual([
      "version istio@1.2.0 (fast) /modules/istio",
      "version telemetry@1.2.0 (regular) /modules/telemetry",
    ]);
    expect(found("istio@1.1")).toEqual(["version istio@1.1.0 (regular) /modules/istio"]);
  });

  it("finds landscapes and clusters that have a page", () => {
    expect(found("stage")).toEqual(["landscape stage () /landscapes/stage"]);
    expect(searchHits("stage", stateOf(STATUSES))).toEqual([]);
    expect(found("-1")).toEqual(["cluster a-1 (dev) /fleet/dev/a-1", "cluster b-1 (dev) /fleet/dev/b-1"]);
    expect(found("b-2")).toEqual([]);
  });

  it("shows its results and unknown landscapes, and nothing for an empty query", () => {
    const users = { kind: "unknown", because: "it may not list kymas" } as const;
    const unlisted = { ...sightOf("prod", []), input: { users } as StatusInput };

    expect(pageOf("q=istio")).toContain("<h1>1 hit for istio</h1>");
    expect(pageOf("q=nothing-like-it")).toContain("No match.");
    expect(pageOf("q=x")).toContain("Clusters of stage are not known");
    expect(pageOf("q=x", stateOf(STATUSES, { landscapes: [unlisted] }))).toContain("Clusters of prod are not known");
    expect(pageOf("q=x", stateOf(STATUSES))).not.toContain("are not known");
    expect(pageOf("q=+")).toContain("<h1>Search</h1>");
  });

  it("counts results beyond the limit, and shows the query as text", () => {
    const names = Array.from({ length: 60 }, (_, index) => `cluster-${String(index)}`);

    expect(pageOf("q=cluster-", stateOf([], { landscapes: [usedBy(...names)] }))).toContain("and 10 more");
    expect(pageOf(`q=${encodeURIComponent("<img src=x>")}`)).not.toContain("<img");
  });
});
