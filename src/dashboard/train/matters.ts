import { hotfixesPath, holdsPath } from "../../catalogue/paths.ts";
import { shellCommand } from "../../document/shellWord.ts";
import type { Users } from "../../fleet/users.ts";
import { fieldText } from "../../kubernetes/compare.ts";
import { sourceText } from "../../promote/body.ts";
import type { Status } from "../../promote/status.ts";
import type { HeldPeriod } from "../../promote/verdict/holding.ts";
import { firstUnmet, isUnmet, type Reason } from "../../promote/verdict/verdict.ts";
import type { EntryStatus, LandscapeStatus } from "../../sync/landscapeStatus.ts";
import type { ObjectStatus } from "../../sync/objectStatus.ts";
import { EVERYTHING, resumeCommand } from "../../sync/plan/controls.ts";
import { controllerAttention } from "../landscape/attention.ts";
import type { DashboardState } from "../state.ts";

/** The kinds of matters, the most severe first. */
const MATTER_KINDS = [
  "stuck",
  "stale",
  "failed",
  "halted",
  "served although held",
  "withheld",
  "blocked",
  "held",
  "refused",
  "contested",
  "paused",
  "drift",
  "debt",
  "awaited",
  "unknown",
] as const;

/** Something about a module or a landscape that a person should know, and perhaps act on. */
export interface Matter {
  readonly kind: (typeof MATTER_KINDS)[number];
  /** `undefined` for a landscape as a whole. */
  readonly module: string | undefined;
  /** Its subject beside the module, such as `1.3.0` or `prod`; without a module, the landscape. */
  readonly about: string;
  /** A sentence, or a part of one. */
  readonly message: string;
  /** When it began; `undefined` if not recorded. Unix milliseconds. */
  readonly sinceMs: number | undefined;
  /** The person or team that it waits for. */
  readonly owner: string;
  /** The file of the repository that causes it. */
  readonly file?: string;
  /** The commands to run. */
  readonly commands: readonly string[];
}

/** All matters, the most severe first, then the oldest. */
export function openMatters(state: DashboardState): readonly Matter[] {
  const all = [...state.statuses.flatMap((status) => repositoryMatters(status, state)), ...landscapeMatters(state)];
  const unique = [...new Map(all.map((matter) => [JSON.stringify(matter), matter])).values()];
  return unique.toSorted(
    (a, b) => MATTER_KINDS.indexOf(a.kind) - MATTER_KINDS.indexOf(b.kind) || compareTimes(a.sinceMs, b.sinceMs),
  );
}

function repositoryMatters(status: Status, state: DashboardState): readonly Matter[] {
  const owner = moduleOwnersText(status.module, state);
  return [
    ...status.holds.map((period) => heldMatter(status, period, owner)),
    ...blockedMatters(status, owner),
    ...awaitedMatters(status, owner),
    ...debtMatters(status, owner),
    ...withheldMatters(status, owner),
  ];
}

function heldMatter({ module, channel, version: served }: Status, period: HeldPeriod, owner: string): Matter {
  const { version, why } = period;
  const isServed = version === served;
  const unhold = `kyma-modules unhold ${module}@${version}`;
  const common = { kind: isServed ? "served although held" : "held", module, about: version } as const;
  if (why.kind === "decrease") {
    const message = `${why.channel} went down to ${why.to}, so ${version} counts as held until unhold lifts it`;
    return { ...common, message, sinceMs: why.at.atMs, owner, commands: [`${unhold} --reason "…"`] };
  }
  const { hold } = why;
  const scope = hold.channel === undefined ? "" : ` --channel ${hold.channel}`;
  const withdraw = `kyma-modules withdraw ${module}@${version} --channel ${channel} --reason "…"`;
  return {
    ...common,
    message: `kept out of ${hold.channel ?? "every channel"}: ${hold.reason}`,
    sinceMs: why.from.atMs,
    owner: hold.by,
    file: holdsPath(module),
    commands: [...(isServed ? [withdraw] : []), `${unhold}${scope} --reason "…"`],
  };
}

/** None for a hold, which is a matter of its own. */
function blockedMatters(status: Status, owner: string): readonly Matter[] {
  const { verdict, holds, since } = status;
  const chosen = verdict?.kind === "blocked" ? verdict.chosen : undefined;
  if (chosen === undefined || holds.some(({ version }) => version === chosen.version)) return [];
  return reasonMatter("blocked", status, firstUnmet(chosen), { owner, about: chosen.version, sinceMs: since?.atMs });
}

/** None if the candidate only waits for time. */
function awaitedMatters(status: Status, owner: string): readonly Matter[] {
  const chosen = status.verdict?.kind === "wait" ? status.verdict.chosen : undefined;
  if (chosen?.earliest?.kind !== "not-before") return [];
  const untimed = chosen.reasons.filter((reason) => isUnmet(reason) && reason.metAtMs === undefined);
  return reasonMatter("awaited", status, untimed[0], { owner, about: chosen.version, sinceMs: undefined });
}

function reasonMatter(
  kind: Matter["kind"],
  { module, channel }: Status,
  reason: Reason | undefined,
  about: Pick<Matter, "about" | "owner" | "sinceMs">,
): readonly Matter[] {
  if (reason === undefined) return [];
  const source = reason.source?.kind === "file" ? { file: sourceText(reason.source) } : {};
  const commands = [`kyma-modules promote ${module} --channel ${channel} --explain`];
  return [{ kind, module, message: reason.message, ...about, ...source, commands }];
}

