import { describe, expect, it } from "vitest";
import {
  parseRequests,
  parseResults,
  pendingRequests,
  printRequests,
  printResults,
  REQUEST_MS,
  type RequestResult,
  type SyncRequest,
} from "../../src/sync/plan/controls.ts";

const NOW = Date.parse("2030-01-01T00:00:00Z");
const NOTHING = {
  ...{ adopt: false, prune: false, maxPrune: undefined, now: undefined },
  ...{ takeOverSet: false, switchGeneration: false, rewind: false },
};
const request = (id: string, given: Partial<SyncRequest> = {}): SyncRequest => ({
  ...{ id, by: "octocat", atMs: NOW, commit: "a".repeat(40), allowed: NOTHING },
  ...given,
});
const result = (given: Partial<RequestResult> = {}): RequestResult => ({
  atMs: NOW,
  code: 0,
  lines: ["done"],
  ...given,
});

describe("pending requests", () => {
  const pending = (requests: readonly SyncRequest[], ...answered: readonly string[]): readonly string[] =>
    pendingRequests(requests, new Map(answered.map((id) => [id, result()])), NOW).map(({ id }) => id);

  it("are those without a result, oldest first", () => {
    const requests = [request("b"), request("a", { atMs: NOW - 1 }), request("c", { atMs: NOW - 2 })];

    expect([pending(requests, "c"), pending([]), pending(requests, "a", "b", "c")]).toEqual([["a", "b"], [], []]);
  });

  it("do not include expired ones, nor those of a clock that is far off", () => {
    const forgotten = request("a", { atMs: NOW - REQUEST_MS });
    const ahead = request("b", { atMs: NOW + REQUEST_MS });

    expect(pending([forgotten, ahead])).toEqual([]);
  });
});

describe("printed requests", () => {
  it("are parsed as they were printed", () => {
    const all = {
      adopt: true,
      prune: true,
      maxPrune: 3,
      now: "INC-1",
      takeOverSet: true,
      switchGeneration: true,
      rewind: true,
    };
    const requests = [request("a"), request("b", { allowed: all })];

    expect(parseRequests(printRequests(requests))).toEqual(requests);
  });

  it("allow only stated options", () => {
    const odd = JSON.stringify([
      { ...request("a"), at: "2030-01-01T00:00:00Z", allowed: { prune: "yes", maxPrune: "all", now: "" } },
    ]);

    expect(parseRequests(odd)?.[0]?.allowed).toEqual(NOTHING);
  });

  it.each([
    "",
    "{}",
    "[1]",
    '[{"id":"a"}]',
    '[{"id":"a","by":"b","commit":"c","at":"soon","allowed":{}}]',
    '[{"id":1,"by":"b","commit":"c","at":"2030-01-01","allowed":{}}]',
  ])("are all invalid if one of them is incomplete: %s", (text) => {
    expect(parseRequests(text)).toBeUndefined();
  });
});

describe("printed results", () => {
  it("are parsed as they were printed, unless they are expired", () => {
    const results = new Map([
      ["a", result()],
      ["b", result({ code: 1, lines: [] })],
      ["old", result({ atMs: NOW - 2 * REQUEST_MS })],
    ]);

    expect([...parseResults(printResults(results, NOW)).keys()]).toEqual(["a", "b"]);
    expect(parseResults(printResults(results, NOW)).get("a")).toEqual(result());
  });

  it.each(["", "[]", '{"a":1}', '{"a":{"at":"2030-01-01","code":0}}', '{"a":{"at":"soon","code":0,"lines":[]}}'])(
    "are empty if they are %s",
    (text) => {
      expect(parseResults(text).size).toBe(0);
    },
  );
});
