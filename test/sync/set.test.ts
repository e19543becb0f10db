import { describe, expect, it } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import {
  type LiveState,
  type PlanInput,
  type PlanOptions,
  type SetClaim,
  CLAIM_ANNOTATIONS,
  recordedRevision,
} from "../../src/sync/plan/input.ts";
import type { PlanItem } from "../../src/sync/plan/item.ts";
import { isSuperseded, judgeParent } from "../../src/sync/plan/set.ts";
import { CAREFUL, CLAIM, claimedParent, desiredOf, foreign, inputOf, liveOf, marked, NOTHING } from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const live = liveOf(desired);
const SYNCED: SetClaim = { ...CLAIM, revision: "a".repeat(40) };
const parent = claimedParent(SYNCED);
const NAME = { kind: "ConfigMap", name: "kyma-modules" };

interface Situation {
  readonly now?: KubernetesObject | undefined;
  readonly claim?: Partial<SetClaim>;
  readonly options?: Partial<PlanOptions>;
}

function input({ now = parent, claim = {}, options = {} }: Situation): PlanInput {
  return inputOf(
    desired,
    { ...live, parent: now },
    { claim: { ...SYNCED, ...claim }, options: { ...CAREFUL, ...options } },
  );
}

const judge = (situation: Situation): PlanItem => judgeParent(input(situation));

function without(...keys: readonly (keyof typeof CLAIM_ANNOTATIONS)[]): KubernetesObject {
  const gone = new Set<string>(keys.map((key) => CLAIM_ANNOTATIONS[key]));
  const kept = Object.entries(parent.metadata.annotations ?? {}).filter(([name]) => !gone.has(name));
  return marked(parent, { annotations: Object.fromEntries(kept) });
}

const annotated = (annotations: Readonly<Record<string, string>>): KubernetesObject =>
  marked(parent, { annotations: { ...parent.metadata.annotations, ...annotations } });

const OTHER_SET = { kind: "refused", object: NAME, refusal: "other-set" };

describe("a set with the same claim", () => {
  it("is left unchanged", () => {
    expect(judge({})).toEqual({ kind: "unchanged", object: NAME });
  });

  it("is stamped with the next commit, with the repository as the cause", () => {
    expect(judge({ claim: { revision: "b".repeat(40) } })).toMatchObject({
      kind: "change",
      cause: "repository",
      by: [],
    });
  });
});

describe("a set without a claim", () => {
  it("is stamped", () => {
    const bare = without("repository", "landscape", "generation", "revision");

    expect(judge({ now: bare })).toMatchObject({
      kind: "change",
      cause: "repository",
      desired: {
        metadata: { annotations: { "kyma-modules/repository": "org/name", "kyma-modules/landscape": "dev" } },
      },
    });
  });

  it("is refused if the records name another owner", () => {
    const bare = without("repository", "landscape", "generation", "revision");
    const given = input({ now: bare });
    const owned = (repository: string): PlanItem =>
      judgeParent({ ...given, live: { ...given.live, owner: { repository, landscape: "dev" } } });

    expect(owned("org/other")).toMatchObject(OTHER_SET);
    expect(owned("org/name")).toMatchObject({ kind: "change" });
  });

  it("is refused if the records have another owner than the set, or remain without it", () => {
    const given = input({});
    const owner = { repository: "org/name", landscape: "prod" };

    expect(judgeParent({ ...given, live: { ...given.live, owner } })).toMatchObject(OTHER_SET);
    expect(judgeParent(inputOf(desired, { ...NOTHING, owner }))).toMatchObject(OTHER_SET);
    expect(judgeParent(inputOf(desired, { ...NOTHING, owner: { ...owner, landscape: "dev" } }))).toMatchObject({
      kind: "create",
    });
  });

  it("is created with its claim if there is no parent", () => {
    expect(judgeParent(inputOf(desired, NOTHING))).toMatchObject({
      kind: "create",
      object: NAME,
      desired: { metadata: { annotations: { "kyma-modules/generation": "version-templates" } } },
    });
  });
});

