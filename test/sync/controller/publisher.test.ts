import { onTestFinished, describe, expect, it } from "vitest";
import { parseLandscapeName, type LandscapeName } from "../../../src/catalogue/names.ts";
import { NO_USERS } from "../../../src/fleet/users.ts";
import { exposureKey, type LiveContent } from "../../../src/fleet/exposure.ts";
import { Fault } from "../../../src/ports.ts";
import type { FleetSeen } from "../../../src/sync/controller/observer.ts";
import { Publisher, type SeenEvidence } from "../../../src/sync/controller/publisher.ts";
import { quietRun } from "../../support/quietRun.ts";

const HOUR = 3_600_000;
const named = (name: string): LandscapeName => parseLandscapeName(name) ?? expect.fail(name);
const [DEV, PROD] = [named("dev"), named("prod")];
const START = Date.parse("2026-05-20T10:00:00Z");
const CERTS: LiveContent = {
  ...{
    module: "certs",
    version: "1.1.0",
    specHash: "h",
    uid: "u",
    generation: 1,
    mandatory: false,
    deadlineMs: 600_000,
  },
  channels: [{ channel: "fast", appliedMs: START }],
};

/** An observation of a landscape that serves `contents`; seven of eight clusters are in order. */
function lookAt(atMs: number, landscape: string | undefined, contents: readonly LiveContent[] = [CERTS]): FleetSeen {
  const sums = contents.map((content) => {
    const { module, version, specHash, uid, generation } = content;
    const sum = { module, version, specHash, uid, generation, clusters: 8, healthy: 7, healthyMs: HOUR };
    return [exposureKey(content), { ...sum, sinceMs: START, observedMs: atMs }] as const;
  });
  return {
    ...{ kind: "seen", users: NO_USERS, served: [], arrivals: [], atMs },
    ...{ contents, exposure: new Map(sums) },
    owner: landscape === undefined ? undefined : { landscape, repository: "org/name" },
  };
}

/** A publisher that runs until the test ends, and its results. */
function publishing(publish: () => Promise<number> = () => Promise.resolve(1)) {
  let nowMs = START;
  const published: SeenEvidence[] = [];
  const tried: (readonly [LandscapeName, number | Fault])[] = [];
  const stop = new AbortController();
  const publisher = new Publisher<number>({
    clock: {
      nowMs: () => nowMs,
      pause: (_, { signal }) =>
        new Promise((__, reject) => {
          const end = (): void => {
            reject(signal.reason as Error);
          };
          if (signal.aborted) end();
          signal.addEventListener("abort", end);
        }),
    },
    publish: (seen) => {
      published.push(seen);
      return publish();
    },
    hasPublished: (count) => count > 0,
    onTried: (...result) => void tried.push(result),
  });
  const kept = publisher.keep(quietRun(stop.signal)).catch((error: unknown) => error);
  onTestFinished(async () => {
    stop.abort(new Error("it ended"));
    expect(await kept).toMatchObject({ message: "it ended" });
  });
  const hears = async (...looks: readonly (readonly [LandscapeName, FleetSeen])[]): Promise<void> => {
    for (const look of looks) publisher.hear(...look);
    await new Promise(setImmediate);
  };
  const passes = (ms: number): number => (nowMs += ms);
  return { hears, passes, published, tried };
}

describe("the evidence that the controller publishes", () => {
  it("is that of the last observation of each landscape, with the owner of its set", async () => {
    const { hears, published, tried } = publishing();
    await hears([DEV, lookAt(START, DEV)], [PROD, lookAt(START, PROD)]);

    expect(published.map(({ landscape, repository }) => [landscape, repository])).toEqual([
      ["dev", "org/name"],
      ["prod", "org/name"],
    ]);
    expect(published[1]?.evidence.map(({ kind, landscape, source }) => [kind, landscape, source])).toEqual(
      ["exposure", "health", "served"].map((kind) => [kind, "prod", "the controller of prod"]),
    );
    expect(tried).toEqual([
      ["dev", 1],
      ["prod", 1],
    ]);
  });

  it("is published at most hourly for each landscape, with the last observation", async () => {
    const { hears, passes, published } = publishing();
    await hears([DEV, lookAt(START, DEV)]);
    await hears([DEV, lookAt(passes(HOUR - 1), DEV)]);
    await hears([PROD, lookAt(START, PROD)]);
    expect(published.map(({ landscape }) => landscape)).toEqual(["dev", "prod"]);

    await hears([DEV, lookAt(passes(1), DEV)]);
    expect(published[2]?.evidence).toMatchObject([{ observedAt: new Date(START + HOUR).toISOString() }, {}, {}]);
    expect(published).toHaveLength(3);
  });

  it("is not published while nothing is served or the clusters cannot be read, which starts no hour", async () => {
    const { hears, published } = publishing();
    await hears([DEV, lookAt(START, DEV)], [PROD, lookAt(START, PROD, [])]);
    await hears([PROD, { kind: "blind", because: "it is gone" }]);
    await hears([PROD, lookAt(START, PROD)]);

    expect(published.map(({ landscape }) => landscape)).toEqual(["dev", "prod"]);
  });

  it("is not published for a set of another landscape, or without an owner", async () => {
    const { hears, published } = publishing();
    await hears([DEV, lookAt(START, PROD)], [DEV, lookAt(START, undefined)]);

    expect(published).toEqual([]);
  });

  it("is tried again after five minutes if it was not worth publishing", async () => {
    const { hears, passes, published, tried } = publishing(() => Promise.resolve(0));
    await hears([DEV, lookAt(START, DEV)]);
    await hears([DEV, lookAt(passes(299_999), DEV)]);
    expect(published).toHaveLength(1);

    await hears([DEV, lookAt(passes(1), DEV)]);
    expect(tried).toEqual([
      ["dev", 0],
      ["dev", 0],
    ]);
  });

  it("is tried again five minutes after a Fault, which is reported", async () => {
    const fault = new Fault("FORGE_REFUSED", "No.");
    const { hears, passes, published, tried } = publishing(() => Promise.reject(fault));
    await hears([DEV, lookAt(START, DEV)]);
    await hears([DEV, lookAt(passes(299_999), DEV)]);
    expect(published).toHaveLength(1);

    await hears([DEV, lookAt(passes(1), DEV)]);
    expect(tried).toEqual([
      ["dev", fault],
      ["dev", fault],
    ]);
  });

  it("is not delayed by a clock that was set back", async () => {
    const { hears, passes, published } = publishing();
    await hears([DEV, lookAt(START, DEV)]);
    await hears([DEV, lookAt(passes(-2 * HOUR), DEV)]);

    expect(published).toHaveLength(2);
  });
});
