import { durationMs } from "../../catalogue/policy.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import type { Status } from "../../promote/status.ts";
import { firstUnmet, isUnmet, type Assessment, type Reason, type Verdict } from "../../promote/verdict/verdict.ts";
import { countdown, instant } from "../format.ts";
import { html, NOTHING, type Html } from "../html.ts";
import { icon, namedSign, type Sign } from "../icons.ts";
import { shareBar } from "../parts.ts";

/** The icon and colour of a verdict. */
const VERDICT_MARKS: Readonly<Record<Verdict["kind"], Sign>> = {
  promote: { icon: "move", tone: "tone-move" },
  wait: { icon: "wait", tone: "tone-wait" },
  blocked: { icon: "block", tone: "tone-stop" },
  nothing: { icon: "none", tone: "tone-calm" },
};

/** The candidate of a channel, its verdict and its time. It links to the reasons. */
export function gateView(status: Status, catalogue: Pick<Catalogue, "channels">, nowMs: number): Html {
  const { verdict, module } = status;
  const chosen = verdict?.chosen;
  if (verdict === undefined || chosen === undefined) return quietGate(verdict);
  const sign = VERDICT_MARKS[verdict.kind];
  return html`<a class="verdict-gate" href="#why-${module}"
    ><span class="gate-headline"
      >${namedSign(sign, verdict.kind)}<b>${chosen.version}</b
      ><span class="word-badge small-text muted-text">${chosen.isHotfix ? "hot-fix" : chosen.level}</span
      ><span class="gate-time ${sign.tone}">${headline(status, chosen, nowMs)}</span></span
    ><span class="gate-details small-text muted-text"
      ><span>${detail(status, chosen)}</span>${assessmentTime(chosen, nowMs)}</span
    >${soakBar(verdict, chosen, catalogue, nowMs)}</a
  >`;
}

function quietGate(verdict: Verdict | undefined): Html {
  const text =
    verdict === undefined
      ? "follows no channel"
      : verdict.current === undefined
        ? "nothing to follow"
        : "nothing to do";
  return html`<span class="verdict-gate"
    ><span class="gate-headline quiet-gate">${icon("none")}<span class="small-text">${text}</span></span></span
  >`;
}

/** The answer in one or two words: a countdown if it only waits for time, otherwise what is missing. */
function headline({ verdict, holds }: Status, chosen: Assessment, nowMs: number): Html {
  const { earliest, version } = chosen;
  if (verdict?.kind === "promote") return html`promote`;
  if (verdict?.kind === "blocked") return holds.some((held) => held.version === version) ? html`held` : html`blocked`;
  if (earliest?.kind === "at") return countdown(earliest.atMs, nowMs);
  const missing = new Set(untimed(chosen).map(({ topic }) => topic));
  return html`${missing.size === 0 ? "waits" : `${[...missing].join(", ")} missing`}`;
}

/** The unmet reasons that time alone does not meet. */
function untimed({ reasons }: Assessment): readonly Reason[] {
  return reasons.filter((reason) => isUnmet(reason) && reason.metAtMs === undefined);
}

function detail({ verdict, proposal }: Status, chosen: Assessment): string {
  if (verdict?.kind !== "promote") return (untimed(chosen)[0] ?? firstUnmet(chosen))?.message ?? "";
  if (proposal === undefined) return "at the next run of promote --apply";
  return proposal.pull === undefined ? `proposed: ${proposal.branch}` : `pull request #${String(proposal.pull.number)}`;
}

/** The earliest time. A blocked candidate has one only if the block ends by itself. */
function assessmentTime({ kind, earliest }: Assessment, nowMs: number): Html {
  if (earliest === undefined || kind === "promote") return NOTHING;
  if (earliest.kind === "at") return html`<span class="unbroken-text">${instant(earliest.atMs, nowMs)}</span>`;
  if (kind === "blocked" || earliest.notBeforeMs <= nowMs) return NOTHING;
  return html`<span class="unbroken-text">not before ${instant(earliest.notBeforeMs, nowMs)}</span>`;
}

/** The elapsed share of the soak time, while it lasts. */
function soakBar(
  { channel: name }: Verdict,
  { reasons, level, isHotfix }: Assessment,
  { channels }: Pick<Catalogue, "channels">,
  nowMs: number,
): Html {
  const soak = reasons.find(({ topic, outcome }) => topic === "soak" && outcome === "waiting");
  const text = channels.get(name)?.promotion.soak?.[level];
  if (soak?.metAtMs === undefined || text === undefined || isHotfix) return NOTHING;
  return shareBar(1 - (soak.metAtMs - nowMs) / durationMs(text), "tone-wait");
}
