import { describe, expect, it } from "vitest";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { decideHold, type HoldRequest } from "../../../src/promote/intervention/hold.ts";
import { everServedVersions, type Intervention } from "../../../src/promote/intervention/intervention.ts";
import { parse } from "../../../src/catalogue/parse.ts";
import { catalogueOf, POLICY, snapshot, SETTINGS } from "../../catalogue/repository.ts";
import {
  channel,
  changeOf,
  HOLDS,
  holdsText,
  knownOf,
  moduleName,
  requestOf,
  siteOf,
  version,
} from "../verdict/interventions.ts";
import { mentions } from "../../support/mentions.ts";

const EVER = { fast: ["1.2.0", "1.1.0"], regular: ["1.2.0", "1.1.0"] };

function wish(text: string, where?: string, until?: string): HoldRequest {
  return { ...requestOf(text, where), until };
}

function hold(request: HoldRequest, holds?: string): Intervention {
  return decideHold(request, knownOf(siteOf(holds === undefined ? {} : { [HOLDS]: holds }), EVER));
}

describe("hold", () => {
  it("writes person, start, end and reason", () => {
    const { files, subject, sentences } = changeOf(hold(wish("1.1.0", "regular", "2026-12-01T00:00:00Z")));

    expect(subject).toBe("Hold istio 1.1.0 in regular");
    expect([...files]).toEqual([
      [
        HOLDS,
        `# yaml-language-server: $schema=../../schemas/holds.schema.json
format: 1
holds:
  - version: 1.1.0
    channel: regular
    reason: leaks memory
    by: boss
    since: "2026-11-21T12:00:00Z"
    until: "2026-12-01T00:00:00Z"
`,
      ],
    ]);
    expect(sentences).toEqual([mentions("istio 1.1.0", "held", "regular", "2026-12-01T00:00:00Z")]);
  });

  it("tells that clusters keep a served version, and how to put back the previous one", () => {
    const servedBy = (where?: string): readonly string[] =>
      changeOf(hold(wish("1.2.0", where))).sentences.flatMap(
        (text) => / --channel (\w+) --reason "…"$/.exec(text)?.[1] ?? [],
      );

    expect(servedBy()).toEqual(["fast", "regular"]);
    expect(servedBy("regular")).toEqual(["regular"]);
    expect(changeOf(hold(wish("1.2.0", "regular"))).sentences[1]).toEqual(
      mentions("regular", 'kyma-modules withdraw istio@1.2.0 --channel regular --reason "…"'),
    );
  });

  it("may come before the version, with a note", () => {
    expect(changeOf(hold(wish("1.3.0"))).sentences).toEqual([
      mentions("istio 1.3.0", "held", "all channels"),
      mentions("No channel", "1.3.0", "template"),
    ]);
  });

  it("accepts a version that only has a template", () => {
    const template = catalogueText("1.3.0");
    const catalogue = siteOf({ "modules/istio/1.3.0/template.yaml": template });

    expect(changeOf(decideHold(wish("1.3.0"), knownOf(catalogue, EVER))).sentences).toHaveLength(1);
  });

  it("may be put on a mandatory channel", () => {
    const request = { ...wish("2.0.0", "must"), module: moduleName("telemetry") };

    expect(changeOf(decideHold(request, knownOf(siteOf(), {}))).files.has("modules/telemetry/holds.yaml")).toBe(true);
  });
});

function catalogueText(text: string): string {
  const template = siteOf().channels.get(channel("fast"))?.templates.get(moduleName("istio"));
  return String(template?.file.text)
    .replaceAll("1.2.0", text)
    .replace("istio-fast", `istio-${text}`)
    .replace("  channel: fast\n", "");
}

