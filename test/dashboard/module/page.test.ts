import { describe, expect, it } from "vitest";
import { renderPage } from "../../../src/dashboard/layout.ts";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { day } from "../../promote/verdict/timeline.ts";
import { stateAfter } from "../story.ts";
import { mentions } from "../../support/mentions.ts";
import { hashIn, HOSTILE, istio, istioOnProd, observed, STORY } from "./istio.ts";

/** The page of istio as text, with plain spaces. */
function pageOf(state: DashboardState, path = "/modules/istio"): string {
  const { text } = renderPage(
    state,
    { path, query: new URLSearchParams() },
    { theme: undefined, styles: [], scripts: [] },
  );
  return text.replace(/[\u00a0\u202f]/g, " ").replace(/\s+/g, " ");
}

/** The text that a browser shows for markup. */
function shown(markup: string): string {
  return markup
    .replace(/<\/t[dh]>/g, " ")
    .replace(/<[^>]+>/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

function sectionOf(page: string, id: string): string {
  return new RegExp(`<section class="page-section" id="${id}"[^>]*>(.*?)</section>`).exec(page)?.[1] ?? "";
}

describe("the page of a module", () => {
  it("starts with the version of the module, the number of its clusters, and the next version", async () => {
    const page = pageOf(await istioOnProd());
    const [, say = ""] = /<p class="lead-sentence">(.*?)<\/p>/.exec(page) ?? [];

    expect(shown(say)).toEqual(
      mentions(...["regular", "1.1.1", "80 %", "10 clusters", "prod"], ...["1.2.1", "regular", "Wed 21 Jan, 00:00Z"]),
    );
  });

  it("shows four facts: clusters, the next version with its countdown, failing clusters, holds", async () => {
    const page = pageOf(await istioOnProd());
    const [, facts = ""] = /<dl class="head-facts[^>]*>(.*?)<\/dl>/.exec(page) ?? [];

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
    expect(shown(facts)).toMatch(/1\.1\.0 [^:\d]*: 5 %/);
  });

  it("draws how fast clusters got the version and the previous one, and describes it in words", async () => {
    const curve = sectionOf(pageOf(await istioOnProd()), "curve-prod-regular");
    const told = [...curve.matchAll(/<li class[^>]*>(.*?)<\/li>/g)].map(([, text = ""]) => shown(text));

    expect(told).toEqual([
      mentions("1.1.1", "50 % after 5 min", "80 % after 1 h", "80 % of 10 clusters", "now", "2 d 12 h"),
      mentions("1.1.0", "100 % after 1 h", "100 % of 4 clusters", "replaced", "3 d 12 h"),
    ]);
    expect(curve).toMatch(/<title[^>]*> ?Share [^.]*\. 1\.1\.1: [^,]*50 % after/);
    expect(/class="curve-now" d="M0 220((?:H[\d.]+V[\d.]+)+)"/.exec(curve)?.[1]).toMatch(
      /V120H[\d.]+V120.*V60H[\d.]+V60$/,
    );
  });

  it("shows when a landscape was last seen", async () => {
    expect(sectionOf(pageOf(await istioOnProd(1)), "curve-prod-regular")).toMatch(
      /80 % of 10 clusters [^,]*last seen, after 1 d 12 h/,
    );
  });

  it("draws no curve if no cluster was seen to upgrade", async () => {
    const state = await istioOnProd();
    const [sight] = state.landscapes;
    const landscapes = sight?.input === undefined ? [] : [{ ...sight, input: { ...sight.input, times: new Map() } }];

    expect(pageOf({ ...state, landscapes })).not.toContain("curve-");
  });

  it("draws every channel, with the hot-fix, the hold, and the expected promotion", async () => {
    const time = sectionOf(pageOf(await stateAfter(STORY, day(18))), "time");

    expect([...time.matchAll(/<text class="row-label"[^>]*>([^<]*)/g)].map(([, label]) => label)).toEqual([
      "fast",
      "regular",
    ]);
    expect(time).toMatch(/<g class="channel-bar hotfix-bar"><title>1\.1\.1: .*?; hot-fix<\/title>/);
    expect(time).toMatch(/<g class="channel-bar expected-bar"><title>1\.2\.1: .*?; expected<\/title>/);
    expect(time).toMatch(/<rect class="held-bar"/);
    expect(time).toMatch(/fast: 1\.0\.0, 1\.1\.0, 1\.2\.0 \(held [^)]*\), 1\.2\.1\./);
  });

  it("shows the reasons that promote --explain prints, each with its file and line", async () => {
    const why = sectionOf(pageOf(await istio()), "why-regular");

    expect(shown(why)).toContain("soak of minor");
    expect(why).toMatch(/href="https:\/\/github.com\/org\/name\/blob\/0{39}6\/channels\/regular\.yaml#L6"/);
  });

  it("counts clusters with the version and the previous one, and groups the others by cause", async () => {
    const page = pageOf(await istioOnProd());

    expect(shown(sectionOf(page, "rollout"))).toContain("prod regular 1.1.1 2 d 12 h 10 8 80 % 1");
    expect(shown(sectionOf(page, "rollout"))).toContain("previous 1.1.0 3 d 12 h");
    const missing = shown(sectionOf(page, "missing-prod-regular"));
    expect(missing).toContain("Not on 1.1.1: 2 prod, regular, by cause");
    expect(missing).toContain("Error with 1.1.1: &lt;script&gt;");
    expect(missing).toMatch(/maintenance window, \w+ 1\.1\.0 [^.]*\bnot\b[^.]*\bfailure\./);
  });

  it("never shows old data as current", async () => {
    const page = pageOf(await istioOnProd(1));

    expect(shown(sectionOf(page, "rollout"))).toContain("prod not seen since Fri 16 Jan, 00:00Z");
    expect(page).toContain(", as of <time");
  });

  it("shows that clusters are not known if no control plane was queried", async () => {
    expect(shown(sectionOf(pageOf(await istio()), "rollout"))).toEqual(mentions("clusters", "not known"));
  });

  it("lists evidence, and why some of it does not count", async () => {
    const state = await istio();
    const specHash = hashIn(state, "1.2.1");
    const evidence = [
      observed(specHash, { kind: "approval", approved: true, by: "boss" }),
      observed("sha256:other", { kind: "approval", approved: true, by: "other" }),
      observed(specHash, { kind: "exposure", clusters: 20, healthyHours: 500, source: HOSTILE }),
      observed(specHash, { kind: "health", clusters: 20, healthy: 19, observedAt: "2027-01-01T00:00:00Z" }),
    ];
    const page = pageOf({ ...state, evidence });
    const told = shown(sectionOf(page, "evidence-1.2.1"));

    expect(told).toContain("approval: boss approved it");
    expect(told).toMatch(/not count: [^:]*\bcontent\b/);
    expect(told).toContain("exposure: 20 clusters, 500 healthy hours");
    expect(told).toMatch(/not count: [^:]*\bfuture\b/);
    expect(shown(sectionOf(page, "versions"))).toContain("approval, exposure boss compare");
  });

  it("lists holds and hot-fixes with their files, and debt", async () => {
    const holds = sectionOf(pageOf(await istio()), "holds");

    expect(shown(holds)).toMatch(/1\.2\.0 held \w+ every channel by octocat/);
    expect(shown(holds)).toContain(
      "1.1.1 hot-fix of regular by octocat, for https://example.com/incident/7; also fixed in 1.2.1",
    );
    expect(shown(holds)).toContain("review is owed");
    expect(holds).toContain("modules/istio/holds.yaml");
  });

  it("lists versions with their level, periods in each channel, and changes", async () => {
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

  it("lists the history with people and pull requests", async () => {
    const history = sectionOf(pageOf(await istio()), "history");

    expect(history).toContain('href="https://github.com/org/name/pull/7"');
    expect(shown(history)).toContain("1.0.0 → 1.1.0");
  });

  it("ends with commands to run", async () => {
    const next = shown(sectionOf(pageOf(await istioOnProd()), "next"));

    expect(next).toContain("kyma-modules promote istio --explain");
    expect(next).toContain("kyma-modules rollout istio@1.1.1 --landscape prod");
    expect(next).toContain("kyma-modules hold istio@1.2.1 --channel regular --reason &quot;…&quot;");
    expect(next).toContain("kyma-modules unhold istio@1.2.0");
  });

  it("shows text from others as text", async () => {
    const page = pageOf(await istioOnProd());

    expect(page).not.toContain("<script>alert");
    expect(page).not.toContain("\u202e");
    expect(page).not.toContain("<b>8</b>");
    expect(page.split("&lt;script&gt;").length).toBeGreaterThan(4);
  });

  it("does not exist for an unknown module", async () => {
    expect(pageOf(await istio(), "/modules/unknown")).toContain("Page not found");
    expect(pageOf(await istio(), "/modules/%3Cscript%3E")).toContain("Page not found");
  });
});

describe("the list of modules", () => {
  it("links every module, with the version in each channel", async () => {
    const page = pageOf(await istio(), "/modules");

    expect(shown(/<tbody>(.*?)<\/tbody>/.exec(page)?.[1] ?? "")).toBe("istio 1.2.1 1.1.1 @org/mesh");
    expect(page).toContain('href="/modules/istio"');
  });
});
