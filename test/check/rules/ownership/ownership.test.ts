import { describe, expect, it, test } from "vitest";
import {
  BUMP,
  CODEOWNERS,
  edit,
  FAST,
  FAST_POLICY,
  MODULE,
  REGULAR_POLICY,
  SAMPLE,
  SETTINGS,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { TEAMS_PATH } from "../../../../src/catalogue/codeowners.ts";
import type { People } from "../../../../src/check/facts.ts";
import { hotfixApproval } from "../../../../src/check/rules/ownership/hotfixApproval.ts";
import { ownershipAuthor } from "../../../../src/check/rules/ownership/author.ts";
import { ownershipCodeowners } from "../../../../src/check/rules/ownership/codeowners.ts";
import { ownershipOverride } from "../../../../src/check/rules/ownership/override.ts";
import { ownershipTeams } from "../../../../src/check/rules/ownership/teams.ts";
import { waiverApproval } from "../../../../src/check/rules/ownership/waiverApproval.ts";
import { waiverExpired } from "../../../../src/check/rules/ownership/waiverExpired.ts";
import { waiverUnknown } from "../../../../src/check/rules/ownership/waiverUnknown.ts";
import { mentions } from "../../../support/mentions.ts";
import { contextOf, said, TEAMS, wholeContext } from "../../contexts.ts";

describe("the author of a change", () => {
  const judged = async (change: ExampleFiles, people: Partial<People>): Promise<readonly string[]> =>
    said(ownershipAuthor, await contextOf({ change, people: { teams: TEAMS, ...people } }));
  const POLICY: ExampleFiles = { [FAST_POLICY]: "format: 1\nlandscapes: [dev]\nversions: any\n" };
  const MANAGERS: ExampleFiles = {
    [SETTINGS]: edit(SAMPLE[SETTINGS] ?? "", `["@sample/release-managers"]`, "[stranger]"),
  };
  const JOINED: ExampleFiles = { [TEAMS_PATH]: '"@sample/release-managers": [stranger]\n' };
  const NEW: ExampleFiles = {
    "channels/fast/newcomer.yaml": templateText("fast", "1.0.0").replaceAll("sample", "newcomer"),
    "modules/newcomer/module.yaml": "format: 1\nowners: [stranger]\n",
  };

  test.each<[string, ExampleFiles, Partial<People>]>([
    ["owns the module", BUMP, { author: "owner" }],
    ["is a release manager", { ...BUMP, ...POLICY }, { author: "Boss" }],
    ["has the approval of an owner", BUMP, { author: "stranger", approvedBy: ["owner"] }],
    ["has the approval of a release manager", { ...POLICY, ...NEW }, { author: "stranger", approvedBy: ["boss"] }],
    ["changes a file without owners", { "README.md": "Hello" }, { author: "stranger" }],
  ])("may change it who %s", async (_, change, people) => {
    expect(await judged(change, people)).toEqual([]);
  });

  test.each<[string, ExampleFiles, Partial<People>, string]>([
    ["owns nothing of the module", BUMP, { author: "stranger" }, `${FAST}:1 error`],
    ["owns a module only, for a policy", POLICY, { author: "owner" }, `${FAST_POLICY}:1 error`],
    ["joins the release managers", JOINED, { author: "stranger" }, `${TEAMS_PATH}:1 error`],
    [
      "joins the release managers, with unknown teams",
      JOINED,
      { author: "x", teams: new Map() },
      `${TEAMS_PATH}:1 warning`,
    ],
    ["makes themselves a release manager", MANAGERS, { author: "stranger" }, `${SETTINGS}:1 error`],
    [
      "makes themselves an owner",
      { [MODULE]: SAMPLE[MODULE]?.replace("@sample/team", "stranger/x") },
      { author: "stranger" },
      `${MODULE}:1 error`,
    ],
    ...[
      ...["src/cli/main.ts", ".ci/run", "schemas/module.schema.json", "package.json", "package-lock.json", ".npmrc"],
      ...["npm-shrinkwrap.json", "binding.gyp", "tsconfig.build.json"],
    ].map((path): [string, ExampleFiles, Partial<People>, string] => [
      `changes ${path}, which judges the next change`,
      { [path]: "1" },
      { author: "owner" },
      `${path}:1 error`,
    ]),
    ["adds a module of their own", NEW, { author: "stranger" }, "channels/fast/newcomer.yaml:1 error"],
    ["may be an owner, with unknown teams", BUMP, { author: "stranger", teams: new Map() }, `${FAST}:1 warning`],
    [
      "may be a release manager, with unknown teams",
      POLICY,
      { author: "x", teams: new Map() },
      `${FAST_POLICY}:1 warning`,
    ],
  ])("may not who %s", async (_, change, people, wanted) => {
    const found = await judged(change, people);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain(wanted);
  });

  it("removes no file of others", async () => {
    expect(await judged({ [FAST]: undefined }, { author: "stranger" })).toHaveLength(1);
  });

  it("is refused once for each module, and once for the release managers", async () => {
    expect(await judged({ ...BUMP, ...POLICY, ...NEW }, { author: "stranger" })).toHaveLength(3);
  });

  it("gets a hint if there are no release managers", async () => {
    const settings = edit(SAMPLE[SETTINGS] ?? "", `releaseManagers: ["@sample/release-managers"]\n`, "");
    const context = await contextOf({ base: { [SETTINGS]: settings }, change: POLICY, people: { author: "boss" } });
    expect(said(ownershipAuthor, context)[0]).toContain("name releaseManagers");
  });

  it("is not judged if unknown, nor if nothing changes", async () => {
    expect(await judged(BUMP, { author: undefined })).toEqual([mentions("not run", "--author")]);
    expect(await judged({}, { author: undefined })).toEqual([]);
    expect(said(ownershipAuthor, await wholeContext({}))).toEqual([]);
  });
});

describe("the policy of a module", () => {
  const overriding = (policy: string): ExampleFiles => ({ [MODULE]: `${SAMPLE[MODULE] ?? ""}policy:\n${policy}` });
  const weaker = overriding("  regular: { soak: { minor: 1d } }\n");
  const weakerSaid = [mentions(`${MODULE}:5 error`, "soak.minor", "regular", "7d")];

  it("is judged if everything is, and if the change touches it", async () => {
    expect(said(ownershipOverride, await wholeContext(weaker))).toEqual(weakerSaid);
    expect(said(ownershipOverride, await contextOf({ change: weaker }))).toEqual(weakerSaid);
    expect(said(ownershipOverride, await contextOf({ base: weaker, change: BUMP }))).toEqual([]);
  });

  it("is compared with the channel in the base", async () => {
    const loosened = edit(SAMPLE[REGULAR_POLICY] ?? "", "minor: 7d", "minor: 0d");
    const context = await contextOf({ change: { ...weaker, [REGULAR_POLICY]: loosened } });
    expect(said(ownershipOverride, context)).toEqual(weakerSaid);
  });

  it("is for a channel that exists", async () => {
    expect(said(ownershipOverride, await wholeContext(overriding("  rapid: { merge: review }\n")))).toEqual([
      mentions(`${MODULE}:5 warning`, "rapid"),
    ]);
  });

  it("is for a channel that versions are promoted into", async () => {
    expect(said(ownershipOverride, await wholeContext(overriding("  fast: { soak: { minor: 30d } }\n")))).toEqual([
      mentions(`${MODULE}:5 warning`, "fast"),
    ]);
  });

  it("is reported by a change that renames its channel, though that does not touch the file", async () => {
    const renamed = { [REGULAR_POLICY]: undefined, "channels/stable.yaml": SAMPLE[REGULAR_POLICY] };
    const stricter = overriding("  regular: { soak: { minor: 14d } }\n");

    const noChannel = mentions(`${MODULE}:5 warning`, "regular");

    expect(said(ownershipOverride, await contextOf({ base: stricter, change: renamed }))).toEqual([noChannel]);
    expect(said(ownershipOverride, await contextOf({ change: { ...renamed, ...stricter } }))).toEqual([noChannel]);
  });

  it("is not reported as ineffective if the channel cannot be read", async () => {
    const broken = { ...weaker, [REGULAR_POLICY]: "format: 1\nlandscapes: nowhere\n" };

    expect(said(ownershipOverride, await wholeContext(broken))).toEqual([]);
  });

  it("opens no window of its own", async () => {
    const window = (hour: number): string => `windows: [{ opens: "0 ${hour} * * *", for: 1h, timeZone: UTC }]`;
    const policy = edit(SAMPLE[REGULAR_POLICY] ?? "", "  soak", `  ${window(8)}\n  soak`);
    const context = await wholeContext({ [REGULAR_POLICY]: policy, ...overriding(`  regular: { ${window(9)} }\n`) });
    expect(said(ownershipOverride, context)[0]).toEqual(mentions(`${MODULE}:5 warning`, "windows.0", "regular"));
  });
});

describe.each([
  ownershipAuthor,
  ownershipOverride,
  ownershipCodeowners,
  ownershipTeams,
  waiverExpired,
  waiverUnknown(() => []),
  waiverApproval,
  hotfixApproval,
])("$id", (rule) => {
  it("accepts the sample, and a bump by its owner", async () => {
    const people = { author: "owner", teams: TEAMS };
    expect(said(rule, await wholeContext({}))).toEqual([]);
    expect(
      said(rule, await contextOf({ change: { ...BUMP, [MODULE]: `${String(SAMPLE[MODULE])}# c\n` }, people })),
    ).toEqual([]);
  });

  it("accepts a module without a module.yaml", async () => {
    const change = {
      [MODULE]: undefined,
      [CODEOWNERS]: edit(edit(String(SAMPLE[CODEOWNERS]), CHANNEL_LINE, ""), MODULE_LINE, ""),
    };
    const context = await contextOf({ change, people: { author: "boss", teams: TEAMS } });
    expect(said(rule, context)).toEqual([]);
  });
});

const CHANNEL_LINE = "/channels/*/sample.yaml @sample/team @sample/release-managers\n";
const MODULE_LINE = "/modules/sample/ @sample/team @sample/release-managers\n";

describe("a waiver in module.yaml", () => {
  const waiving = (waiver: string): ExampleFiles => ({ [MODULE]: `${SAMPLE[MODULE] ?? ""}waivers: [{ ${waiver} }]\n` });
  const expired = waiving(`rule: image-mutable-tag, version: 1.0.0, reason: R, until: "2020-01-01T00:00:00Z"`);

  it("is not judged by the change of another module", async () => {
    const change = { "channels/fast/newcomer.yaml": templateText("fast", "1.0.0").replaceAll("sample", "newcomer") };
    expect(said(waiverExpired, await contextOf({ base: expired, change }))).toEqual([]);
    expect(said(waiverExpired, await wholeContext(expired))).toHaveLength(1);
    const later = waiving(`rule: image-mutable-tag, version: 1.0.0, reason: R, until: "2026-11-21T12:00:01Z"`);
    expect(said(waiverExpired, await wholeContext(later))).toEqual([]);
  });

  it("names a rule that exists and can be waived", async () => {
    const rules = [
      { id: "image-mutable-tag", waivable: true },
      { id: "place-name", waivable: false },
    ];
    const judged = async (rule: string): Promise<readonly string[]> =>
      said(
        waiverUnknown(() => rules),
        await wholeContext(waiving(`rule: ${rule}, version: 1.0.0, reason: R, until: "2100-01-01T00:00:00Z"`)),
      );
    expect(await judged("image-mutable-tag")).toEqual([]);
    expect(await judged("place-name")).toEqual([mentions(`${MODULE}:4 error`, "place-name")]);
    expect(await judged("image-mutable-tags")).toEqual([mentions(`${MODULE}:4 error`, "image-mutable-tags")]);
    const none = await contextOf({ base: { [MODULE]: undefined }, change: BUMP });
    expect(
      said(
        waiverUnknown(() => rules),
        none,
      ),
    ).toEqual([]);
  });
});
