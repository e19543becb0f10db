import { describe, expect, it } from "vitest";
import type { Hold, Hotfix } from "../../../src/catalogue/policy.ts";
import { promotionChanges, type PromotionChange } from "../../../src/promote/simulate/changes.ts";
import type { DeclaredEntry, ModuleHistory, Revision } from "../../../src/catalogue/history/history.ts";
import { channel, historyOf, realTimeline, table, inputOf } from "./tables.ts";

const [FAST, REGULAR] = [channel("fast"), channel("regular")];
const PAIR = { channel: REGULAR, followed: FAST };

const line = ({ revision, from, to, how }: PromotionChange): string =>
  `${new Date(revision.atMs).toISOString().slice(0, 10)} ${from ?? "none"} → ${to ?? "none"} ${how.kind}`;

const istio = (...rows: readonly string[]): ModuleHistory =>
  historyOf(inputOf(table(...rows.map((row) => row.replace(" ", " istio ")))), "istio");

const changes = (...rows: readonly string[]): readonly PromotionChange[] => promotionChanges(istio(...rows), PAIR, []);

describe("a step of a following channel", () => {
  it("is a promotion if the followed channel had the version before; the lead time starts when it first did", () => {
    const [, promotion] = changes(
      "01 fast 1.0.0",
      "01 regular 1.0.0",
      "02 fast 1.1.0",
      "03 fast 1.2.0",
      "04 fast 1.1.0",
      "05 regular 1.1.0",
    );

    expect(promotion?.how).toEqual({ kind: "promotion", level: "minor", leadMs: 3 * 86_400_000 });
    expect(promotion?.followed).toBe("1.1.0");
  });

  it("is a promotion without lead time when both get it in one commit", () => {
    const [, promotion] = changes("01 fast 1.0.0", "01 regular 1.0.0", "02 regular 1.0.1", "02 fast 1.0.1");

    expect(promotion?.how).toEqual({ kind: "promotion", level: "patch", leadMs: 0 });
  });

  it("is a promotion of level first if the channel had no version and the followed one did", () => {
    expect(changes("01 fast 1.0.0", "04 regular 1.0.0")[0]?.how).toEqual({
      kind: "promotion",
      level: "first",
      leadMs: 3 * 86_400_000,
    });
  });

  it("is first if nothing earlier is known", () => {
    expect(changes("01 fast 1.0.0", "01 regular 1.0.0").map(line)).toEqual(["2024-01-01 none → 1.0.0 first"]);
    expect(changes("01 regular 1.0.0", "02 fast 1.0.0").map(line)).toEqual(["2024-01-01 none → 1.0.0 first"]);
    expect(changes("01 regular 1.0.0").map(line)).toEqual(["2024-01-01 none → 1.0.0 first"]);
  });

  it("is a hot-fix when the followed channel never serves it and it is a patch", () => {
    expect(changes("01 fast 1.1.0", "01 regular 1.0.0", "02 regular 1.0.1").map(line)[1]).toBe(
      "2024-01-02 1.0.0 → 1.0.1 hot-fix",
    );
  });

  it("is unknown when it is more than a patch, or the followed channel serves it later", () => {
    expect(changes("01 fast 1.0.0", "01 regular 1.0.0", "02 regular 1.1.0").map(line)[1]).toBe(
      "2024-01-02 1.0.0 → 1.1.0 unknown",
    );
    expect(changes("01 fast 1.0.0", "01 regular 1.0.0", "02 regular 1.0.1", "03 fast 1.0.1").map(line)[1]).toBe(
      "2024-01-02 1.0.0 → 1.0.1 unknown",
    );
  });

  it("is a downgrade below what the channel served", () => {
    const steps = changes("01 fast 1.1.0", "01 regular 1.1.0", "02 regular 1.0.0", "03 regular 1.1.0");

    expect(steps.map(({ how }) => how.kind)).toEqual(["first", "downgrade", "promotion"]);
    expect(steps[1]?.how).toEqual({ kind: "downgrade", highest: "1.1.0" });
  });

  it("is a withdrawal if the higher versions are held in the same merge, as in history", () => {
    const rows = ["01 fast 1.1.0", "01 regular 1.0.0", "02 regular 1.1.0", "03 regular 1.0.0"] as const;
    const history = istio(...rows);
    const [, second, third] = history.served.get(REGULAR) ?? [];
    if (second?.version === undefined || third === undefined) throw new Error("there are three");
    const entry: Hold = { version: second.version, reason: "it leaks", by: "anna", since: "2024-01-03T00:00:00Z" };
    const kind = (from: Revision): string | undefined =>
      promotionChanges({ ...history, holds: [{ entry, from, to: undefined }] }, PAIR, [])[2]?.how.kind;

    expect([kind(third.revision), kind({ ...third.revision, index: 9 })]).toEqual(["withdrawal", "downgrade"]);
  });

  it("is compared with the highest version once the channel served nothing", () => {
    const steps = changes(
      "01 fast 1.1.0",
      "01 regular 1.1.0",
      "02 regular 1.0.0",
      "03 regular ",
      "04 regular 1.0.9",
      "05 regular ",
      "06 regular 1.1.1",
    );

    expect(steps.map(line).slice(2)).toEqual([
      "2024-01-03 1.0.0 → none removal",
      "2024-01-04 none → 1.0.9 downgrade",
      "2024-01-05 1.0.9 → none removal",
      "2024-01-06 none → 1.1.1 hot-fix",
    ]);
  });

  it("is a hot-fix if it was declared as one, even if the followed channel had it before", () => {
    const history = istio("01 fast 1.0.1", "01 regular 1.0.0", "02 regular 1.0.1");
    const from = { index: 1, commit: "commit-02", atMs: Date.parse("2024-01-02T00:00:00Z") };
    const [version] = [...(history.served.get(REGULAR) ?? [])].slice(-1).flatMap((state) => state.version ?? []);
    if (version === undefined) throw new Error("nothing is served");
    const entry: Hotfix = { version, channel: REGULAR, incident: "https://x", by: "anna", at: "2024-01-02T00:00:00Z" };
    const declared: DeclaredEntry<Hotfix> = { entry, from, to: undefined };

    expect(promotionChanges({ ...history, hotfixes: [declared] }, PAIR, [])[1]?.how).toEqual({
      kind: "hot-fix",
      declared,
    });
    expect(
      promotionChanges({ ...history, hotfixes: [{ ...declared, entry: { ...entry, channel: FAST } }] }, PAIR, [])[1]
        ?.how.kind,
    ).toBe("promotion");
  });

  it("is not a step when only the content of the version changed", () => {
    const history = istio("01 fast 1.0.0", "01 regular 1.0.0", "02 regular 1.0.1");
    const [first, second] = history.served.get(REGULAR) ?? [];
    if (first === undefined || second === undefined) throw new Error("there are two");
    const served = new Map([[REGULAR, [first, { ...second, version: first.version }]]]);

    expect(promotionChanges({ ...history, served }, PAIR, [])).toHaveLength(1);
  });

  it("does not exist if the channel never had the module", () => {
    expect(changes("01 fast 1.0.0")).toEqual([]);
  });
});

