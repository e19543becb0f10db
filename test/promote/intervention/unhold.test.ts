import { describe, expect, it } from "vitest";
import type { HeldPeriod } from "../../../src/promote/verdict/holding.ts";
import type { Intervention } from "../../../src/promote/intervention/intervention.ts";
import type { ProposedHold } from "../../../src/promote/verdict/subject.ts";
import { decideUnhold, decreasedChannels } from "../../../src/promote/intervention/unhold.ts";
import { SETTINGS } from "../../catalogue/repository.ts";
import {
  channel,
  changeOf,
  HOLDS,
  holdsText,
  knownOf,
  moduleName,
  NOW_MS,
  requestOf,
  siteOf,
  version,
} from "../verdict/interventions.ts";
import { mentions } from "../../support/mentions.ts";

const WIDE = "version: 1.2.0, reason: slow";
const NARROW = "version: 1.2.0, channel: regular, reason: slow";
const OTHER = "version: 1.1.0, reason: slow";
const ENDED = 'version: 1.2.0, reason: slow, until: "2026-11-20T00:00:00Z"';

function unhold(
  where: string | undefined,
  entries: readonly string[],
  decreased: readonly string[] = [],
  proposed: readonly ProposedHold[] = [],
): Intervention {
  const catalogue = siteOf(entries.length === 0 ? {} : { [HOLDS]: holdsText(...entries) });
  return decideUnhold(requestOf("1.2.0", where, "repaired"), knownOf(catalogue), decreased.map(channel), proposed);
}

const LIFTED = `  - version: 1.2.0
    reason: repaired
    by: boss
    since: "2026-11-21T12:00:00Z"
    until: "2026-11-21T12:00:00Z"
`;

describe("unhold", () => {
  it("removes every hold on the version that is in force, and nothing else", () => {
    const { subject, files, sentences } = changeOf(unhold(undefined, [OTHER, WIDE, ENDED, NARROW]));

    expect(subject).toBe("Unhold istio 1.2.0");
    expect([...files]).toEqual([[HOLDS, holdsText(OTHER, ENDED)]]);
    expect(sentences).toEqual([
      "Removed: the hold (slow, lead).",
      "Removed: the hold in regular (slow, lead).",
      mentions("release manager", "kyma-modules.yaml", "none"),
    ]);
  });

  it("removes the hold on one channel", () => {
    const { files, subject } = changeOf(unhold("regular", [NARROW, NARROW.replace("regular", "fast")]));

    expect(subject).toBe("Unhold istio 1.2.0 in regular");
    expect(files.get(HOLDS)).toBe(holdsText(NARROW.replace("regular", "fast")));
  });

  it("removes the hold on a channel that does not exist any more", () => {
    const gone = NARROW.replace("regular", "gone");

    expect(changeOf(unhold("gone", [gone, NARROW])).files.get(HOLDS)).toBe(holdsText(NARROW));
    expect(unhold("gone", [NARROW])).toMatchObject({ kind: "refused", why: mentions("channel gone") });
  });

  it("names the release managers, who have to approve", () => {
    const settings = `${SETTINGS}releaseManagers: ["@org/managers", boss]\n`;
    const catalogue = siteOf({ "kyma-modules.yaml": settings, [HOLDS]: holdsText(WIDE) });

    expect(changeOf(decideUnhold(requestOf("1.2.0"), knownOf(catalogue), [], [])).sentences.at(-1)).toEqual(
      mentions("release manager", "@org/managers, boss"),
    );
  });

  it("does not narrow a hold on all channels", () => {
    expect(unhold("regular", [NARROW, WIDE])).toEqual({
      kind: "refused",
      isUsage: false,
      why: mentions("istio 1.2.0", "all channels", "slow, lead", "regular"),
      remedy: mentions("--channel", "modules/istio/holds.yaml", "fast, must"),
    });
  });

  it.each([
    ["nothing", undefined, []],
    ["a hold that has ended", undefined, [ENDED]],
    ["a hold on another version", undefined, [OTHER]],
    ["a hold on another channel", "fast", [NARROW]],
  ])("has nothing to do if there is %s", (_, where, entries) => {
    const place = where === undefined ? "" : ` in ${where}`;
    expect(unhold(where, entries, where === undefined ? [] : ["regular"])).toEqual({
      kind: "nothing",
      why: `istio 1.2.0 is not held${place}.`,
    });
  });

  it("tells where a hold is only proposed, and how to take it back", () => {
    const about = { module: moduleName("istio"), version: version("1.2.0") };
    const proposed: readonly ProposedHold[] = [
      { ...about, channel: channel("regular"), source: "hold/regular/istio-1.2.0" },
      { ...about, channel: undefined, source: "https://example.com/pull/7" },
      { ...about, version: version("1.3.0"), channel: undefined, source: "hold/every-channel/istio-1.3.0" },
      { ...about, module: moduleName("telemetry"), channel: undefined, source: "hold/every-channel/telemetry-1.2.0" },
    ];
    const regular = "A hold in regular is only proposed: take it back (git branch -D hold/regular/istio-1.2.0).";

    expect(unhold(undefined, [], [], proposed)).toEqual({
      kind: "nothing",
      why: `istio 1.2.0 is not held. ${regular} A hold is only proposed: take it back (close https://example.com/pull/7).`,
    });
    expect(unhold("regular", [], [], proposed)).toMatchObject({
      why: `istio 1.2.0 is not held in regular. ${regular}`,
    });
  });

  it("refuses an unknown channel, and a missing reason", () => {
    expect(unhold("slow", [])).toMatchObject({ kind: "refused", why: mentions("channel slow") });
    expect(decideUnhold(requestOf("1.2.0", undefined, " "), knownOf(siteOf()), [], [])).toMatchObject({
      kind: "refused",
    });
  });
});

