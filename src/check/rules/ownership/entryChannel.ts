import type { Module } from "../../../catalogue/catalogue.ts";
import { isChannelUnknown } from "../../../catalogue/holdStrength.ts";
import { servedModules } from "../../../catalogue/lookup.ts";
import { modulePath } from "../../../catalogue/paths.ts";
import type { Hold, Hotfix } from "../../../catalogue/policy.ts";
import { isBroken } from "../../../document/finding.ts";
import type { YamlFile } from "../../../document/yaml/read.ts";
import { isIn } from "../../authority.ts";
import type { Context } from "../../context.ts";
import { HOLDS } from "../../example.ts";
import { violation, type Rule, type Violation } from "../../rule.ts";

function holding(channel: string): string {
  const entry = `{ version: 1.1.0, channel: ${channel}, reason: leaks, by: boss, since: "2026-01-01T00:00:00Z" }`;
  return `format: 1\nholds:\n  - ${entry}\n`;
}

/** A hold or a hot-fix is about a channel and a module that exist. */
export const entryChannel: Rule = {
  id: "entry-channel",
  group: "ownership",
  severity: "error",
  waivable: false,
  demand: "A hold or a hot-fix names a channel of channels/, and is in the folder of a module that exists.",
  rationale:
    "A hold for a module that does not exist has no effect, although its author believes that the version is stopped. An entry for a channel that does not exist, or that was renamed or removed, counts in all channels, since the one that was meant is not known: a hold stops the version there, and a hot-fix blocks what would undo it.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/holds.md",
  judge: strayEntries,
  bad: { change: { [HOLDS]: holding("regula") }, at: { file: HOLDS, line: "channel: regula" } },
  good: { change: { [HOLDS]: holding("regular") } },
};

function strayEntries(context: Context): readonly Violation[] {
  const { base, head } = context;
  return [...head.modules.values()].flatMap((module) => {
    const { name, files, holds, hotfixes } = module;
    const before = base?.modules.get(name);
    return [
      ...misplacedIn(module, before, context),
      ...strayIn(context, { file: files.holds, key: "holds", entries: holds, before: before?.holds }),
      ...strayIn(context, { file: files.hotfixes, key: "hotfixes", entries: hotfixes, before: before?.hotfixes }),
    ];
  });
}

/** Judges the first entry of a module that nothing else is about: its folder is misspelt. */
function misplacedIn(
  { name, files, holds, hotfixes, templates }: Module,
  before: Module | undefined,
  { base, head }: Context,
): readonly Violation[] {
  const [key, file] = holds.length > 0 ? (["holds", files.holds] as const) : (["hotfixes", files.hotfixes] as const);
  const [entry] = [...holds, ...hotfixes];
  if (before !== undefined || file === undefined || entry === undefined) return [];
  const isServed = [head, base].some((side) => side !== undefined && servedModules(side).includes(name));
  if (isServed || templates.size > 0 || files.module !== undefined || isBroken(head, modulePath(name))) return [];
  const message = `There is no module ${name}: this entry has no effect on ${entry.version}.`;
  const remedy = `Correct the name of the folder, or add ${modulePath(name)} for a module that is yet to come.`;
  return [violation(file, [key, 0, "version"], { message, remedy })];
}

/** What an entry on a channel that does not exist does, and what else than to correct the name can be done about it. */
const EFFECTS = {
  holds: {
    message: (version: string) => `this hold keeps ${version} out of all channels`,
    remedy: "omit the channel of a hold that shall stop the version in all of them",
  },
  hotfixes: {
    message: (version: string) => `this hot-fix blocks the versions without ${version} in all channels`,
    remedy: "remove the hot-fix if no channel needs it any more",
  },
} as const;

interface Entries {
  readonly file: YamlFile | undefined;
  readonly key: "holds" | "hotfixes";
  readonly entries: readonly (Hold | Hotfix)[];
  readonly before: readonly (Hold | Hotfix)[] | undefined;
}

/** Judges entries that the change adds, and those whose channel it removes. */
function strayIn({ base, head }: Context, { file, key, entries, before = [] }: Entries): readonly Violation[] {
  return entries.flatMap((entry, index) => {
    const { channel, version } = entry;
    if (file === undefined || channel === undefined) return [];
    if (!isChannelUnknown(channel, head)) return [];
    const isCaused = base?.channels.has(channel) === true;
    if (base !== undefined && isIn(entry, before) && !isCaused) return [];
    const message = `There is no channel ${channel}: ${EFFECTS[key].message(version)}.`;
    const remedy = `Name a channel of channels/, or ${EFFECTS[key].remedy}.`;
    return [violation(file, [key, index, "channel"], { message, remedy })];
  });
}
