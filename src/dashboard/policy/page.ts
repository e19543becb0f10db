import type { Channel } from "../../catalogue/catalogue.ts";
import { LEVELS, type PromotionFile } from "../../catalogue/policy.ts";
import { counted } from "../../document/counted.ts";
import { simulationAccount, type SimulationAccount } from "../../promote/simulate/account.ts";
import { replayInput } from "../../promote/simulate/prepare.ts";
import { simulateAtOnce } from "../../promote/simulate/simulate.ts";
import { channelsToTry, type TriedPolicy } from "../../promote/simulate/trial.ts";
import { html, htmlLines, NOTHING, type Html } from "../html.ts";
import type { Page } from "../page.ts";
import { commandBox } from "../parts.ts";
import { accountFacts, differencesView, totalsTables } from "../simulation.ts";
import { fileLink } from "../reasons.ts";
import type { DashboardState } from "../state.ts";
import { alongTheWay } from "../channelOrder.ts";
import { type EditedPolicy, tryPolicy, type TriedField } from "./trial.ts";

/** The policy of each channel, and the history as it would be under a changed policy. */
export const policy: Page = {
  path: "/policy",
  tab: "Policy",
  title: () => "Policy",
  view: ({ state, query }) => policyView(state, query),
};

function policyView(state: DashboardState, query: URLSearchParams): Html {
  const channels = alongTheWay(state.gathered.catalogue).filter(({ follows }) => follows !== undefined);
  if (channels.length === 0)
    return html`<h1>Policy</h1>
      <p class="lead-sentence">
        <b>No channel follows another,</b> so nothing is promoted. To let a channel follow another, set
        <code>follows: CHANNEL</code> in its channels/&lt;channel&gt;.yaml.
      </p>`;
  const ways = channels.map(({ name, follows }) => `${name} follows ${follows ?? ""}`).join(", ");
  return html`<h1>Policy</h1>
    <p class="lead-sentence">
      <b>${ways}.</b> Try other numbers: the page replays history as <code>kyma-modules simulate</code> does, and
      changes nothing.
    </p>
    ${channels.map((channel) => channelSection(channel, state, query))}`;
}

function channelSection(channel: Channel, state: DashboardState, query: URLSearchParams): Html {
  const { name, file } = channel;
  const isAsked = query.get("channel") === name;
  const trial = tryPolicy(channel, isAsked ? query : new URLSearchParams());
  const content = html`<div class="two-columns">
      <div>
        <h3>In words</h3>
        <ul class="policy-rules">
          ${policyWords(channel).map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </div>
      <div>
        <h3>As written</h3>
        ${labelledYaml(file.text, `Policy of ${name}`)}
      </div>
    </div>
    ${policyForm(channel, trial)} ${isAsked ? policyOutcome(channel, trial, state) : NOTHING}`;
  // Not updated when it changes, so that typed text stays.
  return html`<section class="page-section" id="${name}" aria-labelledby="${name}-title">
    <h2 class="wrapping-line" id="${name}-title">${name} ${fileLink(file.path, state)}</h2>
    ${content}
  </section>`;
}

/** The rules of a policy, one sentence each. */
function policyWords({ name, follows, versions, landscapes, promotion }: Channel): readonly string[] {
  return [
    `${name} follows ${follows ?? "no channel"} and takes ${VERSIONS[versions] ?? `versions x.y.z-${versions.replace(/^prerelease:/, "")}`}.`,
    `It is served on ${landscapes.join(", ")}.`,
    ...LEVELS.map((level) => {
      const soak = promotion.soak?.[level];
      const what = level === "first" ? "A first version" : `A ${level} step`;
      return soak === undefined ? `${what} needs no soak time.` : `${what} soaks for ${soak}.`;
    }),
    ...evidenceWords(promotion),
    ...calendarWords(promotion),
    ...limitWords(promotion),
    promotion.merge === "automatic"
      ? "A promotion that meets the policy is merged automatically."
      : "A person reviews every promotion.",
  ];
}

const VERSIONS: Readonly<Record<string, string>> = { release: "versions x.y.z", any: "all versions" };

function evidenceWords({ needs = [], exposure, health, lines }: PromotionFile): readonly string[] {
  const { clusters, healthyHours } = exposure ?? {};
  return [
    ...(needs.includes("smoke") ? ["A smoke test must have passed."] : []),
    ...(needs.includes("approval") ? ["A person must approve the version."] : []),
    ...(clusters === undefined ? [] : [`It must have run on ${counted(clusters, "cluster")}.`]),
    ...(healthyHours === undefined ? [] : [`It must have been healthy for ${counted(healthyHours, "hour")} in total.`]),
    ...(health === undefined
      ? []
      : [`The share of clusters that are not in order may grow by at most ${health.notWorseBy}.`]),
    ...(lines === "previous-first"
      ? ["A minor version may enter the followed channel only after the previous one has reached this channel."]
      : []),
  ];
}

