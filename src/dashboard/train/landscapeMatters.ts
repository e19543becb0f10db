import { fieldText } from "../../kubernetes/compare.ts";
import type { EntryStatus, LandscapeStatus } from "../../sync/landscapeStatus.ts";
import type { ObjectStatus } from "../../sync/objectStatus.ts";
import { EVERYTHING } from "../../sync/plan/controls.ts";
import { resumeCommand } from "../../sync/plan/resume.ts";
import type { DashboardState } from "../state.ts";
import { type Matter, ownersOf } from "./matter.ts";

/** What landscapes say of modules. What was seen earlier counts until it is seen again; a banner says since when. */
export function landscapeMatters(state: DashboardState): readonly Matter[] {
  const modules = [...new Set(state.statuses.map(({ module }): string => module))];
  return state.landscapes.flatMap(({ status }) => {
    if (status === undefined) return [];
    return [
      ...status.entries.flatMap((entry) => entryMatters(entry, status.landscape, state)),
      ...status.objects.flatMap((object) => objectMatters(object, status, modules)),
      ...pauseMatters(status),
    ];
  });
}

function entryMatters(entry: EntryStatus, landscape: string, state: DashboardState): readonly Matter[] {
  const { module, channel, version = "", wave, wanted } = entry;
  const owner = ownersOf(module, state);
  const common = { module, owner };
  const matters: Matter[] = [];
  if (wave?.halt !== undefined) {
    const { sinceMs, reason } = wave.halt;
    const message = `goes no further than ${landscape}, in ${channel}: ${reason}`;
    const rollout = `kyma-modules rollout ${module}@${version} --landscape ${landscape}`;
    const commands = [rollout, resumeCommand(landscape, module)];
    matters.push({ ...common, kind: "halted", about: version, message, sinceMs, commands });
  }
  if (wanted?.kind === "refused") {
    const message = `${landscape} keeps ${channel} as it is: ${wanted.reason ?? ""} ${wanted.remedy ?? ""}`.trim();
    const commands = [`kyma-modules plan ${landscape}`];
    matters.push({ ...common, kind: "refused", about: version, message, sinceMs: undefined, commands });
  }
  return matters;
}

const KINDS = { drift: "drift", contested: "contested", refused: "refused" } as const;

function objectMatters(
  { kind, object, by, fields, reason, remedy }: ObjectStatus,
  { landscape }: LandscapeStatus,
  modules: readonly string[],
): readonly Matter[] {
  const module = moduleOf(object.name, modules);
  if (kind === "waiting" || module === undefined) return [];
  const who = by.join(", ") || "an unknown client";
  const what = fields.slice(0, 3).map(({ path }) => fieldText(path));
  const change = kind === "contested" ? "undoes every repair of" : "changed";
  const message = reason ?? `${who} ${change} ${[`${object.kind} ${object.name}`, ...what].join(", ")} on ${landscape}`;
  const commands = [`kyma-modules plan ${landscape}`];
  const text = [message, remedy ?? ""].join(" ").trim();
  return [{ kind: KINDS[kind], module, about: landscape, message: text, sinceMs: undefined, owner: "", commands }];
}

/** Templates are named after their module, and a channel or a version. */
function moduleOf(name: string, modules: readonly string[]): string | undefined {
  const fitting = modules.filter((module) => name === module || name.startsWith(`${module}-`));
  return fitting.toSorted((a, b) => b.length - a.length)[0];
}

function pauseMatters({ landscape, pauses }: LandscapeStatus): readonly Matter[] {
  return [...pauses].map(([told, { by, reason, atMs }]): Matter => {
    const module = told === EVERYTHING ? undefined : told;
    const commands = [resumeCommand(landscape, module)];
    const message = `${landscape} is left as it is: ${reason}`;
    return { kind: "paused", module, about: landscape, message, sinceMs: atMs, owner: by, commands };
  });
}
