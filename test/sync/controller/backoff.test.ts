import { describe, expect, it } from "vitest";
import { Fault } from "../../../src/ports.ts";
import { Backoff, EVERYTHING } from "../../../src/sync/controller/backoff.ts";

const BUSY = new Fault("CLUSTER_BUSY", "come back later");
const REFUSED = new Fault("CLUSTER_REFUSED", "422");
const LONGEST_MS = 300_000;

describe("the back-off", () => {
  it("doubles with each failure in a row, up to five minutes, and restarts after a success", () => {
    const backoff = new Backoff(() => 1);
    const waits = Array.from({ length: 11 }, () => backoff.failed("istio", BUSY, 0).dueMs);

    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300].map((seconds) => seconds * 1000));
    backoff.succeeded("istio");
    expect(backoff.failed("istio", BUSY, 0)).toMatchObject({ count: 1, dueMs: 1000 });
  });

  it.for([0, 0.5, 1])("is shorter by up to a quarter, so that retries are spread (random: %d)", (random) => {
    expect(new Backoff(() => random).failed("istio", BUSY, 0).dueMs).toBe(750 + 250 * random);
  });

  it("is the longest at once for faults that a retry does not fix", () => {
    expect(new Backoff(() => 1).failed("istio", REFUSED, 0).dueMs).toBe(LONGEST_MS);
  });

  it("holds only failed keys, until they are due", () => {
    const backoff = new Backoff(() => 1);
    backoff.failed("istio", BUSY, 5000);

    expect(["istio", "keda"].map((key) => backoff.waitOf(key, 5999))).toEqual([1, 0]);
    expect(backoff.waitOf("istio", 6001)).toBe(0);
  });

  it("is next due with the first held key; keys that were due and not tried again do not count", () => {
    const backoff = new Backoff(() => 1);

    expect(backoff.nextIn(0)).toBe(Infinity);
    backoff.failed("istio", BUSY, 0);
    backoff.failed("keda", REFUSED, 0);
    expect([0, 999, 1000, LONGEST_MS].map((nowMs) => backoff.nextIn(nowMs))).toEqual([
      1000,
      1,
      LONGEST_MS - 1000,
      Infinity,
    ]);
  });

  it("forgets everything when the causes may be gone", () => {
    const backoff = new Backoff(() => 1);
    backoff.failed("istio", REFUSED, 0);
    backoff.clear();

    expect(backoff.waitOf("istio", 1)).toBe(0);
    expect(backoff.nextIn(0)).toBe(Infinity);
  });

  it("forgets outages when a server answers again, and modules that are gone; nothing else", () => {
    const backoff = new Backoff(() => 1);
    backoff.failed(EVERYTHING, BUSY, 0);
    backoff.failed("istio", REFUSED, 0);
    backoff.failed("gone", REFUSED, 0);
    backoff.keepOnly(new Set(["istio"]));

    expect([...backoff.faults]).toEqual([
      [EVERYTHING, BUSY],
      ["istio", REFUSED],
    ]);
    expect([backoff.answered(), backoff.answered()]).toEqual([true, false]);
    expect([...backoff.faults.keys()]).toEqual(["istio"]);
  });
});
