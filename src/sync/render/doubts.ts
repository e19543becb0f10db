import type { Channel } from "../../catalogue/catalogue.ts";
import type { Compilation } from "../../catalogue/compile.ts";
import { conform } from "../../catalogue/conform.ts";
import type { PolicyFile } from "../../catalogue/draft.ts";
import type { RecordedChange } from "../../catalogue/history/history.ts";
import type { Histories } from "../../catalogue/history/moduleHistory.ts";
import { parseChannelName, type ChannelName, type ModuleName } from "../../catalogue/names.ts";
import { cataloguePlace } from "../../catalogue/paths.ts";
import { templateComponent } from "../../catalogue/template.ts";
import { readYaml } from "../../document/yaml/read.ts";
import { changedTerms, type ModuleTerms } from "../../kubernetes/releaseMeta.ts";
import type { Base } from "./base.ts";

/** Whether `baseDoubts` reads the file at `path`: the policy of a channel, or the settings of a module. */
export function isSettings(path: string): boolean {
  const kind = cataloguePlace(path)?.kind;
  return kind === "policy" || kind === "module";
}

type Doubts = readonly (readonly [module: string, because: string])[];

/**
 * The modules whose terms or channels were different at any time: it is unknown whether they were rendered since. A commit
 * that says what was rendered last, or the rendered files, answers that.
 *
 * Takes:  `changes` of the files that `isSettings` accepts, and others; `channels` at head.
 */
export function baseDoubts(
  changes: readonly RecordedChange[],
  histories: Histories,
  { terms, target: { landscape } }: Pick<Compilation, "terms" | "target">,
  channels: ReadonlyMap<ChannelName, Pick<Channel, "kind" | "landscapes">>,
): Base["doubts"] {
  const ofTerms = histories.modules.flatMap((module): Doubts => {
    const now = terms.get(module);
    const changed = now && new Set(termsBefore(module, changes, histories).flatMap((past) => changedTerms(past, now)));
    return changed !== undefined && changed.size > 0
      ? [[module, `its ${[...changed].join(" and ")} was different once`]]
      : [];
  });
  const ofChannels = changes.flatMap((change): Doubts => {
    const place = cataloguePlace(change.path);
    const channel = place?.kind === "policy" ? parseChannelName(place.channel) : undefined;
    if (channel === undefined || !isMoved(change, channels.get(channel), landscape)) return [];
    const because = `the kind or the landscapes of the channel ${channel} were different once`;
    return histories.modules
      .filter((module) => histories.of(module).served.has(channel))
      .map((module) => [module, because]);
  });
  return new Map([...ofTerms, ...ofChannels]);
}

/** All terms that a module had since a channel serves it. The component may stand in its templates only. */
function termsBefore(
  module: ModuleName,
  changes: readonly RecordedChange[],
  { of }: Histories,
): readonly ModuleTerms[] {
  const states = [...of(module).served.values()].flat();
  const own = changes.filter(({ path }) => path === `modules/${module}/module.yaml`);
  const first = Math.min(...states.map(({ revision }) => revision.index));
  const isLate = own.every(({ index }) => index > first);
  const said = [...(isLate ? [{}] : []), ...own.flatMap(termsIn)];
  const components = (): readonly ModuleTerms[] =>
    states.flatMap((state): readonly ModuleTerms[] => {
      const { name } = templateComponent(state.template()?.object ?? NOTHING_SERVED);
      return name === undefined ? [] : [{ ocmComponentName: name }];
    });
  return said.flatMap((one: ModuleTerms) =>
    one.ocmComponentName === undefined ? [one, ...components().map((found) => ({ ...one, ...found }))] : [one],
  );
}

const NOTHING_SERVED = { spec: { descriptor: {} } };

/** The terms after a change of a module's file. A broken file was never rendered. */
function termsIn(change: RecordedChange): readonly ModuleTerms[] {
  const file = change.content === undefined ? {} : read(change, "module");
  return file === undefined ? [] : [file];
}

/** Whether a channel was served on the landscape as another kind than now, or is not served there any more. */
function isMoved(
  change: RecordedChange,
  now: Pick<Channel, "kind" | "landscapes"> | undefined,
  landscape: string,
): boolean {
  const before: PolicyFile | undefined = read(change, "channel");
  const serves = (one: Pick<PolicyFile, "landscapes"> | undefined): boolean =>
    one?.landscapes.some((name) => name === landscape) === true;
  return serves(before) && !(serves(now) && (before?.kind ?? "release") === now?.kind);
}

function read<Kind extends "module" | "channel">(
  { path, content }: RecordedChange,
  kind: Kind,
): ReturnType<typeof conform<Kind>>["value"] {
  const reading = content && readYaml(path, content);
  return reading?.kind === "read" ? conform(kind, reading.file).value : undefined;
}
