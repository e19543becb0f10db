import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseFleetFilter } from "../../../src/dashboard/fleet/filter.ts";
import { fleetView, type FleetView } from "../../../src/dashboard/fleet/filteredFleet.ts";
import type { ModuleUser } from "../../../src/fleet/users.ts";
import { cluster, fleetOf } from "./fleetOf.ts";

const SAMPLE: readonly ModuleUser[] = [
  cluster("a", "1.17.1"),
  cluster("b", "1.17.1"),
  cluster("c", "1.17.1", { state: "Error", cause: "no space", sinceMs: 30 }),
  cluster("d", "1.17.1", { state: "Error", cause: "no space", sinceMs: 20 }),
  cluster("e", "1.16.2", { isWaiting: true }),
  cluster("f", "1.18.0", { channels: ["fast"] }),
  cluster("g", "1.17.1", { leftOut: "unmanaged", sinceMs: undefined }),
];
const REGIONS = { a: "eu10", b: "eu10", c: "us10", d: "us10", e: "eu10", f: "eu10" };

/** The view of telemetry for an address. */
function view(address = "", users = SAMPLE, regions: Readonly<Record<string, string>> = REGIONS): FleetView {
  const query = new URLSearchParams(address);
  const page = Number(query.get("page") ?? 1);
  return fleetView(fleetOf(users, regions), { module: "telemetry", filter: parseFleetFilter(query), page });
}

const names = ({ page }: FleetView): string => page.rows.map(({ name }) => name).join(" ");
const sum = (counts: readonly number[]): number => counts.reduce((before, count) => before + count, 0);
const clusters = (count: number, of: (index: number) => ModuleUser): readonly ModuleUser[] =>
  Array.from({ length: count }, (_, index) => of(index));

