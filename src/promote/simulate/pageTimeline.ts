import { instantText } from "../../document/times.ts";
import type { Shape } from "../picture/drawing.ts";
import { drawPicture, type PictureMark } from "../picture/picture.ts";
import type { JudgedChange, ModuleReplay, Simulation } from "./simulation.ts";
import type { Gap } from "./replayInput.ts";

/** The time line of one module: the followed channel above, what the following one served, what it would have. */
export function drawTimeline(
  replay: ModuleReplay,
  { fromMs, untilMs }: Pick<Simulation, "fromMs" | "untilMs">,
  gaps: readonly Gap[],
  id: string,
): Shape {
  const { spans, follows, channel, changes, module } = replay;
  return drawPicture({
    ...{ id, fromMs, untilMs, gaps },
    title: `${channel} / ${module}`,
    description: descriptionOf(replay),
    rows: [
      { label: follows, style: "followed", spans: spans.followed },
      { label: `${channel}, really`, style: "real", spans: spans.real },
      { label: `${channel}, by policy`, style: "policy", spans: spans.policy },
    ],
    marks: changes.flatMap(markOf),
  });
}

function descriptionOf({ follows, channel, changes, promotions }: ModuleReplay): string {
  return `${follows} above, ${channel} below: ${String(changes.length)} changes happened, the policy would have made ${String(promotions.length)} promotions. The table below lists them.`;
}

/** What is as usual needs no sign. */
function markOf({ how: { kind }, revision, from, to }: JudgedChange): readonly PictureMark[] {
  if (kind === "first" || kind === "promotion") return [];
  const title = `${kind}: ${from ?? "nothing"} to ${to ?? "nothing"}, ${instantText(revision.atMs)}`;
  return [{ row: 1, kind, atMs: revision.atMs, title }];
}
