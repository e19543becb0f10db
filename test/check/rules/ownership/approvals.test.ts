import { describe, expect, it } from "vitest";
import {
  REGULAR,
  FAST,
  BUMP,
  edit,
  HOLDS,
  HOTFIXES,
  MODULE,
  SAMPLE,
  type Example,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { acceptingField } from "../../../../src/check/rules/channel/kind.ts";
import { acceptanceApproval } from "../../../../src/check/rules/ownership/acceptanceApproval.ts";
import { holdRemoval } from "../../../../src/check/rules/ownership/holdRemoval.ts";
import { hotfixApproval } from "../../../../src/check/rules/ownership/hotfixApproval.ts";
import { waiverApproval } from "../../../../src/check/rules/ownership/waiverApproval.ts";
import { APPROVED, contextOf, NOT_KNOWN, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

describe.each([waiverApproval, acceptanceApproval, hotfixApproval])("$id", (rule) => {
  const entry: ExampleFiles = rule.bad.change;

  it("ignores entries that the base has already", async () => {
    expect(said(rule, await contextOf({ base: entry, change: BUMP }))).toEqual([]);
  });

  it("ignores all entries when everything is judged", async () => {
    expect(said(rule, await wholeContext(entry))).toEqual([]);
  });

  it("leaves the decision to branch protection if it is unknown whether a release manager approved", async () => {
    const [finding, ...others] = said(rule, await contextOf({ change: entry, people: NOT_KNOWN }));
    expect(finding).toContain(" warning ");
    expect(others).toEqual([]);
  });

  it("judges a module that the base does not have", async () => {
    const removed: ExampleFiles = Object.fromEntries(Object.keys(SAMPLE).map((path) => [path, undefined]));
    const base = { ...removed, "kyma-modules.yaml": SAMPLE["kyma-modules.yaml"] };
    expect(said(rule, await contextOf({ base, change: { ...SAMPLE, ...entry } }))).toHaveLength(1);
  });
});

const hold = (fields: string): string => `format: 1
holds:
  - { version: 1.1.0, reason: leaks, by: boss, since: "2026-01-01T00:00:00Z"${fields} }
`;

describe("a hold", () => {
  const judged = async (
    base: string,
    change: string | undefined,
    people?: Example["people"],
  ): Promise<readonly string[]> =>
    said(
      holdRemoval,
      await contextOf({ base: { [HOLDS]: base }, change: { ...BUMP, [HOLDS]: change }, ...(people && { people }) }),
    );

  it.each([
    ["as it is", "", hold("")],
    ["with another reason", "", hold("").replace("leaks", "leaks memory")],
    ["for longer", `, until: "2027-01-01T00:00:00Z"`, hold(`, until: "2027-02-01T00:00:00Z"`)],
    ["for ever", `, until: "2027-01-01T00:00:00Z"`, hold("")],
    ["everywhere", ", channel: regular", hold("")],
    ["in its channel", ", channel: regular", hold(", channel: regular")],
    ["until it was over anyway", `, until: "2026-11-21T12:00:00Z"`, undefined],
  ])("may stay %s", async (_, fields, change) => {
    expect(await judged(hold(fields), change)).toEqual([]);
  });

  it.each([
    ["for a shorter time", "", hold(`, until: "2027-01-01T00:00:00Z"`)],
    ["in one channel only", "", hold(", channel: regular")],
    ["in another channel", ", channel: fast", hold(", channel: regular")],
    ["of another version", "", hold("").replace("1.1.0", "1.1.1")],
    ["no longer", "", undefined],
  ])("may not stay %s without approval", async (_, fields, change) => {
    const found = await judged(hold(fields), change);
    expect(found).toHaveLength(1);
    expect(found[0]).toEqual(mentions(`${HOLDS}:2 error`, "sample 1.1.0", "held"));
    expect(await judged(hold(fields), change, APPROVED)).toEqual([]);
    expect((await judged(hold(fields), change, NOT_KNOWN))[0]).toEqual(mentions("warning"));
  });

  it("is not judged in a file that cannot be read, which is an error by itself", async () => {
    expect(await judged(hold(""), "format: 1\nholds: none\n")).toEqual([]);
  });

  it("is judged for an entry that ends when it begins, in new and known modules", async () => {
    const lift = { [HOLDS]: hold(`, until: "2026-01-01T00:00:00Z"`) };
    const unknown = { [MODULE]: undefined, [FAST]: undefined, [REGULAR]: undefined };
    const expected = [mentions(`${HOLDS}:3 error`, "ends", "begins")];
    expect(said(holdRemoval, await contextOf({ change: lift }))).toEqual(expected);
    expect(said(holdRemoval, await contextOf({ base: unknown, change: lift }))).toEqual(expected);
    expect(said(holdRemoval, await contextOf({ change: lift, people: APPROVED }))).toEqual([]);
    expect(said(holdRemoval, await contextOf({ base: lift, change: BUMP }))).toEqual([]);
  });

  it("is judged for a module that is removed", async () => {
    const removed: ExampleFiles = Object.fromEntries(
      Object.keys(SAMPLE)
        .filter((path) => path.includes("sample"))
        .map((path) => [path, undefined]),
    );
    const context = await contextOf({ base: { [HOLDS]: hold("") }, change: { ...removed, [HOLDS]: undefined } });
    expect(said(holdRemoval, context)).toHaveLength(1);
  });

  it("is not judged when everything is", async () => {
    expect(said(holdRemoval, await wholeContext({ [HOLDS]: hold("") }))).toEqual([]);
  });
});

it("describes the effect that an entry would have had", async () => {
  const waived = {
    [MODULE]: edit(
      SAMPLE[MODULE] ?? "",
      "ocm",
      `waivers: [{ rule: image-mutable-tag, version: 1.2.0, reason: R, until: "2100-01-01T00:00:00Z" }]\nocm`,
    ),
  };
  const hotfix = { [HOTFIXES]: hotfixApproval.bad.change[HOTFIXES] };

  expect(said(waiverApproval, await contextOf({ change: waived }))).toEqual([
    mentions(`${MODULE}:3 error`, "waiver", "image-mutable-tag", "sample 1.2.0", "release manager"),
  ]);
  const message = async (files: ExampleFiles): Promise<readonly string[]> =>
    said(acceptanceApproval, await contextOf({ change: files }));
  expect(await message(acceptanceApproval.bad.change)).toEqual([
    mentions(`${MODULE}:4 error`, "acceptance", "channel-removal", "sample 1.1.0", "fast", "release manager"),
  ]);
  expect(await message({ [MODULE]: acceptingField("restriction-changed", "beta", null, true) })).toEqual([
    mentions(`${MODULE}:3 error`, "acceptance", "restriction-changed", "beta", "sample", "release manager"),
  ]);
  expect(said(hotfixApproval, await contextOf({ change: hotfix }))).toEqual([
    mentions(`${HOTFIXES}:3 error`, "sample 1.0.1", "hot-fix", "regular", "release manager"),
  ]);
});
