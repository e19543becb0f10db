import type { Channel } from "../../catalogue/catalogue.ts";
import { commandBox } from "../commandBox.ts";
import { html, linesOf, NOTHING, type Html } from "../html.ts";
import type { Page } from "../page.ts";
import { fileLink } from "../source.ts";
import type { DashboardState } from "../state.ts";
import { alongTheWay } from "../way.ts";
import { replayPolicy } from "./replay.ts";
import { type PolicyTrial, tryPolicy, type TriedField } from "./trial.ts";
import { resultOf } from "./result.ts";
import { policyWords } from "./words.ts";

/** What a version must have earned in each channel, and what history would have been under another policy. */
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
      <p class="say">
        <b>No channel follows another,</b> so nothing is promoted. A channel follows another with
        <code>follows: CHANNEL</code> in its channels/&lt;channel&gt;.yaml.
      </p>`;
  const ways = channels.map(({ name, follows }) => `${name} follows ${follows ?? ""}`).join(", ");
  return html`<h1>Policy</h1>
    <p class="say">
      <b>${ways}.</b> Try other numbers: history is replayed at once, as <code>kyma-modules simulate</code> does, and
      nothing is changed.
    </p>
    ${channels.map((channel) => channelSection(channel, state, query))}`;
}

function channelSection(channel: Channel, state: DashboardState, query: URLSearchParams): Html {
  const { name, file } = channel;
  const isAsked = query.get("channel") === name;
  const trial = tryPolicy(channel, isAsked ? query : new URLSearchParams());
  const content = html`<div class="two">
      <div>
        <h3>In words</h3>
        <ul class="words">
          ${policyWords(channel).map((sentence) => html`<li>${sentence}</li>`)}
        </ul>
      </div>
      <div>
        <h3>As it is written</h3>
        ${yamlOf(file.text, `Policy of ${name}`)}
      </div>
    </div>
    ${formOf(channel, trial)} ${isAsked ? outcomeOf(channel, trial, state) : NOTHING}`;
  // What a person types stays, whatever changes meanwhile.
  return html`<section class="s" id="${name}" aria-labelledby="${name}-title">
    <h2 id="${name}-title">${name} ${fileLink(file.path, state)}</h2>
    ${content}
  </section>`;
}

/** A file as it is; it may be wider than the page. */
function yamlOf(text: string, label: string): Html {
  return html`<pre class="yaml" tabindex="0" role="region" aria-label="${label}, scrolls sideways">
${linesOf(text.trimEnd())}</pre>`;
}

function formOf({ name }: Channel, { fields }: PolicyTrial): Html {
  return html`<form class="try live-only" action="/policy#${name}" method="get">
    <input type="hidden" name="channel" value="${name}" />
    <fieldset>
      <legend>Try other numbers for ${name}</legend>
      <div class="fields">${fields.map((field) => inputOf(field, name))}</div>
    </fieldset>
    <p><button type="submit">Replay history</button> <a href="/policy#${name}">As the repository says</a></p>
  </form>`;
}

function inputOf({ name, label, hint, text, problem }: TriedField, channel: string): Html {
  const id = `${channel}-${name}`;
  const told = problem === undefined ? NOTHING : html`<span class="c-stop" id="${id}-problem">${problem}</span>`;
  const marks = problem === undefined ? NOTHING : html`aria-invalid="true"`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input
      id="${id}"
      name="${name}"
      value="${text}"
      autocomplete="off"
      ${marks}
      aria-describedby="${id}-hint${problem === undefined ? "" : ` ${id}-problem`}"
    />
    <span class="hint" id="${id}-hint">${hint}</span>
    ${told}
  </div>`;
}

function outcomeOf(channel: Channel, { tried, isChanged, fields }: PolicyTrial, state: DashboardState): Html {
  const { name, file } = channel;
  if (tried === undefined) {
    const wrong = fields.filter(({ problem }) => problem !== undefined).map(({ label }) => label);
    return html`<p class="wrong" role="alert"><b>Nothing was replayed.</b> Correct: ${wrong.join(", ")}.</p>`;
  }
  const toCommit = html`<h3>To commit as ${file.path}</h3>
    ${yamlOf(tried.file.text, `New policy of ${name}`)}
    ${commandBox(`kyma-modules simulate --policy ${file.path} --channel ${name}`)}`;
  return html`<div class="outcome">
    ${resultOf(replayPolicy(tried, channel, state))}
    ${isChanged ? toCommit : html`<p class="note">These are the numbers of the repository.</p>`}
  </div>`;
}
