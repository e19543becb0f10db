import { describe, expect, it } from "vitest";
import type { Catalogue } from "../../../src/catalogue/catalogue.ts";
import { decide } from "../../../src/promote/verdict/decide.ts";
import type { Subject } from "../../../src/promote/verdict/subject.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { fileContradiction } from "../../../src/promote/verdict/contradiction.ts";
import type { ModuleHistory } from "../../../src/catalogue/history/history.ts";
import { mentions } from "../../support/mentions.ts";
import { holdsText, siteOf } from "./interventions.ts";
import { day, historyOf, instant, ISTIO, plainFacts, subjectOf } from "./timeline.ts";

const SERVED = { at: 0, fast: "1.2.0", regular: "1.2.0" };
const [HOLDS, HOTFIXES] = ["modules/istio/holds.yaml", "modules/istio/hotfixes.yaml"];
const HELD = holdsText("version: 1.2.0, reason: slow");
const DECLARED = `format: 1\nhotfixes:\n  - { version: 1.1.1, channel: regular, incident: "https://a.b/1", by: lead, at: "2026-11-01T00:00:00Z" }\n`;

const said = (files: Readonly<Record<string, string>>, history: ModuleHistory): string | undefined =>
  fileContradiction(siteOf(files), ISTIO, history)?.message;
const odd = (path: string): unknown => mentions(path, "history");

describe("the files of a module and their history", () => {
  it("agree, regardless of reasons, people and removed entries", () => {
    expect(said({}, historyOf(SERVED))).toBeUndefined();
    const merges = [
      SERVED,
      { at: 1, hold: { version: "1.2.0" }, hotfix: { version: "1.1.1" } },
      { at: 2, hold: { version: "1.0.0" }, hotfix: { version: "1.0.1" } },
      { at: 3, unhold: "1.0.0", unhotfix: "1.0.1" },
    ];
    expect(said({ [HOLDS]: HELD, [HOTFIXES]: DECLARED }, historyOf(...merges))).toBeUndefined();
  });

  it.each([
    ["a channel file", {}, [{ ...SERVED, regular: "1.1.0" }], "channels/regular/istio.yaml"],
    ["a hold that only the files have", { [HOLDS]: HELD }, [SERVED], HOLDS],
    ["a hold that only the history has", {}, [SERVED, { at: 1, hold: { version: "1.2.0" } }], HOLDS],
    [
      "a hold that lasts longer",
      { [HOLDS]: HELD },
      [SERVED, { at: 1, hold: { version: "1.2.0", until: instant(3) } }],
      HOLDS,
    ],
    ["a hot-fix that only the files have", { [HOTFIXES]: DECLARED }, [SERVED], HOTFIXES],
    ["a hot-fix that only the history has", {}, [SERVED, { at: 1, hotfix: { version: "1.1.1" } }], HOTFIXES],
  ])("contradict one another by %s", (_, files, merges, path) => {
    expect(said(files, historyOf(...merges))).toEqual(odd(path));
    expect(fileContradiction(siteOf(files), ISTIO, historyOf(...merges))?.remedy).toContain(path);
  });

  it("cannot be compared if one is broken, or if the files contradict one another", () => {
    const about = { rule: "yaml-syntax", severity: "error", line: 1, column: 1, message: "", remedy: "" } as const;
    const broken = (file: string): Catalogue => ({ ...siteOf(), findings: [{ ...about, file }] });

    for (const file of [HOLDS, "channels/regular/istio.yaml"])
      expect(fileContradiction(broken(file), ISTIO, historyOf())).toMatchObject({ message: `${file} cannot be read.` });
    expect(fileContradiction(broken("modules/telemetry/holds.yaml"), ISTIO, historyOf(SERVED))).toBeUndefined();
    const warned = { ...siteOf(), findings: [{ ...about, severity: "warning" as const, file: HOLDS }] };
    expect(fileContradiction(warned, ISTIO, historyOf(SERVED))).toBeUndefined();
    const withheld = { ...siteOf(), withheld: new Set([ISTIO]) };
    expect(fileContradiction(withheld, ISTIO, historyOf(SERVED))).toMatchObject({
      message: "The files of istio contradict one another.",
    });
  });
});

describe("a followed channel with a version that is not in its history", () => {
  const contradiction = { message: "channels/fast/istio.yaml differs from its history.", remedy: "Commit a file." };
  const facts = plainFacts(historyOf(SERVED), day(20), { contradiction });
  const subjectWith = (fast: string, regular: string): Subject =>
    subjectOf({
      files: {
        "channels/fast/istio.yaml": channelTemplate("fast", "istio", fast),
        "channels/regular/istio.yaml": channelTemplate("regular", "istio", regular),
      },
    });

  it.each([
    ["a higher one", "1.3.0", "1.2.0", "1.3.0"],
    ["one that is higher than what a link of the channel leads to", "1.2.0", "1.1.0", "1.2.0"],
  ])("blocks %s: it does not mean that there is nothing to do", (_, fast, regular, version) => {
    const { kind, chosen } = decide(subjectWith(fast, regular), facts);

    expect([kind, chosen?.version, chosen?.reasons[0]]).toMatchObject(["blocked", version, contradiction]);
  });

  it("has nothing to bring if the channel does not accept it, or serves it or a higher one", () => {
    for (const fast of ["1.3.0-rc1", "1.2.0", "1.1.0"])
      expect(decide(subjectWith(fast, "1.2.0"), facts)).toMatchObject({ kind: "nothing", candidates: [] });
    const subject = subjectWith("1.3.0", "1.2.0");
    const empty = { ...subject, followed: { ...subject.followed, templates: new Map() } };
    expect(decide(empty, facts)).toMatchObject({ kind: "nothing", candidates: [] });
  });
});