describe("members without a parent", () => {
  const orphans: LiveState = { ...live, parent: undefined };

  it("may belong to another repository until they are taken over", () => {
    expect(judgeParent(inputOf(desired, orphans))).toMatchObject(OTHER_SET);
    expect(judgeParent(inputOf(desired, orphans, { options: { ...CAREFUL, takeOverSet: true } }))).toMatchObject({
      kind: "create",
    });
  });

  it("do not include objects of other clients", () => {
    const theirs = { ...orphans, templates: live.templates.map(foreign), releaseMetas: live.releaseMetas.map(foreign) };

    expect(judgeParent(inputOf(desired, theirs))).toMatchObject({ kind: "create" });
  });
});

describe("another claim", () => {
  it.each([
    [{ repository: "org/other" }, { takeOverSet: true }],
    [{ landscape: "prod" }, { takeOverSet: true }],
    [{ repository: "" }, { takeOverSet: true }],
    [{ generation: "channel-templates" }, { switchGeneration: true }],
    [{ ancestry: "unrelated", revision: "b".repeat(40) }, { rewind: true }],
    [{ ancestry: "aside", revision: "b".repeat(40) }, { rewind: true }],
  ] as const)("%j is refused without its option, and stamped with it", (claim, options) => {
    const others = [{ takeOverSet: true }, { switchGeneration: true }, { rewind: true }].filter(
      (one) => Object.keys(one)[0] !== Object.keys(options)[0],
    );

    expect(judge({ claim })).toMatchObject(OTHER_SET);
    expect(judge({ claim, options: Object.assign({}, ...others) as object })).toMatchObject(OTHER_SET);
    expect(judge({ claim, options })).toMatchObject({ kind: "change", cause: "repository" });
  });

  it("is refused by a set with an incomplete claim", () => {
    for (const [now, claim] of [
      [without("landscape"), { repository: "org/other" }],
      [without("repository"), { landscape: "prod" }],
      [claimedParent({ ...SYNCED, repository: "" }), {}],
    ] as const)
      expect(judge({ now, claim })).toMatchObject(OTHER_SET);
  });

  it("of an unrelated history is refused even if no commit is recorded", () => {
    expect(judge({ now: without("revision"), claim: { ancestry: "unrelated" } })).toMatchObject(OTHER_SET);
  });

  it("of another repository that takes over is not compared by history", () => {
    const claim = { repository: "org/other", ancestry: "unrelated" } as const;

    expect(judge({ claim, options: { takeOverSet: true } })).toMatchObject({ kind: "change" });
  });
});

describe("the parent of a set that a person changed", () => {
  it("is repaired as drift, for changed labels and for annotations outside of the claim", () => {
    expect(judge({ now: marked(parent, { labels: {} }) })).toMatchObject({ kind: "change", cause: "drift" });
    const kinds = { "applyset.kubernetes.io/contains-group-kinds": "Secret" };

    expect(judge({ now: annotated(kinds) })).toMatchObject({ kind: "change", cause: "drift" });
  });

  it("names the client", () => {
    const managedFields = [
      { manager: "kubectl-edit", operation: "Update", time: "2026-05-04T10:00:00Z", fieldsV1: { "f:data": {} } },
    ];

    expect(judge({ now: marked(parent, { labels: {}, managedFields }) })).toMatchObject({ by: ["kubectl-edit"] });
  });
});

describe("the commit that a parent records", () => {
  it("is the last commit of the working tree, or none if it records none", () => {
    const dirty = annotated({ "kyma-modules/revision": "abc+dirty" });

    expect([parent, dirty, without("revision"), claimedParent(), undefined].map(recordedRevision)).toEqual([
      "a".repeat(40),
      "abc",
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("a commit that is behind the recorded one", () => {
  const claim = { ancestry: "behind" } as const;

  it("is superseded, unless it is applied with --rewind", () => {
    expect(isSuperseded(input({ claim }))).toBe(true);
    expect(isSuperseded(input({ claim, options: { rewind: true } }))).toBe(false);
  });

  it("is not superseded in a set of another owner, or without a set", () => {
    expect(isSuperseded(input({ claim: { ...claim, repository: "org/other" } }))).toBe(false);
    expect(isSuperseded(inputOf(desired, NOTHING, { claim: { ...SYNCED, ...claim } }))).toBe(false);
  });

  it("is the only one that is superseded", () => {
    expect([input({}), input({ claim: { ancestry: "unrelated" } })].map(isSuperseded)).toEqual([false, false]);
  });
});
