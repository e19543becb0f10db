import { describe, expect, it } from "vitest";
import type { Generation } from "../../src/catalogue/settings.ts";
import { OPEN_GATE, artifactKey, type Artifact, type LiveState } from "../../src/sync/plan/input.ts";
import { acceptedKey } from "../../src/sync/plan/refusals.ts";
import type { EntryItem } from "../../src/sync/plan/item.ts";
import { mentions } from "../support/mentions.ts";
import type { Sample } from "./catalogueFiles.ts";
import {
  byEntry,
  CAREFUL,
  desiredOf,
  edited,
  type Given,
  liveOf,
  planOf,
  respecified,
  type Usage,
  usersOf,
} from "./planning.ts";

const serving = (version: string): Sample => ({ channels: { fast: { istio: version } } });
const live = liveOf(desiredOf(serving("1.2.0")));
/** Its status has the version, by which lifecycle-manager refuses a downgrade. */
const reported: Usage = { module: "istio", channel: "fast", version: "1.2.0" };

function entry(key: string, ...args: Parameters<typeof planOf>): EntryItem | undefined {
  return byEntry(planOf(...args))[key];
}

/** What becomes of an entry that is set to 1.1.0. */
function lowered(now: LiveState, usages: readonly Usage[], generation?: Generation): EntryItem | undefined {
  const wanted = { users: usersOf(...usages), ...(generation && { generation }) };
  return entry("fast/istio", serving("1.1.0"), now, wanted);
}

describe("an entry that is set to a version below the installed one", () => {
  it("moves while lifecycle-manager knows what its users run", () => {
    expect(lowered(live, [reported])).toMatchObject({ kind: "lower", from: "1.2.0", to: "1.1.0" });
  });

  it("says who is protected, endangered and behind", () => {
    const usages = [
      { ...reported, kyma: "a" },
      { ...reported, kyma: "b", version: undefined, installed: "1.2.0" },
      { ...reported, kyma: "c", version: "1.1.0" },
      { ...reported, kyma: "d", version: undefined, installed: null, chosen: "fast" },
    ];

    expect(lowered(live, usages)).toMatchObject({
      kind: "refused",
      refusal: "user-endangered",
      users: {
        protected: { count: 1, examples: ["Kyma a"] },
        endangered: { count: 1, examples: ["Kyma b"] },
        behind: { count: 2 },
      },
    });
  });

  it("protects no cluster within one x.y.z, because lifecycle-manager lowers a pre-release", () => {
    const users = usersOf({ ...reported, version: "1.2.0-rc2" });
    const before = liveOf(desiredOf(serving("1.2.0-rc2")));

    expect(entry("fast/istio", serving("1.2.0-rc1"), before, { users })).toMatchObject({
      kind: "lower",
      users: { protected: { count: 0 }, endangered: { count: 0 }, behind: { count: 1 } },
    });
  });

  it("is refused once the template is gone by which lifecycle-manager knows it", () => {
    const forgotten = edited(live, "istio-1.2.0", () => undefined);
    const item = lowered(forgotten, [reported]);

    expect(item).toMatchObject({ kind: "refused", refusal: "user-endangered" });
    expect(item).toMatchObject({
      remedy: expect.stringMatching(/^Restore .* istio 1\.2\.0.* at least 1\.2\.0\.$/) as string,
    });
  });

  it("is refused for an installed version that cannot be compared", () => {
    const usage = { ...reported, version: undefined, installed: "newest" };

    expect(lowered(live, [usage])).toMatchObject({ kind: "refused", refusal: "user-endangered" });
  });

  it.each([
    ["names no version", "version", ["spec.version", "Manifests"]],
    ["names no module", "module", ["at least 1.2.0"]],
  ] as const)("is refused while the Manifest of a cluster whose version is lost %s", (_, lacks, remedy) => {
    const usage = { ...reported, version: undefined, installed: "1.2.0", lacks };

    expect(lowered(live, [usage])).toMatchObject({
      ...{ kind: "refused", refusal: "user-endangered", users: { endangered: { count: 1, examples: ["Kyma k"] } } },
      remedy: mentions("Restore", "Otherwise", ...remedy),
    });
  });

  it("moves if the status names the version that the Manifest does not name", () => {
    expect(lowered(live, [{ ...reported, lacks: "version" }])).toMatchObject({
      ...{ kind: "lower", users: { protected: { count: 1 }, endangered: { count: 0 } } },
    });
    const older: Usage = { ...reported, version: "1.1.0", lacks: "version" };
    const raised = entry("fast/istio", serving("1.3.0"), live, { users: usersOf(older) });
    expect(raised).toMatchObject({ kind: "raise" });
  });

  it("of another module moves beside a Manifest that names no module", () => {
    const other: Usage = { module: "keda", channel: "fast", version: undefined, installed: "2.0.0", lacks: "module" };

    expect(lowered(live, [reported, other])).toMatchObject({ kind: "lower" });
  });

  it("names the highest installed version", () => {
    const usages = ["1.1.5", "1.3.0", "1.2.0"].map((installed) => ({
      ...reported,
      ...{ kyma: `k-${installed}`, version: undefined, installed },
    }));

    expect(lowered(live, usages)).toMatchObject({ remedy: expect.stringMatching(/at least 1\.3\.0\.$/) as string });
  });
});