function calendarWords({ windows = [], freezes = [] }: PromotionFile): readonly string[] {
  return [
    ...(windows.length === 0 ? ["Promotions may happen at any time."] : []),
    ...windows.map(
      ({ opens, for: length, timeZone }) => `A window opens at "${opens}" in ${timeZone} and stays open for ${length}.`,
    ),
    ...freezes.map(({ from, until, reason }) => `No promotions from ${from} until ${until}: ${reason}.`),
  ];
}

function limitWords({ limits }: PromotionFile): readonly string[] {
  const { perWindow, together = [] } = limits ?? {};
  return [
    ...(perWindow === undefined ? [] : [`At most ${counted(perWindow, "promotion")} may happen in a window.`]),
    ...together.map((modules) => `${modules.join(" and ")} are promoted together.`),
  ];
}

/** The text of a file, which may be wider than the page. */
function labelledYaml(text: string, label: string): Html {
  return html`<pre class="policy-source" tabindex="0" role="region" aria-label="${label}, scrolls sideways">
${htmlLines(text.trimEnd())}</pre>`;
}

function policyForm({ name }: Channel, { fields }: EditedPolicy): Html {
  return html`<form class="policy-form scripts-only" action="/policy#${name}" method="get">
    <input type="hidden" name="channel" value="${name}" />
    <fieldset>
      <legend>Try other numbers for ${name}</legend>
      <div class="policy-fields">${fields.map((field) => fieldInput(field, name))}</div>
    </fieldset>
    <p><button type="submit">Replay history</button> <a href="/policy#${name}">Reset to the repository</a></p>
  </form>`;
}

function fieldInput({ name, label, hint, text, problem }: TriedField, channel: string): Html {
  const id = `${channel}-${name}`;
  const told = problem === undefined ? NOTHING : html`<span class="tone-stop" id="${id}-problem">${problem}</span>`;
  const marks = problem === undefined ? NOTHING : html`aria-invalid="true"`;
  return html`<div class="policy-field small-text">
    <label class="muted-text" for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      value="${text}"
      autocomplete="off"
      ${marks}
      aria-describedby="${id}-hint${problem === undefined ? "" : ` ${id}-problem`}"
    />
    <span class="muted-text" id="${id}-hint">${hint}</span>
    ${told}
  </div>`;
}

function policyOutcome(channel: Channel, { tried, isChanged, fields }: EditedPolicy, state: DashboardState): Html {
  const { name, file } = channel;
  if (tried === undefined) {
    const wrong = fields.filter(({ problem }) => problem !== undefined).map(({ label }) => label);
    return html`<p class="form-problem" role="alert"><b>Nothing was replayed.</b> Correct: ${wrong.join(", ")}.</p>`;
  }
  const toCommit = html`<h3>New content of ${file.path}</h3>
    ${labelledYaml(tried.file.text, `New policy of ${name}`)}
    ${commandBox(`kyma-modules simulate --policy ${file.path} --channel ${name}`)}`;
  return html`<div class="replay-outcome">
    ${replayResult(replayPolicy(tried, channel, state))}
    ${isChanged ? toCommit : html`<p class="side-note small-text muted-text">The numbers are the same as in the repository.</p>`}
  </div>`;
}

/** The result of `simulate` for a changed policy of a channel. */
export function replayPolicy(
  tried: TriedPolicy,
  { name }: Pick<Channel, "name">,
  { gathered }: Pick<DashboardState, "gathered">,
): SimulationAccount {
  const { catalogue, histories, revision, nowMs } = gathered;
  const input = replayInput(revision, new Map(histories.modules.map((module) => [module, histories.of(module)])));
  const { channels, assumptions } = channelsToTry(tried, name, catalogue.channels);
  const { modules, settings } = catalogue;
  const question = { input, channels, modules, landscapes: settings.landscapes, assumptions };
  const simulation = simulateAtOnce({ ...question, evidence: undefined, sinceMs: undefined, untilMs: nowMs });
  const policies = channels.map(({ channel, followed }) => ({
    file: channel.file.path,
    channel: channel.name,
    follows: followed.name,
  }));
  return simulationAccount({ simulation, input, policies, revision, decidedAt: nowMs });
}

/** The maximum number of rows on the page; the command prints all. */
const MOST = 100;

/** The result of a replay, in the same words and figures as `simulate` prints. */
function replayResult(account: SimulationAccount): Html {
  return html`<h3>${account.title}</h3>
    ${accountFacts(account)} ${totalsTables(account)}
    ${differencesView(account, "History and policy do not differ.", MOST)}`;
}
