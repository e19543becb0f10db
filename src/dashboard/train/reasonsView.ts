import type { Status } from "../../promote/status.ts";

import { instantBeside } from "../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../html.ts";
import { namedSign } from "../icons.ts";
import { commandList, reasonItem, reasonList } from "../parts.ts";
import { PROBLEM_SIGNS } from "../problemSigns.ts";
import { reasonLine } from "../reasons.ts";
import { fileLink } from "../reasons.ts";
import type { DashboardState } from "../state.ts";
import type { Matter } from "./matters.ts";
import type { Row } from "./rows.ts";

/** The reasons for the state of a module: a table row that opens in place, with an address to share. */
export function reasonsView(row: Row, columns: number, state: DashboardState): Html {
  const gates = [...row.gates.values()].filter(({ verdict }) => verdict?.chosen !== undefined);
  if (gates.length === 0 && row.matters.length === 0) return NOTHING;
  const verdicts = gates.map(({ verdict }) => {
    return verdict?.chosen && ` · ${verdict.chosen.version} → ${verdict.channel}: ${verdict.kind}`;
  });
  const promotes = gates.map(({ channel, verdict }) => {
    return `kyma-modules promote ${row.module} --channel ${channel} ${verdict?.kind === "promote" ? "--apply" : "--explain"}`;
  });
  const commands = new Set([...promotes, ...row.matters.flatMap((one) => one.commands)]);
  return html`<tr class="reasons-row" id="why-${row.module}" role="row" data-live>
    <td colspan="${columns}" role="cell">
      <div class="reasons-head wrapping-line">
        <h3 class="answer-sentence">${row.module}${verdicts}</h3>
        <a class="small-text muted-text" href="#train">Close</a>
      </div>
      <div class="reasons-columns">
        <div>
          <h4 class="small-text muted-text">Reasons</h4>
          ${reasonList([
            ...row.matters.filter((one) => isOfItsOwn(one, gates)).map((one) => matterLine(one, state)),
            ...gates.flatMap(({ verdict }) => (verdict?.chosen?.reasons ?? []).map((one) => reasonLine(one, state))),
          ])}
        </div>
        <div>
          <h4 class="small-text muted-text">Next commands</h4>
          ${commandList(commands)}
          <div class="reasons-links wrapping-line small-text">
            <a href="/modules/${encodeURIComponent(row.module)}">Details of ${row.module}</a>
            ${gates.flatMap(({ proposal }) => {
              const { pull } = proposal ?? {};
              return pull === undefined ? [] : [outwardLink(pull.url, `Pull request #${String(pull.number)}`)];
            })}
          </div>
        </div>
      </div>
    </td>
  </tr>`;
}

/** Whether a matter is not among the reasons of a verdict, which include holds of its candidate. */
function isOfItsOwn({ kind, about }: Matter, gates: readonly Status[]): boolean {
  if (kind === "held") return !gates.some(({ verdict }) => verdict?.chosen?.version === about);
  return kind !== "blocked" && kind !== "awaited";
}

function matterLine({ kind, about, message, sinceMs, file, owner }: Matter, state: DashboardState): Html {
  const sign = PROBLEM_SIGNS[kind];
  const since = sinceMs === undefined ? NOTHING : html` (${instantBeside(sinceMs, state.nowMs)})`;
  const by = owner === "" ? "" : `, ${owner}`;
  const from = file === undefined ? NOTHING : fileLink(file, state);
  return reasonItem(namedSign(sign, sign.label), html`<b>${sign.label} ${about}</b>${since}: ${message}${by}. ${from}`);
}
