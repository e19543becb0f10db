import type { IconName } from "../icons.ts";
import type { Matter } from "./matters.ts";

/** The icon, colour and label of a matter. */
interface MatterLook {
  readonly icon: IconName;
  readonly tone: string;
  readonly label: string;
}

/** The looks of all kinds of matters. */
export const MATTER_LOOKS: Readonly<Record<Matter["kind"], MatterLook>> = {
  stuck: { icon: "block", tone: "c-stop", label: "Commit not served" },
  stale: { icon: "blind", tone: "c-wait", label: "Stale" },
  failed: { icon: "warn", tone: "c-stop", label: "Failed" },
  halted: { icon: "block", tone: "c-stop", label: "Wave halted" },
  "served although held": { icon: "hold", tone: "c-stop", label: "Served although held" },
  withheld: { icon: "warn", tone: "c-stop", label: "Withheld" },
  blocked: { icon: "block", tone: "c-stop", label: "Blocked" },
  held: { icon: "hold", tone: "c-stop", label: "Held" },
  refused: { icon: "refused", tone: "c-stop", label: "Refused" },
  contested: { icon: "contested", tone: "c-stop", label: "Contested" },
  paused: { icon: "hold", tone: "c-ok", label: "Paused" },
  drift: { icon: "drift", tone: "c-wait", label: "Drift" },
  debt: { icon: "debt", tone: "c-fix", label: "Debt" },
  unknown: { icon: "blind", tone: "c-wait", label: "Not known" },
  awaited: { icon: "wait", tone: "c-wait", label: "Awaited" },
};
