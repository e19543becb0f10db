import { describe, expect, it } from "vitest";
import { NO_USERS } from "../../src/fleet/users.ts";
import { DESIRED_ANNOTATION } from "../../src/kubernetes/object.ts";
import { OPEN_GATE, type LiveState } from "../../src/sync/plan/input.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import { knownKey } from "../../src/sync/plan/state.ts";
import type { EntryRecord, Records } from "../../src/sync/plan/records.ts";
import { plan } from "../../src/sync/plan/plan.ts";
import { announce } from "../../src/sync/record.ts";
import { desiredOf, edited, inputOf, liveOf, marked, NOW, recorded, respecified, usersOf } from "./planning.ts";

const served = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const users = usersOf(
  { module: "istio", kyma: "a", channel: "fast", version: "1.3.0" },
  { module: "istio", kyma: "b", channel: "fast", version: "1.3.0", state: "Error" },
);

/** The record of the entry that is announced for a version, given the record before. */
function announcedOf(version: string, before: EntryRecord): EntryRecord | undefined {
  const desired = desiredOf({ channels: { fast: { istio: version } } });
  const records = { kind: "known", entries: new Map([["fast/istio", before]]) } as const;
  const input = inputOf(desired, { ...liveOf(served), records }, { users });
  return announce(plan(input), input, NOW).entries.get("fast/istio");
}

describe("what is announced", () => {
  const counted = {
    failing: 1,
    inOrder: 1,
    pending: 0,
    countedMs: NOW,
    baseline: 0.1,
    soakedMs: 0,
    isInOrder: true,
    isResumed: false,
  };
  const { current, ...rest } = recorded("1.3.0", served.entries[0]?.specHash);
  const waved = (halt: { readonly sinceMs: number; readonly reason: string } | undefined): EntryRecord => ({
    ...rest,
    current: current && { ...current, wave: { ...counted, halt } },
  });

  it("takes what fails now for what failed before", () => {
    expect(announcedOf("1.4.0", waved(undefined))?.next?.baseline).toBe(0.5);
  });

  it("does not take what fails because of a halted version for what failed before", () => {
    expect(announcedOf("1.4.0", waved({ sinceMs: NOW, reason: "it fails" }))?.next?.baseline).toBe(0.1);
  });

  it("compares a first version with 0, since nothing failed with an earlier one", () => {
    const input = inputOf(
      served,
      { ...liveOf(served), releaseMetas: [], records: { kind: "known", entries: new Map() } },
      { users },
    );

    expect(announce(plan(input), input, NOW).entries.get("fast/istio")).toMatchObject({
      next: { version: "1.3.0", baseline: 0 },
    });
  });

  it.each<[string, (live: LiveState) => LiveState, boolean]>([
    ["nothing is gone", (live) => live, false],
    ["its release meta is gone", (live) => ({ ...live, releaseMetas: [] }), true],
    ["its template is gone", (live) => ({ ...live, templates: [] }), true],
    [
      "another client changed the entry",
      (live) =>
        edited(live, "istio", (meta) => respecified(meta, { channels: [{ channel: "fast", version: "1.2.0" }] })),
      true,
    ],
    [
      "another client changed the entry, and the wanted version waits",
      (live) =>
        edited(live, "istio", (meta) => respecified(meta, { channels: [{ channel: "fast", version: "1.2.0" }] })),
      true,
    ],
  ])("has the time at which a served version comes back, if %s", (name, change, isBack) => {
    const waits = name.includes("waits");
    const wanted = desiredOf({ channels: { fast: { istio: waits ? "1.4.0" : "1.3.0" } } });
    const records = {
      kind: "known",
      entries: new Map([["fast/istio", recorded("1.3.0", served.entries[0]?.specHash)]]),
    } as const;
    const gate = waits ? { ...OPEN_GATE, waves: new Map([["fast/istio", { reason: "it soaks" }]]) } : OPEN_GATE;
    const old = desiredOf({ channels: { regular: { istio: "1.2.0" } } });
    const { templates } = liveOf(old);
    const live = liveOf(served);
    const [template] = live.templates;
    const key = knownKey("istio", "1.3.0", "fast", "version-templates");
    const known = new Map(template && [[key, template]]);
    const all = change({ ...live, templates: [...live.templates, ...templates], records });
    const input = inputOf(wanted, all, { users: NO_USERS, gate, known });
    const { current } = announce(plan(input), input, NOW).entries.get("fast/istio") ?? {};

    expect(current).toMatchObject({ version: "1.3.0" });
    expect(current?.restoredMs).toBe(isBack ? NOW : undefined);
  });

  it("has the accepted changes of terms, which later landscapes may make after they ended", () => {
    const step = { refusal: "restriction-changed", module: "istio", field: "beta", from: undefined, to: true } as const;
    const key = acceptedKey(step);
    const gate = { ...OPEN_GATE, accepted: new Set([key]) };
    const terms = new Map([["istio", { ...served.terms.get("istio"), beta: true }]]);
    const of = (version: string): EntryRecord | undefined => {
      const desired = { ...desiredOf({ channels: { fast: { istio: version } } }), terms };
      const input = inputOf(desired, liveOf(served), { users, gate });
      return announce(plan(input), input, NOW).entries.get("fast/istio");
    };

    expect(of("1.3.0")?.current?.accepted).toEqual([key]);
    expect(of("1.4.0")?.next?.accepted).toEqual([key]);
  });

  it("has the content of a version that was adopted", () => {
    expect(announcedOf("1.3.0", recorded("1.3.0"))?.current?.specHash).toBe(served.entries[0]?.specHash);
  });

  it("does not have the content of a template that is refused, also without records", () => {
    const other = edited(liveOf(served), "istio-1.3.0", (template) =>
      marked(respecified(template, { data: {} }), { annotations: { [DESIRED_ANNOTATION]: "other" } }),
    );
    const hashIn = (records: Records): string | undefined => {
      const input = inputOf(served, { ...other, records });
      return announce(plan(input), input, NOW).entries.get("fast/istio")?.current?.specHash;
    };

    expect(hashIn({ kind: "none" })).toBe("");
    expect(hashIn({ kind: "known", entries: new Map([["fast/istio", recorded("1.3.0")]]) })).toBe("");
    expect(hashIn({ kind: "known", entries: new Map([["fast/istio", recorded("1.3.0", "h")]]) })).toBe("h");
  });

  it("keeps the versions before the wanted one that another client wrote", () => {
    const first = { version: "1.1.0", specHash: "f", fromMs: 1, untilMs: 2, soakedMs: 1 };
    const record = announcedOf("1.3.0", { ...recorded("1.2.0", "h", NOW - 5), previous: [first] });

    expect(record?.current).toMatchObject({ version: "1.3.0", specHash: served.entries[0]?.specHash, sinceMs: NOW });
    expect(record?.previous).toEqual([
      { version: "1.2.0", specHash: "h", fromMs: NOW - 5, untilMs: NOW, soakedMs: 0 },
      first,
    ]);
  });
});
