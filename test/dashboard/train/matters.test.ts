import { describe, expect, it } from "vitest";
import { parseVersion } from "../../../src/catalogue/version.ts";
import { openMatters } from "../../../src/dashboard/train/matters.ts";
import type { StatusInput } from "../../../src/sync/landscapeStatus.ts";
import { textAt, wordsOf } from "../landscapeState.ts";
import { mentions } from "../../support/mentions.ts";
import { HOUR, NOW, reason, sightOf, stateOf, statusIn, verdictOn } from "./trainState.ts";

const COMMIT = { index: 0, commit: "a".repeat(40), atMs: NOW - 2 * HOUR };

describe("what needs a person", () => {
  const V = parseVersion("1.1.0");
  const holds = [
    {
      ...{ version: V, startMs: 0, endMs: Infinity },
      why: { kind: "hold", hold: { version: V, reason: "it leaks", by: "octocat", since: "" }, from: COMMIT },
    },
  ] as never;

  it("is sorted by severity, then age, and a hold is listed once", () => {
    const debt = (version: string, hours: number): never =>
      ({
        hotfix: { version, incident: "" },
        since: { ...COMMIT, atMs: NOW - hours * HOUR },
        kinds: ["review"],
      }) as never;
    const state = stateOf([
      statusIn("regular", "debtor", "1.0.1", { debts: [debt("1.0.1", 1), debt("1.0.0", 5)] }),
      statusIn("regular", "held", "1.0.0", {
        holds,
        ...verdictOn("held", "blocked", "1.1.0", { reasons: [reason({ topic: "hold", outcome: "blocking" })] }),
      }),
      statusIn(
        "regular",
        "stuck",
        "1.0.0",
        verdictOn("stuck", "blocked", "1.1.0", { reasons: [reason({ topic: "files", outcome: "blocking" })] }),
      ),
      statusIn("fast", "wrong", "1.0.0", { isWithheld: true }),
    ]);

    expect(openMatters(state).map(({ kind, module, about }) => `${kind} ${module ?? ""} ${about}`)).toEqual([
      "withheld wrong ",
      "blocked stuck 1.1.0",
      "held held 1.1.0",
      "debt debtor 1.0.0",
      "debt debtor 1.0.1",
    ]);
  });

  it("includes a version that is held and served, with the command to withdraw it", () => {
    const [matter] = openMatters(stateOf([statusIn("regular", "held", "1.1.0", { holds })]));

    expect(matter).toMatchObject({ kind: "served although held", owner: "octocat", file: "modules/held/holds.yaml" });
    expect(matter?.commands[0]).toMatch(/^kyma-modules withdraw held@1\.1\.0 --channel regular/);
  });

  it("includes a channel that went down by hand", () => {
    const why = { kind: "decrease", channel: "fast", to: "1.0.0", at: COMMIT };
    const decreased = [{ version: V, startMs: 0, endMs: Infinity, why }] as never;

    expect(openMatters(stateOf([statusIn("regular", "held", "1.0.0", { holds: decreased })]))).toMatchObject([
      { kind: "held", about: "1.1.0", sinceMs: COMMIT.atMs },
    ]);
  });

  it("includes missing evidence", () => {
    const reasons = [
      reason({ topic: "soak", outcome: "waiting", metAtMs: NOW + HOUR }),
      reason({ topic: "smoke", outcome: "waiting", message: "No smoke test is known.", source: undefined }),
    ];
    const earliest = { kind: "not-before", notBeforeMs: NOW + HOUR, awaiting: ["smoke"] } as const;
    const state = stateOf([
      statusIn("regular", "istio", "1.0.0", verdictOn("istio", "wait", "1.1.0", { reasons, earliest })),
    ]);

    expect(openMatters(state)).toMatchObject([{ kind: "awaited", message: "No smoke test is known." }]);
  });

  it("includes what stops a controller, a refused set, and clusters that are not known", () => {
    const controller = {
      ...{ sinceMs: NOW - HOUR, revision: "", held: { commit: "b".repeat(40), because: "it does not descend" } },
      ...{ failures: [{ about: "stranger", message: "it timed out" }], isStale: true },
      withheld: [{ about: "istio", message: "modules/istio/module.yaml:3: not a map" }],
    };
    const parent = { kind: "ConfigMap", name: "kyma-modules" };
    const objects = [{ kind: "refused", object: parent, by: [], fields: [], reason: "another set" }] as const;
    const sight = sightOf("dev", [], { controller, objects });
    const input = { users: { kind: "unknown", because: "kymas are forbidden" } } as StatusInput;
    const state = stateOf([statusIn("fast", "istio", "1.1.0")], { landscapes: [{ ...sight, input }] });

    expect(
      openMatters(state).map(({ kind, module = "*", about, message }) => `${kind} ${module} ${about}: ${message}`),
    ).toEqual([
      "stuck * dev: bbbbbbbbbb: it does not descend",
      mentions("stale * dev:", "controller", "Lease", "last status"),
      "failed * dev: stranger: it timed out",
      "withheld istio dev: modules/istio/module.yaml:3: not a map",
      "refused * dev: another set",
      mentions("unknown * dev:", "clusters", "kymas are forbidden"),
    ]);
    expect(wordsOf(textAt("/", state))).toContain("Commit not serveddev: bbbbbbbbbb: it does not descend");
  });

  it("includes drift and contested objects by their module, and a pause", () => {
    const object = (name: string): { readonly kind: string; readonly name: string } => ({
      kind: "ModuleReleaseMeta",
      name,
    });
    const none = { by: [], fields: [] };
    const objects = [
      { kind: "drift", object: object("istio-1.1.0"), by: ["kubectl-edit"], fields: [] },
      { kind: "contested", object: object("istio-cni"), ...none },
      { kind: "refused", object: object("istio"), ...none, reason: "it is of another set.", remedy: "Ask its owner." },
      { kind: "waiting", object: object("istio"), ...none, reason: "it is being deleted" },
      { kind: "drift", object: object("stranger"), ...none },
    ] as const;
    const pauses = new Map([
      ["*", { by: "octocat", reason: "an incident", atMs: NOW - HOUR }],
      ["istio", { by: "octocat", reason: "another", atMs: NOW }],
    ]);
    const state = stateOf([statusIn("fast", "istio", "1.1.0"), statusIn("fast", "istio-cni", "1.1.0")], {
      landscapes: [sightOf("dev", [], { objects, pauses })],
    });

    expect(openMatters(state).map(({ kind, module = "*" }) => `${kind} ${module}`)).toEqual([
      "refused istio",
      "contested istio-cni",
      "paused *",
      "paused istio",
      "drift istio",
      "drift *",
    ]);
    expect(openMatters(state).find(({ kind, module }) => kind === "paused" && module === undefined)?.commands).toEqual([
      "kyma-modules sync resume dev --reason TEXT",
    ]);
  });
});
