import type { Style } from "../document/printable.ts";
import { secondText } from "../document/times.ts";
import { describeUsers } from "../fleet/users.ts";
import type { EntryItem, EntryUsers, SetBack } from "./plan/item.ts";

/** The description of an item of a plan: a verb, its colour, and lines of detail. */
export interface Description {
  readonly verb: string;
  readonly style: Style;
  readonly details: readonly string[];
}

/** `fast/istio 1.2.0 → 1.3.0`, with `–` where the channel does not serve the module. */
export function entryText({ channel, module, from, to }: EntryItem): string {
  return `${channel}/${module} ${from === to ? (from ?? "–") : `${from ?? "–"} → ${to ?? "–"}`}`;
}

/** Describes an entry of a plan. */
export function describeEntry(entry: EntryItem): Description {
  switch (entry.kind) {
    case "unchanged":
      return { verb: "unchanged", style: "quiet", details: [] };
    case "create":
    case "raise":
    case "lower":
      return describeMove(entry);
    case "remove":
      return describeRemoval(entry);
    case "refused":
      return {
        verb: "refused",
        style: "bad",
        details: [
          `${entry.reason} [${entry.refusal}]`,
          ...userLines(entry.users),
          ...setBackLines(entry),
          entry.remedy,
        ],
      };
    case "waiting": {
      const until = entry.untilMs === undefined ? "" : `; waits until ${secondText(entry.untilMs)}`;
      return { verb: "waiting", style: "change", details: [`${entry.reason}${until}`, ...setBackLines(entry)] };
    }
  }
}

function setBackLines({ setBack }: { readonly setBack?: SetBack }): readonly string[] {
  if (setBack === undefined) return [];
  return [`another client changed it: it goes back to ${setBack.version}`, ...userLines(setBack.users)];
}

type MovingEntry = Extract<EntryItem, { kind: "create" | "raise" | "lower" }>;

function describeMove({ kind, cause, users, passed }: MovingEntry): Description {
  const drift = cause === "drift" ? ["another client changed it on the control plane"] : [];
  const now = passed === undefined ? [] : [`ignored: ${passed}`];
  const style = kind === "lower" ? "change" : "good";
  return { verb: ENTRY_VERBS[kind], style, details: [...drift, ...now, ...userLines(users)] };
}

const ENTRY_VERBS = { create: "add", raise: "raise", lower: "lower" } as const;

function describeRemoval(entry: Extract<EntryItem, { kind: "remove" }>): Description {
  const { channel, carriedOut, cause } = entry;
  if (!carriedOut) {
    const remedy = `${channel} no longer serves it; --prune removes it`;
    return { verb: "left over", style: "quiet", details: [remedy, ...setBackLines(entry)] };
  }
  const details = cause === "drift" ? ["there is no record of it: another client added it on the control plane"] : [];
  return { verb: "remove", style: "bad", details };
}

/** How lifecycle-manager treats the users of an entry that goes down. */
function userLines(users: EntryUsers | undefined): readonly string[] {
  if (users === undefined) return [];
  const texts = [
    ["protected, they keep the higher version", users.protected],
    ["endangered, lifecycle-manager would lower them", users.endangered],
    ["without a higher x.y.z", users.behind],
  ] as const;
  return texts.flatMap(([text, group]) => (group.count === 0 ? [] : [`${text}: ${describeUsers(group)}`]));
}
