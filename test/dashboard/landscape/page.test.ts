import { describe, expect, it } from "vitest";
import { landscapeAttention } from "../../../src/dashboard/landscape/attention.ts";
import type { DashboardState, LandscapeSight } from "../../../src/dashboard/state.ts";
import { NO_USERS } from "../../../src/fleet/users.ts";
import type { LandscapeStatus, StatusInput } from "../../../src/sync/landscapeStatus.ts";
import type { Plan } from "../../../src/sync/plan/item.ts";
import { DESKTOP, expectReadable, openPage, servePages } from "../../support/pages.ts";
import { istio, RECORDS, USERS } from "../module/istio.ts";
import { sightOf as plannedSight } from "../story.ts";
import { clustersOf, entryOf, sightOf, stateOf, sentencesOf, statusOf, textAt, wordsOf } from "../landscapeState.ts";
import { mentions } from "../../support/mentions.ts";

const NOW = Date.parse("2030-01-02T12:00:00Z");
const HOUR = 3_600_000;
const HOSTILE = "<img src=x onerror=alert(1)>";
const COMMIT = "a".repeat(40);
/** The section with the plan of a sync. */
const PLANNED = '<section class="page-section" id="plan"';

const halt = { sinceMs: NOW - HOUR, reason: "3 users of 100 fail" };
const stands = { baseline: 0, soakedMs: 0, isInOrder: false, isResumed: false, halt };
const wave = { failing: 0, inOrder: 1_100, pending: 0, countedMs: NOW, ...stands };
const refused = { kind: "refused", version: "1.1.0", reason: HOSTILE, remedy: "Raise it." } as const;
const object = { kind: "ModuleReleaseMeta", name: "istio" };

/** A landscape with every kind of problem. */
const TROUBLED = statusOf("prod", {
  serves: COMMIT,
  lease: { holder: "controller-1", sinceMs: NOW - 2 * HOUR, renewedMs: NOW - HOUR, isExpired: true },
  controller: {
    ...{
      sinceMs: NOW - HOUR,
      revision: COMMIT,
      failures: [{ about: "keda", message: "the API server refuses it" }],
      withheld: [{ about: "warden", message: "modules/warden/module.yaml:3: it is no map" }],
      isStale: true,
    },
    held: { commit: "b".repeat(40), because: "It does not compile." },
  },
  pauses: new Map([
    ["*", { by: "ada", reason: "maintenance", atMs: NOW - HOUR }],
    ["istio", { by: "bob", reason: "incident", atMs: NOW - HOUR }],
  ]),
  entries: [
    entryOf({
      ...{ channel: "fast", module: "istio", version: "1.2.0", sinceMs: NOW - HOUR, users: 1_100, wave },
      clusters: clustersOf({ inOrder: 1_097, failing: 3 }, "error"),
    }),
    entryOf({ channel: "regular", module: "istio", version: "1.1.5", wanted: refused }),
    entryOf({
      ...{ channel: "regular", module: "keda", version: "1.0.0" },
      wanted: { kind: "waiting", version: "1.1.0", reason: "soaks on stage", untilMs: NOW + HOUR },
      soaks: [{ landscape: "late", soaked: { kind: "soaking", untilMs: NOW + HOUR } }],
    }),
    entryOf({
      ...{ channel: "regular", module: "telemetry", version: undefined, mandatory: true },
      wanted: { kind: "held", version: "1.0.0", reason: "CVE", remedy: "kyma-modules unhold telemetry@1.0.0" },
    }),
    entryOf({ channel: "regular", module: "warden", version: "1.0.0", wanted: { kind: "raise", version: "1.1.0" } }),
  ],
  objects: [
    { kind: "contested", object, by: ["kubectl"], fields: [{ path: ["spec", "a"], kind: "extra", found: 1 }] },
    {
      ...{ kind: "drift", object, by: [] },
      fields: ["a", "b", "c", "d"].map((key) => ({ path: ["spec", key], kind: "extra", found: 1 }) as const),
    },
    { kind: "waiting", object, by: [], fields: [], reason: "deletion pending" },
  ],
  notes: ["Nothing is removed."],
});

const PLAN: Plan = {
  ...{ landscape: "prod", noRemoval: undefined, notes: [] },
  parent: { kind: "unchanged", object: { kind: "ConfigMap", name: "set" } },
  modules: [
    {
      module: "warden",
      terms: undefined,
      entries: [
        {
          ...{ kind: "raise", module: "warden", channel: "regular", mandatory: false, from: "1.0.0", to: "1.1.0" },
          ...{ cause: "repository", specHash: "x", accepted: [] },
        },
      ],
      items: [
        { kind: "retained", object: { kind: "ModuleTemplate", name: "warden-1.0.0" }, because: "Kyma a uses it" },
      ],
    },
  ],
};

