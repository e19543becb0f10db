import { describe, expect, it } from "vitest";
import { renderPage } from "../../../src/dashboard/layout.ts";
import { replayPolicy } from "../../../src/dashboard/policy/page.ts";
import { tryPolicy } from "../../../src/dashboard/policy/trial.ts";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import { simulationAccount } from "../../../src/promote/simulate/account.ts";
import { prepareSimulation } from "../../../src/promote/simulate/prepare.ts";
import { simulate } from "../../../src/promote/simulate/simulate.ts";
import { fileOf } from "../../catalogue/repository.ts";
import { tirelessClock } from "../../promote/simulate/replays.ts";
import { day, REGULAR } from "../../promote/verdict/timeline.ts";
import { quietRun } from "../../support/quietRun.ts";
import { stateAfter, worldAfter, type Told } from "../story.ts";
import { sentencesOf } from "../landscapeState.ts";
import { istio, POLICY, STORY } from "../module/istio.ts";
import { mentions } from "../../support/mentions.ts";

/** Where a page shows the result of a replay. */
const OUTCOME = '<div class="replay-outcome">';

/** The text of the page for `query`. */
function pageOf(state: DashboardState, query: Readonly<Record<string, string>> = {}): string {
  const address = { path: "/policy", query: new URLSearchParams(query) };
  return renderPage(state, address, { theme: undefined, styles: [], scripts: [] }).text;
}

/** The text of `pre` elements. */
function writtenIn(page: string): readonly string[] {
  return [...page.matchAll(/<pre[^>]*>([^]*?)<\/pre>/g)].map(([, text = ""]) =>
    text.trimStart().replaceAll("&#10;", "\n").replaceAll("&quot;", '"'),
  );
}

function regularIn({ gathered: { catalogue } }: DashboardState) {
  const channel = catalogue.channels.get(REGULAR);
  if (channel === undefined) throw new Error("there is no regular");
  return channel;
}

/** The problems of a form with these values. */
async function problemsOf(query: Readonly<Record<string, string>>): Promise<Readonly<Record<string, string>>> {
  const { fields } = tryPolicy(regularIn(await istio()), new URLSearchParams(query));
  return Object.fromEntries(fields.flatMap(({ name, problem }) => (problem === undefined ? [] : [[name, problem]])));
}

/** The file to commit for a form. */
async function fileFor(query: Readonly<Record<string, string>>): Promise<string | undefined> {
  return tryPolicy(regularIn(await istio()), new URLSearchParams(query)).tried?.file.text;
}