describe("the fleet of a module", () => {
  it("counts for each channel the clusters that have its version, the largest channel first", () => {
    expect(view().answers).toEqual([
      { channel: "regular", version: "1.17.1", clusters: 6, have: 2, failing: 2 },
      { channel: "fast", version: "1.18.0", clusters: 1, have: 1, failing: 0 },
    ]);
    expect(view("channel=fast").answers.map(({ channel }) => channel)).toEqual(["fast"]);
  });

  it("has a matrix of versions and states, the highest version first, unknown ones last", () => {
    const { states, rows, totals } = view().matrix;

    expect(states).toEqual(["Ready", "Processing", "Warning", "Error", "Deleting", "Unmanaged"]);
    expect(rows).toEqual([
      { version: { kind: "version", version: "1.18.0" }, channels: ["fast"], count: 1, counts: [1, 0, 0, 0, 0, 0] },
      { version: { kind: "version", version: "1.17.1" }, channels: ["regular"], count: 4, counts: [2, 0, 0, 2, 0, 0] },
      { version: { kind: "version", version: "1.16.2" }, channels: [], count: 1, counts: [1, 0, 0, 0, 0, 0] },
      { version: { kind: "unknown" }, channels: [], count: 1, counts: [0, 0, 0, 0, 0, 1] },
    ]);
    expect(totals).toEqual([4, 0, 0, 2, 0, 1]);
  });

  it("has a column for a rare state only if it occurs", () => {
    expect(view("", [cluster("x", "1.17.1", { leftOut: "skipped" })]).matrix.states).toContain("Skipped");
  });

  it("has a row for served versions and those of most clusters, and one row for all others", () => {
    const odd = clusters(20, (index) => cluster(`x${String(index)}`, `odd-${String(index)}`));
    const { rows } = view("", [...odd, ...SAMPLE, cluster("h", "1.16.2")]).matrix;
    const versions = rows.map(({ version, count }) => [version.kind === "version" ? version.version : version, count]);

    expect(versions).toHaveLength(14);
    expect(versions.slice(0, 4)).toEqual([
      ["1.18.0", 1],
      ["1.17.1", 4],
      ["1.16.2", 2],
      ["odd-0", 1],
    ]);
    expect(versions.slice(-2)).toEqual([
      [{ kind: "others", versions: 11 }, 11],
      [{ kind: "unknown" }, 1],
    ]);
  });

  it("shows why clusters lack a version, for how long, and in which region most of them are", () => {
    const { clusters: lacking, causes, rest } = view().causes;
    const elsewhere = cluster("h", "1.17.1", { state: "Error", cause: "no space" });

    expect([lacking, rest]).toEqual([4, { causes: 0, clusters: 0 }]);
    expect(causes).toMatchObject([
      { key: "error 1.17.1 no space", count: 2, oldestMs: 20, lacking: { why: "error", cause: "no space" } },
      { key: "maintenance 1.16.2", count: 1, oldestMs: 1 },
      { key: "unmanaged", count: 1, oldestMs: undefined },
    ]);
    expect(causes.map(({ mostly }) => mostly)).toEqual([undefined, undefined, undefined]);
    expect(view("", [...SAMPLE, elsewhere], { ...REGIONS, h: "ap20" }).causes.causes[0]?.mostly).toEqual({
      ...{ region: "us10", count: 2 },
    });
  });

  it("counts the causes beyond the limit", () => {
    const cause = (index: number): string => `cause ${"abcdefghijklmnopqrstuvwxyz".charAt(index)}`;
    const many = clusters(25, (index) =>
      cluster(`x${String(index)}`, "1.17.1", { state: "Error", cause: cause(index) }),
    );
    const { causes, rest } = view("", many).causes;

    expect([causes.length, rest]).toEqual([20, { causes: 5, clusters: 5 }]);
  });

  it("offers all values that occur as filters, even if a filter is set", () => {
    expect(view("q=c").choices).toEqual({
      ...{ modules: ["telemetry"], channels: ["fast", "regular"], versions: ["1.18.0", "1.17.1", "1.16.2", "-"] },
      ...{ states: view().matrix.states, regions: ["-", "eu10", "us10"] },
    });
  });

  it.each([
    ["nothing", "", "d c e g a b f"],
    ["a channel", "channel=regular", "d c e g a b"],
    ["a version", "version=1.17.1", "d c a b"],
    ["no known version", "version=-", "g"],
    ["a state", "state=Error", "d c"],
    ["a state that there is none of", "state=Odd", "d c e g a b f"],
    ["a region", "region=us10", "d c"],
    ["no known region", "region=-", "g"],
    ["a cause", "cause=error+1.17.1+no+space", "d c"],
    ["a part of a name, in capitals or not", "q=A", "a"],
    ["no text", "q=+", "d c e g a b f"],
    ["two things", "state=Error&q=c", "c"],
    ["what there is none of", "q=nothing", ""],
  ])("narrows by %s; what fails comes first, then what lacks it for longest", (_, address, expected) => {
    expect(names(view(address))).toBe(expected);
  });

  it("filters every part, and the answer", () => {
    const { left, total, answers, matrix, regions, causes } = view("region=us10");

    expect([left, total, causes.clusters]).toEqual([2, 7, 2]);
    expect(answers).toMatchObject([
      { channel: "regular", clusters: 2, have: 0 },
      { channel: "fast", clusters: 0 },
    ]);
    expect(matrix.rows.map(({ count }) => count)).toEqual([2]);
    expect(regions.regions.map(({ region }) => region)).toEqual(["us10"]);
  });

  it("has pages of fifty clusters, and uses the nearest existing page", () => {
    const many = clusters(120, (index) => cluster(`x${String(index).padStart(3, "0")}`, "1.17.1"));
    const pages = [1, 3, 9, 0].map((page) => view(`page=${String(page)}`, many).page);

    expect(pages.map(({ number, pages: all, rows }) => [number, all, rows.length, rows[0]?.name])).toEqual([
      ...[
        [1, 3, 50, "x000"],
        [3, 3, 20, "x100"],
      ],
      ...[
        [3, 3, 20, "x100"],
        [1, 3, 50, "x000"],
      ],
    ]);
  });

  it("shows the first module that is used if none is named", () => {
    const asked = { module: undefined, filter: parseFleetFilter(new URLSearchParams()), page: 1 };

    expect(fleetView(fleetOf(SAMPLE), asked)).toMatchObject({ module: "telemetry", total: 7 });
    expect(fleetView(fleetOf([]), asked)).toMatchObject({ module: "", total: 0, page: { number: 1, pages: 1 } });
  });

  it("counts each cluster once in every part, with any filter", () => {
    const use = fc.record({
      version: fc.constantFrom("1.16.2", "1.17.1", "1.18.0", "latest", undefined),
      state: fc.constantFrom("Ready", "Processing", "Warning", "Error", undefined),
      channels: fc.subarray(["fast", "regular", "rapid"]),
      leftOut: fc.constantFrom(undefined, undefined, "unmanaged" as const),
    });
    const address = fc.constantFrom("", "state=Ready", "version=1.17.1", "channel=fast", "region=eu10", "q=1");
    fc.assert(
      fc.property(fc.array(use, { maxLength: 60 }), address, (uses, asked) => {
        const users = uses.map(({ version, ...condition }, index) => cluster(`k${String(index)}`, version, condition));
        const regions = Object.fromEntries(users.map((_, index) => [`k${String(index)}`, index % 3 ? "eu10" : "us10"]));
        const { left, matrix, regions: drawn, causes, page, answers } = view(asked, users, regions);

        expect([sum(matrix.totals), sum(matrix.rows.map(({ count }) => count))]).toEqual([left, left]);
        expect(matrix.rows.every(({ count, counts }) => sum(counts) === count)).toBe(true);
        expect(sum(drawn.regions.map((one) => one.clusters))).toBe(left);
        expect(sum(causes.causes.map(({ count }) => count))).toBe(causes.clusters);
        expect(causes.clusters + sum(drawn.regions.map(({ have }) => have))).toBe(left);
        expect(page.pages).toBe(Math.max(1, Math.ceil(left / 50)));
        expect(answers.every(({ have, clusters: all }) => have <= all)).toBe(true);
      }),
    );
  });
});
