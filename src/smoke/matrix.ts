import type { Catalogue, Channel } from "../catalogue/catalogue.ts";
import type { ServedStates } from "../catalogue/history/history.ts";
import { inputsFolder } from "../catalogue/inputs.ts";
import { servedModules, versionKey } from "../catalogue/lookup.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import { specHash, type Template } from "../catalogue/template.ts";
import { compareVersions, type ModuleVersion } from "../catalogue/version.ts";
import { channelShift } from "../catalogue/wave.ts";
import { compareText } from "../document/order.ts";
import type { SmokePath, SmokeVersion } from "./path.ts";

/** The input of the matrix. */
interface MatrixInput {
  readonly head: Catalogue;
  /** The catalogue in service; the head itself without a base. */
  readonly base: Catalogue;
  /** The states of a module that the channels of the base served. */
  readonly servedOf: (module: ModuleName) => ServedStates;
  readonly chosen: Chosen;
  /** The names of wanted paths. They may lead to a version that a channel served before. */
  readonly only?: readonly string[];
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** The modules to try: those that a change touches, by the paths of its files; those that are named; or all. */
export type Chosen =
  | { readonly kind: "changed"; readonly paths: ReadonlySet<string> }
  | { readonly kind: "named"; readonly modules: readonly string[] }
  | { readonly kind: "all" };

/**
 * Every path to a version that channels serve of the chosen modules, each once: the install, and the upgrade from every
 * lower version that a channel of the base serves, or served so recently that a landscape may lag, or has withdrawn
 * without a higher one since, and from the previous version of the same channel.
 */
export function smokeMatrix(input: MatrixInput): readonly SmokePath[] {
  const paths = new Map<string, SmokePath>();
  const add = (template: Template, channel: Channel | undefined): void => {
    if (isChosen(template, input)) for (const path of smokePaths(template, channel, input)) merge(paths, path);
  };
  for (const channel of input.head.channels.values())
    for (const template of [...channel.templates.values(), ...formerTargets(channel, input)]) add(template, channel);
  for (const template of comingTargets(input)) add(template, undefined);
  // The sort is stable: the install of a version stays before its upgrades.
  return [...paths.values()].sort(
    (a, b) => compareText(a.module, b.module) || compareVersions(a.to.version, b.to.version),
  );
}

/**
 * The wanted versions that a channel served before and does not serve now. The next channel may still take them, and
 * asks for their evidence.
 */
function formerTargets({ name, templates }: Channel, input: MatrixInput): readonly Template[] {
  const { head, only = [], servedOf } = input;
  if (only.length === 0) return [];
  return servedModules(head).flatMap((module) => {
    const states = servedOf(module).get(name) ?? [];
    const named = only.filter((path) => path.startsWith(`${module}@`)).map((path) => path.split(/@|\.\./).at(-1));
    return states
      .flatMap((state) => state.template() ?? [])
      .filter(({ version }) => version !== templates.get(module)?.version && named.includes(version));
  });
}

/** The versions that a change brings without a channel: a later change may bring them into one by their name alone. */
function comingTargets({ head: { channels, modules }, chosen }: MatrixInput): readonly Template[] {
  if (chosen.kind !== "changed") return [];
  const served = [...channels.values()].flatMap(({ templates }) => [...templates.values()].map(versionKey));
  return [...modules.values()]
    .flatMap(({ templates }) => [...templates.values()])
    .filter((template) => !served.includes(versionKey(template)));
}

function isChosen(template: Template, { chosen, base }: MatrixInput): boolean {
  switch (chosen.kind) {
    case "all":
      return true;
    case "named":
      return chosen.modules.includes(template.module);
    case "changed": {
      const { module, version, channel } = template;
      const folder = inputsFolder(module, version);
      const before =
        channel === undefined
          ? base.modules.get(module)?.templates.get(version)
          : base.channels.get(channel)?.templates.get(module);
      const isSame = before !== undefined && specHash(before.object) === specHash(template.object);
      return !isSame || [...chosen.paths].some((path) => path.startsWith(folder));
    }
  }
}

function smokePaths(template: Template, channel: Channel | undefined, input: MatrixInput): readonly SmokePath[] {
  const { module } = template;
  const channels = channel === undefined ? [] : [channel.name];
  const to = smokeVersion(template);
  const path = (from: SmokeVersion | undefined): SmokePath => ({ module, from, to, channels });
  const lower = inService(template, channel?.name, input).filter(
    (template) => compareVersions(template.version, to.version) < 0,
  );
  const versions = lower.map(smokeVersion).sort((a, b) => compareVersions(b.version, a.version));
  return [undefined, ...versions].map(path);
}

function smokeVersion(template: Template): SmokeVersion {
  return { version: template.version, specHash: specHash(template.object), template };
}

/** The versions of a module that clusters may run when a channel takes `to`. */
function inService(
  to: Template,
  channel: ChannelName | undefined,
  { base, servedOf, nowMs }: MatrixInput,
): readonly Template[] {
  const { module, version } = to;
  const now = [...base.channels.values()].flatMap(({ templates }) => templates.get(module) ?? []);
  const served = servedOf(module);
  const before = [...served].flatMap(([name, states]) => {
    const channel = base.channels.get(name);
    const sinceMs = nowMs - (channel === undefined ? 0 : channelShift(channel, base.settings.landscapes).ms);
    const recent = states.filter((state, index) => {
      const next = states.slice(index + 1).find(({ version }) => isReplacement(version, state.version));
      return (next?.revision.atMs ?? Infinity) >= sinceMs;
    });
    return recent.flatMap((state) => state.template() ?? []);
  });
  const own = channel === undefined ? undefined : served.get(channel);
  const previous = own?.findLast((state) => state.version !== undefined && state.version !== version);
  return [...now, ...before, ...[previous?.template()].filter((template) => template !== undefined)];
}

/**
 * Whether clusters leave `version` once their channel serves `later`. lifecycle-manager refuses a lower one, so after a
 * withdrawal they stay until there is a higher one, however long that takes.
 */
function isReplacement(later: ModuleVersion | undefined, version: ModuleVersion | undefined): boolean {
  return later === undefined || version === undefined || compareVersions(later, version) > 0;
}

/** Adds a path. A pair of versions runs once, even if several channels serve it. */
function merge(paths: Map<string, SmokePath>, path: SmokePath): void {
  const { module, from, to, channels } = path;
  const key = JSON.stringify([module, from?.version, from?.specHash, to.version, to.specHash]);
  const known = paths.get(key);
  const all = new Set([...(known?.channels ?? []), ...channels]);
  paths.set(key, { ...(known ?? path), channels: [...all] });
}