describe("the page of policies", () => {
  it("shows each policy in words and as written", async () => {
    const page = pageOf(await istio());

    const sentences = sentencesOf(page);
    expect(sentences).toContainEqual(mentions("minor step", "7d"));
    expect(sentences).toContainEqual(mentions("window", "&quot;0 0 * * *&quot;", "UTC", "24h"));
    expect(writtenIn(page)).toEqual([POLICY]);
  });

  it("replays nothing without a query", async () => {
    expect(pageOf(await istio())).not.toContain(OUTCOME);
  });

  it("has a form with the values of the file, which works without scripts", async () => {
    const page = pageOf(await istio());

    expect(page).toMatch(/<form class="policy-form scripts-only" action="\/policy#regular" method="get">/);
    expect(
      [...page.matchAll(/name="(soak|windows)(\.[^"]+)"\s+value="([^"]*)"/g)].map(([, a, b, value]) => [
        `${a ?? ""}${b ?? ""}`,
        value,
      ]),
    ).toEqual([
      ["soak.first", "0d"],
      ["soak.patch", "1d"],
      ["soak.minor", "7d"],
      ["soak.major", "30d"],
      ["windows.0.opens", "0 0 * * *"],
      ["windows.0.for", "24h"],
    ]);
  });

  it("shows the figures of simulate, and the file to commit", async () => {
    const page = pageOf(await istio(), { channel: "regular", "soak.minor": "9d" });

    expect(page).toContain(OUTCOME);
    expect(writtenIn(page)[1]).toBe(POLICY.replace("minor: 7d", "minor: 9d"));
    expect(page).toContain("kyma-modules simulate --policy channels/regular.yaml --channel regular");
  });

  it("shows the same words and figures as simulate prints for the file", async () => {
    const state = await istio();
    const { tried } = tryPolicy(regularIn(state), new URLSearchParams({ "soak.minor": "20d" }));
    if (tried === undefined) throw new Error("refused");
    const { gathered } = state;
    const world = worldAfter(STORY, day(16), { [tried.file.path]: fileOf(tried.file.text) });
    const asked = { policy: tried.file.path, channel: "regular", evidence: [], revision: "HEAD" };
    const prepared = await prepareSimulation(asked, world, quietRun());
    if (prepared.kind === "unreadable") throw new Error("unreadable");
    const { question, revision } = prepared;
    const simulation = await simulate(question, tirelessClock, quietRun());
    const policies = question.channels.map(({ channel, followed }) => ({
      ...{ file: channel.file.path, channel: channel.name, follows: followed.name },
    }));
    const printed = simulationAccount({
      simulation,
      input: question.input,
      policies,
      revision,
      decidedAt: gathered.nowMs,
    });

    expect(replayPolicy(tried, regularIn(state), state)).toEqual(printed);
    expect(printed.sections.map(({ title }) => title)).toContainEqual(mentions("Never allowed"));
  });

  it("shows a problem at its field, and replays nothing", async () => {
    const page = pageOf(await istio(), { channel: "regular", "soak.patch": "<b>soon</b>" });

    expect(page).toMatch(
      /value="&lt;b&gt;soon&lt;\/b&gt;"[^>]*aria-invalid="true"[^>]*aria-describedby="[^"]*regular-soak\.patch-problem"/,
    );
    expect(page).toMatch(/id="regular-soak\.patch-problem">[^<]*\bduration\b/);
    expect(page).toContain("Nothing was replayed.");
    expect(page).not.toContain("<b>soon</b>");
    expect(page).not.toContain(OUTCOME);
  });

  it("explains that nothing is promoted if no channel follows another", async () => {
    const [first] = STORY;
    const files = Object.entries(first?.files ?? {}).filter(([path]) => !path.startsWith("channels/regular"));
    const alone: Told = { atMs: day(0), files: Object.fromEntries(files) };

    expect(pageOf(await stateAfter([alone], day(1)))).toContain("<code>follows: CHANNEL</code>");
  });
});

describe("a tried policy", () => {
  it.each([
    ["soak.patch", "1", "duration"],
    ["soak.major", "1d, minor: 0d", "duration"],
    ["soak.minor", "\u202e7d", "duration"],
    ["windows.0.for", "", "for"],
    ["windows.0.for", "0h", "above zero"],
    ["windows.0.opens", "99 99 * * *", "cron"],
  ])("refuses %s of %j", async (name, text, problem) => {
    const problems = await problemsOf({ [name]: text });

    expect(Object.keys(problems)).toEqual([name]);
    expect(problems[name]).toContain(problem);
  });

  it("changes only the numbers, so that comments and layout stay", async () => {
    expect(await fileFor({ "soak.patch": "2d", "windows.0.opens": "0 9 * * 1" })).toBe(
      POLICY.replace("patch: 1d", "patch: 2d").replace('"0 0 * * *"', '"0 9 * * 1"'),
    );
  });

  it("omits an empty time, and keeps comments", async () => {
    const text = await fileFor({ "soak.major": "" });

    expect(text).toContain("# What regular takes");
    expect(text).toMatch(/soak: \{ first: 0d, minor: 7d, patch: 1d \} # by level/);
  });

  it("equals the file of the repository if nothing is changed", async () => {
    expect(await fileFor({ "soak.patch": "1d", unknown: "9" })).toBe(POLICY);
  });
});