describe("the real history of regular", () => {
  const every = (input: ReturnType<typeof realTimeline>): readonly string[] =>
    [...input.modules].flatMap(([name, history]) =>
      promotionChanges(history, PAIR, []).map((change) => `${name} ${line(change)}`),
    );
  const ending = (lines: readonly string[], kind: string): readonly string[] =>
    lines.filter((text) => text.endsWith(` ${kind}`));

  it("has exactly four hot-fixes", (context) => {
    expect(ending(every(realTimeline(context)), "hot-fix")).toEqual([
      "api-gateway 2024-03-22 2.2.1 → 2.2.2 hot-fix",
      "istio 2024-03-22 1.3.2 → 1.3.3 hot-fix",
      "telemetry 2024-05-27 1.15.0 → 1.15.1 hot-fix",
      "telemetry 2024-06-11 1.16.1 → 1.16.2 hot-fix",
    ]);
  });

  it("had a newer minor in fast at each hot-fix", (context) => {
    const fixes = [...realTimeline(context).modules.values()]
      .flatMap((history) => promotionChanges(history, PAIR, []))
      .filter(({ how }) => how.kind === "hot-fix");

    expect(fixes.map(({ followed }) => followed)).toEqual(["2.3.1", "1.4.1", "1.16.1", "1.17.1"]);
  });

  it("has exactly two downgrades", (context) => {
    expect(ending(every(realTimeline(context)), "downgrade")).toEqual([
      "telemetry 2023-11-21 1.3.0 → 1.2.0 downgrade",
      "telemetry 2024-03-26 1.11.1 → 1.10.1 downgrade",
    ]);
  });

  it("has exactly four versions that were not seen in fast before", (context) => {
    expect(ending(every(realTimeline(context)), "unknown")).toEqual([
      "api-gateway 2024-08-13 2.3.1 → 2.4.2 unknown",
      "telemetry 2024-01-17 1.2.0 → 1.6.1 unknown",
      "telemetry 2024-05-10 1.12.0 → 1.14.0 unknown",
      "telemetry 2024-08-13 1.18.1 → 1.20.0 unknown",
    ]);
  });

  it("begins with each module in both channels, and has one removal", (context) => {
    const lines = every(realTimeline(context));

    expect(ending(lines, "first")).toHaveLength(12);
    expect(ending(lines, "removal")).toHaveLength(1);
    expect(ending(lines, "promotion")).toHaveLength(lines.length - 23);
  });

  it("has promotions of soak 0", (context) => {
    const atOnce = [...realTimeline(context).modules].flatMap(([name, history]) =>
      promotionChanges(history, PAIR, []).flatMap(({ to, how }) =>
        how.kind === "promotion" && how.leadMs === 0 ? `${name} ${to ?? ""}` : [],
      ),
    );

    expect(atOnce).toContain("btp-operator 1.1.11");
    expect(atOnce).toMatchInlineSnapshot(`
      [
        "application-connector 1.0.5",
        "application-connector 1.1.3",
        "btp-operator 1.1.2",
        "btp-operator 1.1.8",
        "btp-operator 1.1.11",
        "btp-operator 1.1.15",
        "cap-operator 0.1.1",
        "eventing 1.0.2",
        "istio 1.2.1",
        "istio 1.6.1",
        "istio 1.8.2",
        "keda 1.0.2",
        "nats 1.0.3",
        "serverless 1.2.1",
        "serverless 1.4.4",
        "transparent-proxy 1.4.1",
        "transparent-proxy 1.5.0",
      ]
    `);
  });
});
