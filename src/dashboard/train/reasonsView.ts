import type { Status } from "../../promote/status.ts";

import { commandBox } from "../commandBox.ts";
import { instantBeside } from "../format.ts";
import { html, NOTHING, outwardLink, type Html } from "../html.ts";
import { namedIcon } from "../icons.ts";
import { reasonLine } from "../reason.ts";
import { fileLink } from "../source.ts";
import type { DashboardState } from "../state.ts";
import { MATTER_LOOKS } from "./matterLooks.ts";
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
  return html`<tr class="why" id="why-${row.module}" role="row" data-live>
    <td colspan="${columns}" role="cell">
      <div class="whyh">
        <h3>${row.module}${verdicts}</h3>
        <a class="x" href="#train">Close</a>
      </div>
      <div class="whyg">
        <div>
          <h4>Reasons</h4>
          <ul class="reasons">
            ${row.matters.filter((one) => isOfItsOwn(one, gates)).map((one) => matterLine(one, state))}
            ${gates.flatMap(({ verdict }) => (verdict?.chosen?.reasons ?? []).map((one) => reasonLine(one, state)))}
          </ul>
        </div>
        <div>
          <h4>Next commands</h4>
          <div class="cmds">${[...commands].map(commandBox)}</div>
          <div class="cont">
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
  const { icon, tone, label } = MATTER_LOOKS[kind];
  const since = sinceMs === undefined ? NOTHING : html` (${instantBeside(sinceMs, state.nowMs)})`;
  const by = owner === "" ? "" : `, ${owner}`;
  return html`<li>
    <span class="${tone}">${namedIcon(icon, label)}</span
    ><span
      ><b>${label} ${about}</b>${since}: ${message}${by}. ${file === undefined ? NOTHING : fileLink(file, state)}</span
    >
  </li>`;
}
