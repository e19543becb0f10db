import { describe, expect, it } from "vitest";
import { renderPage } from "../../../src/dashboard/layout.ts";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { day } from "../../promote/verdict/timeline.ts";
import { stateAfter } from "../story.ts";
import { hashIn, HOSTILE, istio, istioOnProd, observed, STORY } from "./istio.ts";

/** The page of istio as text, with plain blanks. */
function pageOf(state: DashboardState, path = "/modules/istio"): string {
  const { text } = renderPage(
    state,
    { path, query: new URLSearchParams() },
    { theme: undefined, styles: [], scripts: [] },
  );
  return text.replace(/[\u00a0\u202f]/g, " ").replace(/\s+/g, " ");
}

/** What a browser shows of markup. */
function shown(markup: string): string {
  return markup
    .replace(/<\/t[dh]>/g, " ")
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function sectionOf(page: string, id: string): string {
  return new RegExp(`<section class="s" id="${id}"[^>]*>(.*?)</section>`).exec(page)?.[1] ?? "";
}

describe("the page of a module", () => {
  it("says first where the module is, on how many clusters, and what comes next", async () => {
    const page = pageOf(await istioOnProd());
    const [, say = ""] = /<p class="say">(.*?)<\/p>/.exec(page) ?? [];

    expect(shown(say)).toBe(
      "regular serves 1.1.1, which runs on 80 % of the 10 clusters of prod that should have it. 1.2.1 may enter regular on Wed 21 Jan, 00:00Z.",
    );
  });

  it("gives four facts: clusters, the next version with its countdown, what fails, what is held", async () => {
    const page = pageOf(await istioOnProd());
    const [, facts = ""] = /<dl class="facts"[^>]*>(.*?)<\/dl>/.exec(page) ?? [];

    expect(
      [...facts.matchAll(/<dt>(.*?)<\/dt>\s*<dd>(.*?)<\/dd>/g)].map(([, term, value]) => [
        shown(term ?? ""),
        shown(value ?? ""),
      ]),
    ).toEqual([
      ["1.1.1 on prod", "8 of 10"],
      ["1.2.1 to regular", "in 4 d"],
      ["Failing", "10 %"],
      ["Holds", "1"],
    ]);
    expect(facts).toContain("data-countdown");
    expect(shown(facts)).toContain("1.1.0 when it was replaced: 5 %");
  });

  it("draws how fast clusters got the version, beside the one before, and says so in words", async () => {
    const curve = sectionOf(pageOf(await istioOnProd()), "curve-prod-regular");
    const told = [...curve.matchAll(/<li class[^>]*>(.*?)<\/li>/g)].map(([, text = ""]) => shown(text));

    expect(told).toEqual([
      "1.1.1: at least 50 % after 5 min, at least 80 % after 1 h, 80 % of 10 clusters now, after 2 d 12 h",
      "1.1.0: at least 100 % after 1 h, 100 % of 4 clusters when it was replaced, after 3 d 12 h",
    ]);
    expect(curve).toMatch(/<title[^>]*> ?Share of the clusters that were seen [^.]*\. 1\.1\.1: at least 50 % after/);
    expect(/class="now" d="M0 220((?:H[\d.]+V[\d.]+)+)"/.exec(curve)?.[1]).toMatch(/V120H[\d.]+V120.*V60H[\d.]+V60$/);
  });

  it("says of a landscape that is not seen now when that was", async () => {
    expect(sectionOf(pageOf(await istioOnProd(1)), "curve-prod-regular")).toContain(
      "80 % of 10 clusters when the landscape was seen last, after 1 d 12 h",
    );
  });

  it("draws no curve of clusters that nobody saw upgrade", async () => {
    const state = await istioOnProd();
    const [sight] = state.landscapes;
    const landscapes = sight?.input === undefined ? [] : [{ ...sight, input: { ...sight.input, times: new Map() } }];

    expect(pageOf({ ...state, landscapes })).not.toContain("curve-");
  });

  it("draws every channel, with the hot-fix, the hold, and what is expected", async () => {
    const time = sectionOf(pageOf(await stateAfter(STORY, day(18))), "time");

    expect([...time.matchAll(/<text class="row"[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual([
      "fast",
      "regular",
    ]);
    expect(time).toMatch(/<g class="channel fix"><title>1\.1\.1: .*?; hot-fix<\/title>/);
    expect(time).toMatch(/<g class="channel expected"><title>1\.2\.1: .*?; expected<\/title>/);
    expect(time).toMatch(/<rect class="held"/);
    expect(time).toContain("fast: 1.0.0, 1.1.0, 1.2.0 (held for a time), 1.2.1.");
  });

  it("gives the reasons that promote --explain prints, each with its line of a file", async () => {
    const why = sectionOf(pageOf(await istio()), "why-regular");

    expect(shown(why)).toContain("soak of minor");
    expect(why).toMatch(/href="https:\/\/github.com\/org\/name\/blob\/0{39}6\/channels\/regular\.yaml#L6"/);
  });

  it("counts clusters beside the version before, and groups those that miss it by cause", async () => {
    const page = pageOf(await istioOnProd());

    expect(shown(sectionOf(page, "rollout"))).toContain("prod regular 1.1.1 2 d 12 h 10 8 80 % 1");
    expect(shown(sectionOf(page, "rollout"))).toContain("before it 1.1.0 3 d 12 h");
    const missing = shown(sectionOf(page, "missing-prod-regular"));
    expect(missing).toContain("Not on 1.1.1: 2 prod, regular, by cause");
    expect(missing).toContain("Error with 1.1.1: &lt;script&gt;");
    expect(missing).toContain("waiting for a maintenance window, with 1.1.0 That is no failure.");
  });

  it("never shows what was seen before as what is now", async () => {
    const page = pageOf(await istioOnProd(1));

    expect(shown(sectionOf(page, "rollout"))).toContain("prod not seen since Fri 16 Jan, 00:00Z");
    expect(page).toContain(", as of <time");
  });

  it("says that clusters are not known where no control plane was asked", async () => {
    expect(shown(sectionOf(pageOf(await istio()), "rollout"))).toContain("clusters are not known");
  });

  it("tells evidence, and why some of it does not count", async () => {
    const state = await istio();
    const specHash = hashIn(state, "1.2.1");
    const evidence = [
      observed(specHash, { kind: "approval", approved: true, by: "boss" }),
      observed("sha256:other", { kind: "approval", approved: true, by: "nobody" }),
      observed(specHash, { kind: "exposure", clusters: 20, healthyHours: 500, source: HOSTILE }),
      observed(specHash, { kind: "health", clusters: 20, healthy: 19, observedAt: "2027-01-01T00:00:00Z" }),
    ];
    const page = pageOf({ ...state, evidence });
    const told = shown(sectionOf(page, "evidence-1.2.1"));

    expect(told).toContain("approval: boss approved it");
    expect(told).toContain("does not count: it is of another content");
    expect(told).toContain("exposure: 20 clusters, 500 healthy hours");
    expect(told).toContain("does not count: it is later than now");
    expect(shown(sectionOf(page, "versions"))).toContain("approval, exposure boss compare");
  });

  it("names holds and hot-fixes with their files, and what is owed", async () => {
    const holds = sectionOf(pageOf(await istio()), "holds");

    expect(shown(holds)).toContain("1.2.0 held in every channel by octocat");
    expect(shown(holds)).toContain(
      "1.1.1 hot-fix of regular by octocat, for https://example.com/incident/7; also fixed in 1.2.1",
    );
    expect(shown(holds)).toContain("review is owed");
    expect(holds).toContain("modules/istio/holds.yaml");
  });

  it("lists versions with their level, times in each channel, and what changed", async () => {
    const versions = sectionOf(pageOf(await istio()), "versions");

    expect(
      [...versions.matchAll(/id="v-([^"]+)"[^>]*>[^<]*<\/th>\s*<td>(\w+)/g)].map(([, one, level]) => [one, level]),
    ).toEqual([
      ["1.2.1", "patch"],
      ["1.2.0", "minor"],
      ["1.1.1", "patch"],
      ["1.1.0", "minor"],
      ["1.0.0", "first"],
    ]);
    expect(versions).toContain('href="https://example.com/istio/compare/1.2.0...1.2.1"');
    expect(shown(versions)).toContain("1.2.0 minor Mon 12 Jan to Thu 15 Jan held held none");
  });

  it("tells what happened, by whom, with the pull request", async () => {
    const history = sectionOf(pageOf(await istio()), "history");

    expect(history).toContain('href="https://github.com/org/name/pull/7"');
    expect(shown(history)).toContain("1.0.0 → 1.1.0");
  });

  it("ends with commands as they can be typed", async () => {
    const next = shown(sectionOf(pageOf(await istioOnProd()), "next"));

    expect(next).toContain("kyma-modules promote istio --explain");
    expect(next).toContain("kyma-modules rollout istio@1.1.1 --landscape prod");
    expect(next).toContain("kyma-modules hold istio@1.2.1 --channel regular --reason &quot;…&quot;");
    expect(next).toContain("kyma-modules unhold istio@1.2.0");
  });

  it("writes what others wrote as text", async () => {
    const page = pageOf(await istioOnProd());

    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("\u202e");
    expect(page).not.toContain("<b>8</b>");
    expect(page.split("&lt;script&gt;").length).toBeGreaterThan(4);
  });

  it("gives no page of a module that nobody has", async () => {
    expect(pageOf(await istio(), "/modules/nobody")).toContain("There is no such page");
    expect(pageOf(await istio(), "/modules/%3Cscript%3E")).toContain("There is no such page");
  });
});

describe("the list of modules", () => {
  it("links every module, with what each channel serves of it", async () => {
    const page = pageOf(await istio(), "/modules");

    expect(shown(/<tbody>(.*?)<\/tbody>/.exec(page)?.[1] ?? "")).toBe("istio 1.2.1 1.1.1 @org/mesh");
    expect(page).toContain('href="/modules/istio"');
  });
});
