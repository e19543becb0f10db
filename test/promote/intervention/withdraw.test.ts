import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../../src/catalogue/catalogue.ts";
import { readChannelTemplate } from "../../../src/catalogue/templateFile.ts";
import { decideWithdrawal, type Withdrawal, type WithdrawKnown } from "../../../src/promote/intervention/withdraw.ts";
import { channelTemplate, yamlFile } from "../../catalogue/repository.ts";
import { channel, HOLDS, holdsText, knownOf, moduleName, requestOf, siteOf } from "../verdict/interventions.ts";
import { mentions } from "../../support/mentions.ts";

const EVER = { fast: ["1.2.0", "1.1.0", "1.0.0"], regular: ["1.2.0", "1.1.0", "1.0.0"] };

/** Every version has a template in the history of fast. */
const TEMPLATE_OF: WithdrawKnown["templateOf"] = (text) =>
  readChannelTemplate(
    yamlFile("channels/fast/istio.yaml", `# kept\n${channelTemplate("fast", "istio", text)}`),
    "fast",
    "istio",
  ).template;

interface Site {
  readonly catalogue?: Catalogue;
  readonly ever?: Readonly<Record<string, readonly string[]>>;
  readonly templateOf?: WithdrawKnown["templateOf"];
}

function withdraw(
  text: string,
  where: string,
  { catalogue = siteOf(), ever = EVER, templateOf }: Site = {},
): Withdrawal {
  const request = { ...requestOf(text), channel: channel(where) };
  return decideWithdrawal(request, { ...knownOf(catalogue, ever), templateOf: templateOf ?? TEMPLATE_OF, held: [] });
}

function done(withdrawal: Withdrawal): Extract<Withdrawal, { kind: "change" }> {
  if (withdrawal.kind !== "change") throw new Error(withdrawal.why);
  return withdrawal;
}

function served(name: string, text: string): Readonly<Record<string, string>> {
  return { [`channels/${name}/istio.yaml`]: channelTemplate(name, "istio", text) };
}

describe("withdraw", () => {
  it("holds the version, and puts back the previous one unchanged", () => {
    const { subject, files, back, held, sentences } = done(withdraw("1.2.0", "regular"));

    expect(subject).toBe("Withdraw istio 1.2.0 from regular");
    expect([...files]).toEqual([
      [
        HOLDS,
        `# yaml-language-server: $schema=../../schemas/holds.schema.json
format: 1
holds:
  - version: 1.2.0
    channel: regular
    reason: leaks memory
    by: boss
    since: "2026-11-21T12:00:00Z"
`,
      ],
      ["channels/regular/istio.yaml", `# kept\n${channelTemplate("regular", "istio", "1.1.0")}`],
    ]);
    expect({ back, held }).toEqual({ back: "1.1.0", held: ["1.2.0"] });
    expect(sentences).toEqual([
      mentions("regular", "istio 1.2.0", "1.1.0"),
      mentions("Held", "regular", "istio 1.2.0"),
      mentions("fast", "1.2.0", 'kyma-modules withdraw istio@1.2.0 --channel fast --reason "…"'),
    ]);
  });

  it("skips held versions, and holds every higher version that the channel ever served", () => {
    const catalogue = siteOf({ [HOLDS]: holdsText("version: 1.1.0, reason: slow", "version: 1.4.0, reason: slow") });
    const ever = { regular: ["1.4.0", "1.3.0", "1.2.0", "1.1.0", "1.0.0"] };

    expect(done(withdraw("1.2.0", "regular", { catalogue, ever }))).toMatchObject({
      back: "1.0.0",
      held: ["1.3.0", "1.2.0"],
      exposes: [expect.stringContaining("run 1.4.0 or 1.3.0 or 1.2.0 or 1.1.0 already") as string],
    });
  });

  it("holds without an end a version that was held for a time", () => {
    const catalogue = siteOf({ [HOLDS]: holdsText('version: 1.2.0, reason: slow, until: "2026-12-01T00:00:00Z"') });

    expect(done(withdraw("1.2.0", "regular", { catalogue }))).toMatchObject({ back: "1.1.0", held: ["1.2.0"] });
  });

  it("only puts back the previous version if all versions are held already", () => {
    const { files, sentences } = done(
      withdraw("1.2.0", "fast", {
        catalogue: siteOf({ [HOLDS]: holdsText("version: 1.2.0, reason: slow"), ...served("regular", "1.1.0") }),
      }),
    );

    expect([...files.keys()]).toEqual(["channels/fast/istio.yaml"]);
    expect(sentences).toHaveLength(1);
  });
});