function debtMatters({ module, channel, debts }: Status, owner: string): readonly Matter[] {
  return debts.map(({ hotfix, since, kinds }): Matter => {
    const message = `hot-fix in ${channel}, still owes ${kinds.join(", ")}: set paidBy when it is done`;
    const file = hotfixesPath(module);
    return { kind: "debt", module, about: hotfix.version, message, sinceMs: since.atMs, owner, file, commands: [] };
  });
}

function withheldMatters({ module, isWithheld }: Status, owner: string): readonly Matter[] {
  if (!isWithheld) return [];
  const message = "its files contradict each other, so it is not compiled";
  return [
    { kind: "withheld", module, about: "", message, sinceMs: undefined, owner, commands: ["kyma-modules check"] },
  ];
}

/** The matters of landscapes. The last observation counts until a newer one; a banner shows its age. */
function landscapeMatters(state: DashboardState): readonly Matter[] {
  const modules = [...new Set(state.statuses.map(({ module }): string => module))];
  return state.landscapes.flatMap(({ status, input }) => {
    if (status === undefined) return [];
    return [
      ...controllerMatters(status, modules),
      ...unknownMatters(status, input?.users),
      ...status.entries.flatMap((entry) => entryMatters(entry, status.landscape, state)),
      ...status.objects.flatMap((object) => objectMatters(object, status, modules)),
      ...pauseMatters(status),
    ];
  });
}

function entryMatters(entry: EntryStatus, landscape: string, state: DashboardState): readonly Matter[] {
  const { module, channel, version = "", wave, wanted } = entry;
  const owner = moduleOwnersText(module, state);
  const common = { module, owner };
  const matters: Matter[] = [];
  if (wave?.halt !== undefined) {
    const { sinceMs, reason } = wave.halt;
    const message = `halted at ${landscape}, in ${channel}: ${reason}`;
    const rollout = shellCommand`kyma-modules rollout ${module}@${version} --landscape ${landscape}`;
    const commands = [rollout, resumeCommand(landscape, module)];
    matters.push({ ...common, kind: "halted", about: version, message, sinceMs, commands });
  }
  if (wanted?.kind === "refused") {
    const message = `${landscape} does not change ${channel}: ${wanted.reason ?? ""} ${wanted.remedy ?? ""}`.trim();
    const commands = [`kyma-modules plan ${landscape}`];
    matters.push({ ...common, kind: "refused", about: version, message, sinceMs: undefined, commands });
  }
  return matters;
}

function controllerMatters(status: LandscapeStatus, modules: readonly string[]): readonly Matter[] {
  const { landscape } = status;
  return controllerAttention(status).map(({ kind, about, message, sinceMs }): Matter => {
    const module = modules.find((one) => one === about);
    const said = module === undefined ? `${about}: ${message}` : message;
    const commands = [`kyma-modules status ${landscape}`];
    return { kind, module, about: landscape, message: said, sinceMs, owner: "", commands };
  });
}

function unknownMatters({ landscape }: LandscapeStatus, users: Users | undefined): readonly Matter[] {
  if (users?.kind !== "unknown") return [];
  const message = `its clusters are not known: ${users.because}`;
  const commands = [`kyma-modules status ${landscape}`];
  return [{ kind: "unknown", module: undefined, about: landscape, message, sinceMs: undefined, owner: "", commands }];
}

const KINDS = { drift: "drift", contested: "contested", refused: "refused" } as const;

function objectMatters(
  { kind, object, by, fields, reason, remedy }: ObjectStatus,
  { landscape }: LandscapeStatus,
  modules: readonly string[],
): readonly Matter[] {
  // Templates are named after their module, and a channel or a version.
  const fitting = modules.filter((one) => object.name === one || object.name.startsWith(`${one}-`));
  const module = fitting.toSorted((a, b) => b.length - a.length)[0];
  if (kind === "waiting") return [];
  const who = by.join(", ") || "an unknown client";
  const what = fields.slice(0, 3).map(({ path }) => fieldText(path));
  const change = kind === "contested" ? "undoes every repair of" : "changed";
  const message = reason ?? `${who} ${change} ${[`${object.kind} ${object.name}`, ...what].join(", ")} on ${landscape}`;
  const commands = [`kyma-modules plan ${landscape}`];
  const text = [message, remedy ?? ""].join(" ").trim();
  return [{ kind: KINDS[kind], module, about: landscape, message: text, sinceMs: undefined, owner: "", commands }];
}

function pauseMatters({ landscape, pauses }: LandscapeStatus): readonly Matter[] {
  return [...pauses].map(([told, { by, reason, atMs }]): Matter => {
    const module = told === EVERYTHING ? undefined : told;
    const commands = [resumeCommand(landscape, module)];
    const message = `writes to ${landscape} are paused: ${reason}`;
    return { kind: "paused", module, about: landscape, message, sinceMs: atMs, owner: by, commands };
  });
}

/** The owners of a module as text. */
export function moduleOwnersText(
  module: string,
  { gathered: { catalogue } }: Pick<DashboardState, "gathered">,
): string {
  return [...catalogue.modules.values()].find(({ name }) => name === module)?.owners.join(", ") ?? "";
}

/** Compares instants. Unknown ones come last. */
export function compareTimes(a: number | undefined, b: number | undefined): number {
  return a === b ? 0 : (a ?? Infinity) - (b ?? Infinity);
}
