import type { Sign } from "./icons.ts";
import type { Attention } from "./landscape/attention.ts";
import type { Matter } from "./train/matters.ts";

/** The sign and the label of each kind of problem, the same on all pages. */
export const PROBLEM_SIGNS: Readonly<Record<Attention["kind"] | Matter["kind"], Sign & { readonly label: string }>> = {
  stuck: { icon: "block", tone: "tone-stop", label: "Commit not served" },
  stale: { icon: "blind", tone: "tone-wait", label: "Stale" },
  failed: { icon: "warn", tone: "tone-stop", label: "Failed" },
  halted: { icon: "block", tone: "tone-stop", label: "Wave halted" },
  failing: { icon: "block", tone: "tone-stop", label: "Fails" },
  "served although held": { icon: "hold", tone: "tone-stop", label: "Served although held" },
  withheld: { icon: "warn", tone: "tone-stop", label: "Withheld" },
  blocked: { icon: "block", tone: "tone-stop", label: "Blocked" },
  held: { icon: "hold", tone: "tone-stop", label: "Held" },
  refused: { icon: "refused", tone: "tone-stop", label: "Refused" },
  contested: { icon: "contested", tone: "tone-stop", label: "Contested" },
  paused: { icon: "hold", tone: "tone-calm", label: "Paused" },
  unknown: { icon: "blind", tone: "tone-wait", label: "Not known" },
  drift: { icon: "drift", tone: "tone-wait", label: "Drift" },
  debt: { icon: "debt", tone: "tone-fix", label: "Debt" },
  awaited: { icon: "wait", tone: "tone-wait", label: "Awaited" },
  waiting: { icon: "wait", tone: "tone-wait", label: "Waits" },
};