describe("a version that is held already", () => {
  it.each([
    ["as strongly", "version: 1.1.0, channel: regular, reason: slow", " in regular"],
    ["in all channels", "version: 1.1.0, reason: slow", " in all channels"],
    [
      "for longer",
      'version: 1.1.0, reason: slow, until: "2027-01-01T00:00:00Z"',
      " in all channels until 2027-01-01T00:00:00Z",
    ],
  ])("%s stays as it is", (_, entry, where) => {
    expect(
      hold(wish("1.1.0", "regular", where.includes("until") ? "2026-12-01T00:00:00Z" : undefined), holdsText(entry)),
    ).toEqual({
      kind: "nothing",
      why: `istio 1.1.0 is held${where} already: slow (lead).`,
    });
  });

  it.each([
    ["for a shorter time", 'version: 1.1.0, channel: regular, reason: slow, until: "2026-11-30T00:00:00Z"'],
    ["in one channel only", "version: 1.1.0, channel: regular, reason: slow"],
  ])("%s has its entry changed in place", (_, entry) => {
    const before = `# mine\n${holdsText("version: 1.0.0, reason: a", entry, "version: 1.0.5, reason: b")}`;
    const { files, sentences } = changeOf(hold(wish("1.1.0"), before));

    expect(files.get(HOLDS)).toBe(
      before.replace(
        `  - { ${entry}, by: lead, since: "2026-11-01T00:00:00Z" }\n`,
        `  - version: 1.1.0\n    reason: leaks memory\n    by: boss\n    since: "2026-11-21T12:00:00Z"\n`,
      ),
    );
    expect(sentences[1]).toEqual(mentions("replaces", "regular", "slow", "lead"));
  });

  it("by several weaker entries is held by the new one alone", () => {
    const entries = ["fast", "regular"].map((name) => `version: 1.1.0, channel: ${name}, reason: slow`);
    const { files } = changeOf(hold(wish("1.1.0"), holdsText(...entries)));

    expect(files.get(HOLDS)?.match(/version/g)).toHaveLength(1);
  });

  it.each([
    ["for a time, in more channels", 'version: 1.1.0, reason: slow, until: "2026-11-30T00:00:00Z"'],
    ["by an entry that has ended", 'version: 1.1.0, channel: regular, reason: slow, until: "2026-11-20T00:00:00Z"'],
    ["in another channel", "version: 1.1.0, channel: fast, reason: slow"],
  ])("%s gets a second entry", (_, entry) => {
    const before = holdsText(entry);

    expect(changeOf(hold(wish("1.1.0", "regular"), before)).files.get(HOLDS)).toBe(
      `${before}  - version: 1.1.0\n    channel: regular\n    reason: leaks memory\n    by: boss\n    since: "2026-11-21T12:00:00Z"\n`,
    );
  });
});

describe("hold refuses", () => {
  it("an unknown channel", () => {
    expect(hold(wish("1.2.0", "slow"))).toEqual({
      kind: "refused",
      why: mentions("channel slow"),
      remedy: mentions("fast, must, regular"),
      isUsage: true,
    });
  });

  it("an unknown module", () => {
    const request = { ...wish("1.2.0"), module: moduleName("istia") };
    const known = knownOf(siteOf(), { fast: [] });

    expect(decideHold(request, known)).toEqual({
      kind: "refused",
      why: mentions("module istia"),
      remedy: mentions("istio, telemetry"),
      isUsage: true,
    });
    const empty = catalogueOf({ "kyma-modules.yaml": SETTINGS, "channels/fast.yaml": POLICY });
    expect(decideHold(request, knownOf(empty))).toMatchObject({ remedy: mentions("no module") });
    expect(decideHold(request, { ...known, ever: new Map([[channel("fast"), [version("1.0.0")]]]) }).kind).toBe(
      "change",
    );
  });

  it("a past or invalid instant", () => {
    expect(hold(wish("1.2.0", undefined, "2026-11-21T12:00:00Z"))).toEqual({
      kind: "refused",
      why: mentions("2026-11-21T12:00:00Z", "2026-11-21T12:00:00Z"),
      remedy: mentions("later"),
      isUsage: true,
    });
    expect(hold(wish("1.2.0", undefined, "tomorrow"))).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/^--until must be /) as string,
    });
  });

  it("a request without a reason", () => {
    expect(hold({ ...wish("1.2.0"), reason: " " })).toMatchObject({
      kind: "refused",
      why: expect.stringMatching(/^--reason must be a text of at least one word/) as string,
    });
  });

  it("to overwrite a file that cannot be read", () => {
    const parsing = parse(
      undefined,
      snapshot({ "kyma-modules.yaml": SETTINGS, "modules/istio/module.yaml": "format: 1\n", [HOLDS]: "holds: [" }),
    );
    if (parsing.kind !== "refused") throw new Error("it is broken");

    expect(decideHold(wish("1.2.0"), knownOf(parsing.readable))).toEqual({
      kind: "refused",
      why: `${HOLDS} cannot be read.`,
      remedy: `Repair it first: kyma-modules check ${HOLDS}`,
      isUsage: false,
    });
  });

  it("nothing because of a warning", () => {
    const catalogue = siteOf();
    const findings = [
      { rule: "a", severity: "warning", file: HOLDS, line: 1, column: 1, message: "", remedy: "" },
      { rule: "a", severity: "error", file: "channels/fast.yaml", line: 1, column: 1, message: "", remedy: "" },
    ] as const;

    expect(decideHold(wish("1.1.0"), knownOf({ ...catalogue, findings }, EVER)).kind).toBe("change");
  });
});

describe("the versions that a channel ever served", () => {
  it("come from its history and its file, highest first, without duplicates", () => {
    const revision = { index: 0, commit: "c", atMs: 0 };
    const states = ["1.0.0", "1.1.0", undefined, "1.0.0"].map((text) => ({
      revision,
      version: text === undefined ? undefined : version(text),
      hash: () => "",
      template: () => undefined,
    }));
    const history: ModuleHistory = { served: new Map([[channel("fast"), states]]), holds: [], hotfixes: [] };

    expect([...everServedVersions(siteOf(), moduleName("istio"), history)]).toEqual([
      ["fast", ["1.2.0", "1.1.0", "1.0.0"]],
      ["must", []],
      ["regular", ["1.2.0"]],
    ]);
  });
});