describe("a decrease by hand", () => {
  it("is lifted by a hold that has ended", () => {
    const { files, sentences } = changeOf(unhold(undefined, [], ["regular"]));

    expect(files.get(HOLDS)?.split("holds:\n")[1]).toBe(LIFTED);
    expect(sentences[0]).toEqual(mentions("regular", "went down", "istio 1.2.0"));
  });

  it("is lifted for the named channel", () => {
    const text = changeOf(unhold("regular", [NARROW.replace("regular", "fast")], ["fast", "regular"])).files.get(HOLDS);

    expect(text).toBe(
      holdsText(NARROW.replace("regular", "fast")) + LIFTED.replace("0\n", "0\n    channel: regular\n"),
    );
  });

  it("is lifted by the removal of a hold on its channel", () => {
    expect(changeOf(unhold(undefined, [NARROW], ["regular"])).files.get(HOLDS)).toBe("format: 1\nholds: []\n");
    expect(changeOf(unhold(undefined, [WIDE], ["regular"])).files.get(HOLDS)).toBe("format: 1\nholds: []\n");
  });

  it("is lifted beside a hold on another channel", () => {
    const { files } = changeOf(unhold(undefined, [NARROW.replace("regular", "fast")], ["regular"]));

    expect(files.get(HOLDS)).toBe(`format: 1\nholds:\n${LIFTED}`);
  });

  it("counts for its version, in each channel once, until it is lifted", () => {
    const at = { index: 0, commit: "c", atMs: 0 };
    const period = (text: string, name: string, endMs: number): HeldPeriod => ({
      version: version(text),
      startMs: 0,
      endMs,
      why: { kind: "decrease", channel: channel(name), to: version("1.0.0"), at },
    });
    const hold = { version: version("1.2.0"), reason: "a", by: "b", since: "" };
    const periods: readonly HeldPeriod[] = [
      period("1.2.0", "regular", Number.POSITIVE_INFINITY),
      period("1.2.0", "regular", NOW_MS + 1),
      period("1.2.0", "fast", NOW_MS),
      period("1.3.0", "must", Number.POSITIVE_INFINITY),
      { ...period("1.2.0", "fast", Number.POSITIVE_INFINITY), why: { kind: "hold", hold, from: at } },
    ];

    expect(decreasedChannels(periods, version("1.2.0"), NOW_MS)).toEqual(["regular"]);
  });
});