describe("a withdrawal tells", () => {
  it("that upgraded clusters keep the version, and need a higher one", () => {
    expect(done(withdraw("1.2.0", "regular"))).toMatchObject({
      protects: [mentions("regular", "maintenance window", "1.1.0")],
      exposes: [mentions("1.2.0", "1.1.0", "user-endangered")],
      remedy: mentions(
        ...["above 1.2.0", "1.2.1", "1.1.0"],
        "kyma-modules promote --hotfix istio@1.2.1 --channel regular --incident URL --template FILE --apply",
      ),
    });
  });

  it("an unused version for the remedy", () => {
    const catalogue = siteOf({
      "modules/istio/1.2.2/template.yaml": channelTemplate("fast", "istio", "1.2.2")
        .replace("istio-fast", "istio-1.2.2")
        .replace("  channel: fast\n", ""),
    });
    const ever = { ...EVER, must: ["1.2.1"] };

    expect(done(withdraw("1.2.0", "fast", { catalogue, ever })).remedy).toEqual(
      mentions("above 1.2.0", "1.2.3", "1.1.0", "kyma-modules bump istio@1.2.3 --channel fast --template FILE"),
    );
  });

  it("that lifecycle-manager accepts a lower version with the same x.y.z", () => {
    const catalogue = siteOf({
      "channels/fast.yaml": "format: 1\nversions: any\nlandscapes: [dev]\n",
      ...served("fast", "1.2.0-rc2"),
    });
    const site = { catalogue, ever: { fast: ["1.2.0-rc2", "1.2.0-rc1"] } };

    expect(done(withdraw("1.2.0-rc2", "fast", site))).toMatchObject({
      protects: [mentions("1.2.0-rc2", "x.y.z", "1.2.0-rc1")],
      exposes: [],
      remedy: mentions("above 1.2.0-rc2", "1.2.1-rc2"),
    });
  });
});

