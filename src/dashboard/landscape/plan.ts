import { describeEntry, entryText, type Description } from "../../sync/describeEntry.ts";
import { describeItem, nameOf, planSummary } from "../../sync/describeItem.ts";
import { entriesOf, itemsOf, type Plan } from "../../sync/plan/item.ts";
import { html, type Html } from "../html.ts";
import { commandList } from "../parts.ts";

/** What a sync would do now: what `plan` prints, of the same value. */
export function planParts(plan: Plan): Html {
  const steps = [
    ...entriesOf(plan).flatMap((entry) =>
      entry.kind === "unchanged" ? [] : [stepItem(entryText(entry), describeEntry(entry))],
    ),
    ...itemsOf(plan).flatMap((item) => (item.kind === "unchanged" ? [] : [stepItem(nameOf(item), describeItem(item))])),
  ];
  const shown = steps.slice(0, MOST_STEPS);
  const more = steps.length - shown.length;
  return html`<p>${planSummary(plan)}</p>
    <ul class="plan">
      ${shown} ${more > 0 ? html`<li>and ${String(more)} more</li>` : ""}
    </ul>
    ${commandList([`kyma-modules plan ${plan.landscape}`])}`;
}

/** The command prints all of them. */
const MOST_STEPS = 100;

const STYLES: Readonly<Partial<Record<Description["style"], string>>> = {
  bad: "c-stop",
  change: "c-wait",
  good: "c-move",
};

function stepItem(name: string, { verb, style, details }: Description): Html {
  return html`<li>
    <b class="${STYLES[style] ?? "c-ok"}">${verb}</b> ${name} ${details.map((detail) => html`<small>${detail}</small>`)}
  </li>`;
}
