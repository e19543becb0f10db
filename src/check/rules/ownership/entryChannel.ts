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
    "A hold for a module that does not exist has no effect, although its author believes that the version is stopped. A hold for a channel that does not exist, or that was renamed or removed, stops the version in all channels, since the one that was meant is not known.",
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

interface Entries {
  readonly file: YamlFile | undefined;
  readonly key: "holds" | "hotfixes";
  readonly entries: readonly (Hold | Hotfix)[];
  readonly before: readonly (Hold | Hotfix)[] | undefined;
}

/** Judges entries that the change adds, and holds whose channel it removes. A hot-fix that is over needs no channel. */
function strayIn({ base, head }: Context, { file, key, entries, before = [] }: Entries): readonly Violation[] {
  return entries.flatMap((entry, index) => {
    const { channel, version } = entry;
    if (file === undefined || channel === undefined) return [];
    if (!isChannelUnknown(channel, head)) return [];
    const isCaused = key === "holds" && base?.channels.has(channel) === true;
    if (base !== undefined && isIn(entry, before) && !isCaused) return [];
    const effect =
      key === "holds" ? `this hold keeps ${version} out of all channels` : `this entry has no effect on ${version}`;
    const message = `There is no channel ${channel}: ${effect}.`;
    const remedy =
      "Name a channel of channels/, or omit the channel of a hold that shall stop the version in all of them.";
    return [violation(file, [key, index, "channel"], { message, remedy })];
  });
}