function planned(sight: LandscapeSight, plan: Plan, supersededBy?: string): LandscapeSight {
  const input = { ...sight.input, prepared: { plan, supersededBy } } as StatusInput;
  return { ...sight, input };
}

function stateWith(status: LandscapeStatus, supersededBy?: string): DashboardState {
  return stateOf([planned(sightOf("prod", NO_USERS, status, NOW), PLAN, supersededBy)], NOW);
}

const at = (address: string, state: DashboardState): string => wordsOf(textAt(address, state));

describe("what needs a person on a landscape", () => {
  it("is sorted with the most severe first, each with a remedy", () => {
    expect(landscapeAttention(TROUBLED, NO_USERS).map(({ kind, about }) => `${kind} ${about}`)).toEqual([
      ...["stuck bbbbbbbbbb", "stale the controller", "failed keda", "halted fast/istio 1.2.0"],
      ...[
        "refused regular/istio 1.1.0",
        "contested ModuleReleaseMeta istio",
        "withheld warden",
        "paused everything",
        "paused istio",
        "drift ModuleReleaseMeta istio",
      ],
      ...["held regular/telemetry 1.0.0", "waiting regular/keda 1.1.0", "waiting ModuleReleaseMeta istio"],
    ]);
    expect(landscapeAttention(TROUBLED, NO_USERS)).toMatchObject([
      ...[{}, {}, { message: "the API server refuses it" }],
      ...[{ command: "kyma-modules sync resume prod istio --reason TEXT" }, { remedy: "Raise it." }, {}, {}],
      ...[{ command: "kyma-modules sync resume prod --reason TEXT" }, {}],
      { message: "an unknown client changed it: spec.a, spec.b, spec.c, and 1 more" },
      ...[{ command: "kyma-modules unhold telemetry@1.0.0" }, { untilMs: NOW + HOUR }, { message: "deletion pending" }],
    ]);
  });

  it("is nothing if everything is in order", () => {
    const entries = [entryOf({ channel: "fast", module: "a", version: "1.0.0" })];
    expect(landscapeAttention(statusOf("dev", { entries }), undefined)).toEqual([]);
  });

  it("includes clusters that are not known", () => {
    const users = { kind: "unknown", because: "it may not list kymas" } as const;
    const entries = [entryOf({ channel: "fast", module: "a", version: "1.0.0" })];
    const state = stateOf([planned(sightOf("prod", users, statusOf("prod", { entries }), NOW), PLAN)], NOW);
    const sentences = sentencesOf(textAt("/landscapes/prod", state));

    expect(sentences).toContainEqual(mentions("Not known", "clusters", "may not list kymas"));
    expect(sentences).not.toContainEqual(mentions("Nothing", "needs you"));
    expect(at("/landscapes", state)).toEqual(mentions("prod", "1 to look at"));
  });
});