describe("a withdrawal only holds", () => {
  it("if the channel is mandatory", () => {
    const request = { ...requestOf("2.0.0"), module: moduleName("telemetry"), channel: channel("must") };
    const known = { ...knownOf(siteOf(), { must: ["2.0.0", "1.0.0"] }), templateOf: TEMPLATE_OF, held: [] };
    const { files, ...said } = done(decideWithdrawal(request, known));

    expect([...files.keys()]).toEqual(["modules/telemetry/holds.yaml"]);
    expect(said).toMatchObject({
      subject: "Hold telemetry 2.0.0 in must",
      back: undefined,
      held: ["2.0.0"],
      sentences: [mentions("must", "telemetry 2.0.0", "must is mandatory", "2.0.0")],
      protects: [mentions("landscapes", "2.0.0")],
      exposes: [mentions("2.0.0", "nothing changes")],
      remedy: mentions(...["above 2.0.0", "2.0.1"], "kyma-modules bump telemetry@2.0.1 --channel must --template FILE"),
    });
  });

  it("if the channel went up since, and then not its current version", () => {
    const site = { catalogue: siteOf(served("regular", "1.3.0")), ever: { regular: ["1.3.0", "1.2.0"] } };
    const { files, held, sentences } = done(withdraw("1.2.0", "regular", site));

    expect([...files.keys()]).toEqual([HOLDS]);
    expect(held).toEqual(["1.2.0"]);
    expect(sentences[0]).toEqual(mentions("Held", "regular", "istio 1.2.0", "1.3.0", "no longer 1.2.0"));
  });

  it("if the channel went down by hand already, and then also higher versions", () => {
    const site = { catalogue: siteOf(served("regular", "1.1.0")), ever: { regular: ["1.3.0", "1.2.0", "1.1.0"] } };

    expect(done(withdraw("1.2.0", "regular", site)).held).toEqual(["1.3.0", "1.2.0"]);
  });

  it("if the channel no longer serves the module", () => {
    const catalogue = siteOf();
    const regular = catalogue.channels.get(channel("regular"));
    if (regular === undefined) throw new Error("it is there");
    const channels = new Map([...catalogue.channels, [regular.name, { ...regular, templates: new Map() }]]);

    const site = { catalogue: { ...catalogue, channels, modules: new Map() } };
    expect(done(withdraw("1.2.0", "regular", site)).sentences[0]).toEqual(mentions("regular", "no istio"));
    expect(withdraw("1.5.0", "regular", { catalogue: { ...catalogue, channels }, ever: {} })).toMatchObject({
      kind: "refused",
      why: mentions("regular", "never served", "istio 1.5.0"),
    });
  });

  it("and has nothing to do if the version is held", () => {
    const catalogue = siteOf({ [HOLDS]: holdsText("version: 1.2.0, reason: slow"), ...served("regular", "1.1.0") });

    expect(withdraw("1.2.0", "regular", { catalogue })).toEqual({
      kind: "nothing",
      why: mentions("istio 1.2.0", "held", "regular", "1.1.0", "no longer 1.2.0"),
    });
  });
});

describe("a withdrawal is refused", () => {
  it("for a version that the channel never served", () => {
    expect(withdraw("1.5.0", "regular")).toEqual({
      kind: "refused",
      isUsage: false,
      why: mentions("regular", "never served", "istio 1.5.0", "1.2.0"),
      remedy: mentions('kyma-modules hold istio@1.5.0 --channel regular --reason "…"'),
    });
  });

  it("if there is no version to go back to", () => {
    expect(withdraw("1.2.0", "regular", { ever: { regular: ["1.2.0"] } })).toMatchObject({
      kind: "refused",
      why: mentions("regular", "earlier version", "istio"),
      remedy: mentions(
        ...['kyma-modules hold istio@1.2.0 --channel regular --reason "…"', "above 1.2.0", "1.2.1"],
        "kyma-modules promote --hotfix istio@1.2.1 --channel regular --incident URL --template FILE --apply",
      ),
    });
  });

  it("if the template of the previous version is missing", () => {
    expect(withdraw("1.2.0", "regular", { templateOf: () => undefined })).toMatchObject({
      kind: "refused",
      why: mentions("regular", "istio 1.1.0", "template"),
      remedy: mentions("modules/istio/1.1.0/template.yaml"),
    });
  });

  it("if the template is of something else", () => {
    const templateOf: WithdrawKnown["templateOf"] = () => TEMPLATE_OF(requestOf("1.0.0").version);

    expect(withdraw("1.2.0", "regular", { templateOf })).toMatchObject({
      kind: "refused",
      why: mentions("template of istio 1.1.0", "channels/fast/istio.yaml", "istio 1.0.0", "1.1.0"),
      remedy: mentions("Correct"),
    });
  });

  it("for an unknown channel, and without a reason", () => {
    expect(withdraw("1.2.0", "slow")).toMatchObject({ kind: "refused", why: mentions("channel slow") });
    const request = { ...requestOf("1.2.0", undefined, ""), channel: channel("regular") };
    const known = { ...knownOf(siteOf(), EVER), templateOf: TEMPLATE_OF, held: [] };
    expect(decideWithdrawal(request, known).kind).toBe("refused");
  });
});