describe("an entry whose next template is for other clusters", () => {
  const labels = { "operator.kyma-project.io/beta": "true" };
  const raised = (more: object, usages: readonly Usage[] = []): EntryItem | undefined =>
    entry("fast/istio", { channels: { fast: { istio: { version: "1.3.0", ...more } } } }, live, {
      users: usersOf(...usages),
    });

  it("is refused while it has users, whose module would be uninstalled", () => {
    expect(raised({ labels }, [reported])).toMatchObject({
      ...{ kind: "refused", refusal: "restriction-changed" },
      reason: expect.stringContaining("the label beta of istio-1.3.0") as string,
    });
  });

  it("is refused if a person removed the entry, whatever the repository says of its template now", () => {
    const [template] = desiredOf({ channels: { fast: { istio: { version: "1.2.0", labels } } } }).templates;
    const removed = edited(live, "istio", (meta) => respecified(meta, { channels: [] }));
    const to: Sample = { channels: { fast: { istio: { version: "1.3.0", labels } } } };
    const known = new Map(template && [["istio-1.2.0", template]]);

    expect(entry("fast/istio", to, removed, { users: usersOf(reported), known })).toMatchObject({
      ...{ kind: "refused", refusal: "restriction-changed" },
    });
  });

  it("moves without users, and with the same restrictions", () => {
    expect(raised({ labels })).toMatchObject({ kind: "raise" });
    expect(raised({}, [reported])).toMatchObject({ kind: "raise" });
  });
});

describe("an entry that a person removed, and that comes back with a lower version", () => {
  const removed = edited(live, "istio", (meta) =>
    respecified(meta, { channels: [{ channel: "old", version: "1.0.0" }] }),
  );

  it("is refused, because lifecycle-manager forgets what the users of the entry run", () => {
    expect(lowered(removed, [reported])).toMatchObject({
      ...{ kind: "refused", refusal: "user-endangered", from: undefined },
      remedy: "Release a version of at least 1.2.0.",
    });
  });

  it("comes back if it was never ours", () => {
    expect(lowered({ ...removed, records: { kind: "known", entries: new Map() } }, [reported])).toMatchObject({
      kind: "create",
    });
  });

  it("comes back with its whole release meta, with which lifecycle-manager remembers the versions", () => {
    expect(lowered({ ...live, releaseMetas: [] }, [reported])).toMatchObject({ kind: "create" });
  });

  it("is refused where the template itself is the entry", () => {
    const generation = "channel-templates";
    const before = liveOf(desiredOf(serving("1.2.0"), generation));

    expect(lowered({ ...before, templates: [] }, [reported], generation)).toMatchObject({
      ...{ kind: "refused", refusal: "user-endangered" },
    });
  });
});

describe("a mandatory module that is served no more", () => {
  const mandatory = (modules: Readonly<Record<string, string>>): Sample => ({
    channels: { must: modules },
    mandatory: ["must"],
  });
  const before = liveOf(desiredOf(mandatory({ audit: "1.2.0", other: "1.0.0" })));
  const installed = usersOf({ module: "audit", installed: "1.2.0" });
  const options = { ...CAREFUL, prune: true };
  const removal = (given: Given): EntryItem | undefined =>
    entry("must/audit", mandatory({ other: "1.0.0" }), before, { options, ...given });

  it("is refused while a cluster has it: it would be uninstalled everywhere", () => {
    expect(removal({ users: installed })).toMatchObject({
      ...{ kind: "refused", refusal: "mandatory-removed" },
      reason: mentions("audit", "every cluster", "1 user", "Kyma k"),
      remedy: mentions("accepts", "module.yaml", "mandatory-removed"),
    });
  });

  it("is refused while a Manifest does not name its module", () => {
    const users = usersOf({ module: "other", installed: "1.2.0", lacks: "module" });

    expect(removal({ users })).toMatchObject({
      ...{ kind: "refused", refusal: "mandatory-removed" },
      reason: expect.stringMatching(/: 1 user \(Manifest k-other without the label .*module-name\)\.$/) as string,
    });
  });

  it("rises only if each Manifest names a version", () => {
    const raised = (lacks?: "version"): EntryItem | undefined => {
      const users = usersOf({ module: "audit", installed: "1.2.0", ...(lacks && { lacks }) });
      return entry("must/audit", mandatory({ audit: "1.3.0", other: "1.0.0" }), before, { users });
    };

    expect(raised()).toMatchObject({ kind: "raise" });
    expect(raised("version")).toMatchObject({
      ...{ kind: "refused", refusal: "mandatory-downgrade" },
      remedy: mentions("spec.version", "Manifests"),
    });
  });

  it("is removed once that is accepted, or no cluster has it", () => {
    const step = { module: "audit", channel: "must", from: "1.2.0", to: undefined };
    const accepted = new Set([acceptedKey({ refusal: "mandatory-removed", ...step })]);

    expect(removal({ users: installed, gate: { ...OPEN_GATE, accepted } })).toMatchObject({
      ...{ kind: "remove", carriedOut: true },
    });
    expect(removal({})).toMatchObject({ kind: "remove", carriedOut: true });
  });

  it.for<readonly [Artifact, string]>([
    [{ kind: "missing", where: "there" }, "lower"],
    [{ kind: "present" }, "refused"],
  ])("may be withdrawn to a lower version only if no cluster could install it: %o", ([artifact, kind]) => {
    const found = new Map<string, Artifact>([
      [artifactKey("audit", "1.2.0"), artifact],
      [artifactKey("audit", "1.1.0"), { kind: "present" }],
    ]);
    const given: Given = { artifacts: { kind: "asked", found } };

    expect(entry("must/audit", mandatory({ audit: "1.1.0", other: "1.0.0" }), before, given)).toMatchObject({ kind });
  });
});