describe("the page of a landscape", () => {
  it("shows how many entries are as wanted, its commit, and its controller", () => {
    const text = textAt("/landscapes/prod", stateWith(TROUBLED));
    const [words, sentences] = [wordsOf(text), sentencesOf(text)];

    expect(sentences).toContainEqual(mentions("1 of 5 entries", "1 wave halted", "attention"));
    expect(sentences).toContainEqual(mentions("serves aaaaaaaaaa", "commit"));
    expect(sentences).toContainEqual(mentions("expired", "controller-1", "11:00Z"));
    expect(words).toContain(
      "istio fast 1.2.0 1 h 1 100 1 097 of 1 100 (99.7 %) Error 1 097 in order, 3 failing – in order",
    );
    expect(words).toContain("keda regular 1.0.0 not known not known not known – not known late in 1 h waiting 1.1.0");
    expect(words).toContain("Nothing is removed.");
  });

  it("counts the clusters of an entry from their Kymas", async () => {
    const state = await istio();
    const landscapes = [plannedSight(state, "prod", { users: USERS, records: RECORDS })];
    const words = at("/landscapes/prod", { ...state, landscapes });

    expect(words).toContain("istio regular 1.1.1 2 d 12 h 10 8 of 10 (80 %) Error 8 in order, 1 pending, 1 failing");
  });

  it("does not know what is wanted if its set refuses the commit", async () => {
    const state = await istio();
    const landscapes = [plannedSight(state, "prod", { users: USERS, records: RECORDS, ancestry: "unrelated" })];
    const words = at("/landscapes/prod", { ...state, landscapes });

    expect(words).toContain("1 entry recorded; something needs attention.");
    expect(words).toMatch(/Refused ConfigMap kyma-modules: .*1 failing – not known/);
  });

  it("shows the plan of a sync, as the command prints it", () => {
    const text = textAt("/landscapes/prod", stateWith(TROUBLED));
    const words = wordsOf(text);

    expect(text).toContain(PLANNED);

    expect(words).toContain("1 raise; objects: 1 retained");
    expect(words).toContain("raise regular/warden 1.0.0 → 1.1.0");
    expect(words).toContain("retained ModuleTemplate warden-1.0.0 Kyma a uses it");
    expect(words).toContain("kyma-modules plan prod");
  });

  it("quotes names from the control plane in its commands", () => {
    const pauses = new Map([["x;id", { by: "ada", reason: "incident", atMs: NOW }]]);

    expect(textAt("/landscapes/prod", stateWith(statusOf("prod", { pauses })))).toContain(
      "<code>kyma-modules sync resume prod &#39;x;id&#39; --reason TEXT</code>",
    );
  });

  it("shows no wanted versions if it serves a newer commit", () => {
    const newer = statusOf("prod", { serves: "c".repeat(40), isNewer: true, isWantedKnown: false });
    const text = textAt("/landscapes/prod", stateWith(newer, "c".repeat(40)));

    expect(sentencesOf(text)).toContainEqual(mentions("cccccccccc", "newer", "aaaaaaaaaa"));
    expect(text).not.toContain(PLANNED);
  });

  it("is quiet if nothing needs to be done", () => {
    const lease = { holder: "controller-1", sinceMs: NOW - HOUR, renewedMs: NOW, isExpired: false };
    const text = textAt("/landscapes/prod", stateWith(statusOf("prod", { serves: "d".repeat(40), lease })));
    const words = wordsOf(text);

    expect(sentencesOf(text)).toContainEqual(mentions("Nothing", "needs you"));
    expect(words).toContain("Nothing is served.");
    expect(words).toContain("controller-1 holds it for 1 h");
    expect(words).toContain("It serves dddddddddd; these pages show aaaaaaaaaa.");
    const timeless = { ...lease, sinceMs: undefined };
    expect(at("/landscapes/prod", stateWith(statusOf("prod", { lease: timeless })))).toContain("controller-1 holds it");
    expect(at("/landscapes/prod", stateWith(statusOf("prod")))).toContain("no holder");
    const dead = { ...lease, holder: "controller_a", isExpired: true };
    const unheard = textAt("/landscapes/prod", stateWith(statusOf("prod", { lease: dead })));
    expect(sentencesOf(unheard)).toContainEqual(mentions("Stale", "controller", "no status"));
  });

  it("shows when it was seen, or that it was never seen", () => {
    const blind = { sinceMs: NOW - HOUR, because: "It does not answer." };
    const [seen] = stateWith(TROUBLED).landscapes;
    const unseen = { name: "dev", input: undefined, status: undefined, seenMs: undefined, blind };
    const state = stateOf([...(seen === undefined ? [] : [{ ...seen, blind }]), unseen], NOW + HOUR);

    expect(at("/landscapes/prod", state)).toContain("as of 12:00Z");
    expect(at("/landscapes/dev", state)).toEqual(mentions("dev", "seen yet", blind.because));
    expect(at("/landscapes/nowhere", state)).toContain("Page not found");
    expect(at("/landscapes", state)).toContain("as of 12:00Z · 13 to look at");
    expect(at("/landscapes", state)).toEqual(mentions("dev", "Not seen", blind.because, "never seen"));
    expect(sentencesOf(textAt("/landscapes", stateOf([], NOW)))).toContainEqual(mentions("No control plane"));
  });

  it("shows reasons as text", () => {
    const text = textAt("/landscapes/prod", stateWith(TROUBLED));

    expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
    expect(text).not.toContain("<img");
  });

  it("is accessible at every width, in the light and in the dark", async (context) => {
    const { address } = await servePages(context, stateWith(TROUBLED));

    for (const path of ["/landscapes/prod", "/landscapes"]) {
      await expectReadable(await openPage(context, `${address}${path}`, DESKTOP));
    }
  });
});
