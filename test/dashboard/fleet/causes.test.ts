import { expect, it } from "vitest";
import { clusterCauses } from "../../../src/dashboard/fleet/causes.ts";
import type { ClusterRow } from "../../../src/dashboard/fleet/clusters.ts";

it.each([
  [["us10", "eu10", "us10"], { region: "us10", count: 2 }],
  [["eu10", "us10", "us10"], { region: "us10", count: 2 }],
  [["eu10", "us10"], undefined],
])("of clusters in %j, most are in %j", (regions, mostly) => {
  const rows = regions.map((region, index): ClusterRow => {
    const about = { channel: "fast", runs: "1.0.0", wanted: "1.1.0", state: "Ready", sinceMs: index } as const;
    const reason = { why: "behind", version: "1.0.0", cause: undefined } as const;
    const lacking = { ...reason, isFailing: false, mayFail: false };
    return { name: `cluster-${String(index)}`, region, ...about, lacking };
  });

  expect(clusterCauses(rows).causes.map((cause) => cause.mostly)).toEqual([mostly]);
});
