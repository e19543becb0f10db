import { canonicalHash } from "../../document/canonical.ts";
import { interventionCommand } from "../../catalogue/commands.ts";
import type { ChannelName, ModuleName } from "../../catalogue/names.ts";
import { hotfixesPath } from "../../catalogue/paths.ts";
import type { ModuleVersion } from "../../catalogue/version.ts";
import type { Debt } from "../status.ts";
import type { HeldPeriod } from "../verdict/holding.ts";
import { instantText } from "../../document/times.ts";
import { firstUnmet } from "../verdict/verdict.ts";
import type { DashboardRow } from "./rows.ts";

/** A notice that people get once. */
export interface Notice {
  readonly kind: "blocked" | "hold-ends" | "debt";
  /** Stays the same as long as the cause does: 16 hexadecimal digits. */
  readonly key: string;
  /** `undefined`: all channels. */
  readonly channel: ChannelName | undefined;
  readonly module: ModuleName;
  readonly version: ModuleVersion;
  /** When it began. Unix milliseconds. */
  readonly sinceMs: number;
  /** When it ends by itself, if known. Unix milliseconds. */
  readonly untilMs: number | undefined;
  /** Since when it is due. Unix milliseconds. */
  readonly dueMs: number;
  /** Full sentences with unescaped text from people and files: not Markdown. */
  readonly message: string;
  readonly remedy: string;
}

const DAY_MS = 86_400_000;

/** The notices that are due: blocks that last for `blockedForMs`, holds that end within a day, unpaid debt. */
export function dashboardNotices(
  rows: readonly DashboardRow[],
  blockedForMs: number,
  nowMs: number,
): readonly Notice[] {
  const all = rows.flatMap((row) => [
    ...blockedNotices(row, blockedForMs),
    ...row.status.holds.flatMap((period) => endingNotice(row.status.module, period) ?? []),
    ...row.status.debts.map((debt) => debtNotice(row, debt)),
  ]);
  const due = all.filter(({ dueMs }) => dueMs <= nowMs);
  // A hold in all channels is listed in each of them.
  return [...new Map(due.map((notice) => [notice.key, notice])).values()];
}

function blockedNotices({ status, blocked }: DashboardRow, blockedForMs: number): readonly Notice[] {
  const { channel, module, verdict } = status;
  if (blocked === undefined || verdict?.chosen === undefined) return [];
  const { sinceMs } = blocked;
  const { message, remedy = "" } = firstUnmet(verdict.chosen) ?? { message: "" };
  const { version } = verdict.chosen;
  return [
    {
      kind: "blocked",
      key: joinedKey("blocked", channel, module, sinceMs),
      ...{ channel, module, version, sinceMs, untilMs: undefined, dueMs: sinceMs + blockedForMs },
      message: `${channel}/${module} is blocked since ${instantText(sinceMs)}. ${message}`.trimEnd(),
      remedy,
    },
  ];
}

function endingNotice(module: ModuleName, { version, why, startMs, endMs }: HeldPeriod): Notice | undefined {
  if (why.kind !== "hold" || !Number.isFinite(endMs)) return undefined;
  const { channel, by, reason } = why.hold;
  const where = channel === undefined ? "" : ` out of ${channel}`;
  return {
    kind: "hold-ends",
    key: joinedKey("hold-ends", channel ?? "", module, version, endMs),
    ...{ channel, module, version, sinceMs: startMs, untilMs: endMs, dueMs: endMs - DAY_MS },
    message: `The hold by which ${by} keeps ${module} ${version}${where} ends at ${instantText(endMs)}: ${reason}`,
    remedy: `To hold it longer: ${interventionCommand("hold", { module, version, channel })}`,
  };
}

function debtNotice({ status: { channel, module } }: DashboardRow, { hotfix, since, kinds }: Debt): Notice {
  const { version, incident } = hotfix;
  return {
    kind: "debt",
    key: joinedKey("debt", channel, module, version, since.atMs),
    ...{ channel, module, version, sinceMs: since.atMs, untilMs: undefined, dueMs: since.atMs },
    message: `The hot-fix ${module} ${version} of ${channel} owes ${kinds.join(", ")} since ${instantText(since.atMs)} (${incident}).`,
    remedy: `Once it is done, set paidBy in ${hotfixesPath(module)}.`,
  };
}

function joinedKey(...parts: readonly (string | number)[]): string {
  return canonicalHash(parts).slice("sha256:".length, "sha256:".length + 16);
}
