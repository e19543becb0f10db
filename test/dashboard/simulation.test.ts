import { describe, expect, it } from "vitest";
import { simulationPage } from "../../src/dashboard/simulation.ts";
import type { ReplayInput } from "../../src/promote/simulate/replayInput.ts";
import { day, FAST, historyOf, instant, type Merge, REGULAR, SOAK } from "../promote/verdict/timeline.ts";
import { replayUntil, timelineWith } from "../promote/simulate/replays.ts";

const HOSTILE = `<script>alert("1")</script> & 'x' \u202e`;

const STORY: readonly Merge[] = [
  { at: 0, fast: "1.0.0", regular: "1.0.0" },
  { at: 1, fast: "1.1.0" },
  { at: 2, regular: "1.0.1" },
  { at: 20, fast: "1.2.0" },
  { at: 21, regular: "1.2.0" },
  { at: 22, regular: "1.0.1" },
  { at: 40, regular: "1.3.0" },
  { at: 60, fast: null, regular: null },
];

const page = async (merges: readonly Merge[], until: number, more: Partial<ReplayInput> = {}): Promise<string> =>
  simulationPage(
    {
      simulation: await replayUntil(until, merges, { promotion: { soak: SOAK, needs: ["smoke"] } }),
      input: { ...timelineWith(historyOf()), ...more },
      policies: [{ file: "channels/regular.yaml", channel: REGULAR, follows: FAST }],
      revision: undefined,
      decidedAt: day(until),
    },
    "",
  );

describe("the page", () => {
  it("closes every element that it opens", async () => {
    const open: string[] = [];
    for (const [, slash = "", name = "", rest = ""] of (await page(STORY, 70)).matchAll(
      /<(\/?)([a-z][a-z0-9]*)([^>]*)>/g,
    )) {
      if (slash !== "") expect(open.pop()).toBe(name);
      else if (!rest.endsWith("/") && name !== "meta") open.push(name);
    }

    expect(open).toEqual([]);
  });

  it("fetches nothing and runs nothing", async () => {
    const text = await page(STORY, 70);

    expect(text).not.toMatch(/<(script|link|img|iframe|object)|\b(src|href)=|url\(|@import|\son[a-z]+=/);
    expect(text).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
  });

  it("escapes what others wrote", async () => {
    const text = await page(STORY, 70, { source: HOSTILE });

    expect(text).not.toContain("<script");
    expect(text).not.toContain("\u202e");
    expect(text).toContain("&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39; \\u202e");
  });

  it("draws a row each for the followed channel, the real one, and the policy's", async () => {
    const text = await page(STORY, 70);

    expect(text.match(/<text class="row-label"[^>]*>[^<]*/g)?.map((row) => row.split(">")[1])).toEqual([
      "fast",
      "regular, really",
      "regular, by policy",
    ]);
    expect(text).toContain(`<title>1.0.0: ${instant(0).replace(".000Z", "Z")} to 2026-01-02T00:00:00Z (1d)</title>`);
  });

  it("marks hot-fixes, downgrades, removals and unseen versions with the signs of its legend", async () => {
    const text = await page(STORY, 70);

    for (const kind of ["hot-fix", "downgrade", "removal", "unknown"])
      expect(text.split(`class="timeline-mark ${kind}-mark"`).length - 1).toBeGreaterThanOrEqual(2);
    expect(text).toContain("<title>downgrade: 1.2.0 to 1.0.1, 2026-01-23T00:00:00Z</title>");
    expect(text).toContain("<title>removal: 1.3.0 to nothing, 2026-03-02T00:00:00Z</title>");
    expect(text).toContain("<summary>Removals (1)</summary>");
    expect(text).toContain("</svg> hot-fix</li>");
  });

  it("names every drawing for people who do not see it", async () => {
    const text = await page(STORY, 70);

    expect(text).toMatch(/<svg [^>]*role="img" aria-labelledby="m0-title m0-text">/);
    expect(text).toContain('<title id="m0-title">regular / istio</title>');
    expect(text).toMatch(/<desc id="m0-text">fast above, regular below: 6 changes happened/);
  });

  it("shows gaps", async () => {
    const gaps = [{ startMs: day(-5), endMs: day(20), commit: "c3" }];

    expect(await page(STORY, 70)).not.toContain('<rect class="unseen-gap"');
    expect((await page(STORY, 70, { gaps })).split('<rect class="unseen-gap"')).toHaveLength(3);
  });

  it("lists the assumptions at the top", async () => {
    expect(await page(STORY, 70)).toMatch(/<dt>assumed<\/dt><dd>[^<]* --evidence FILE/);
  });

  it("has at most twelve ticks, over days as over years", async () => {
    const ticksOf = async (until: number): Promise<number> =>
      (await page([{ at: 0, fast: "1.0.0", regular: "1.0.0" }], until)).split('<line class="axis-tick"').length - 1;

    expect(await Promise.all([0, 10, 40, 364, 3650].map(ticksOf))).toEqual([0, 5, 8, 11, 12]);
  });

  it("says so if there is nothing to show", async () => {
    expect(await page([], 3)).toContain("<p>None.</p>");
  });
});
