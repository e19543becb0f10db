import type { Catalogue, Channel, Module } from "../catalogue/catalogue.ts";
import type { Finding } from "../document/finding.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import { channelFilePath } from "../catalogue/paths.ts";
import type { Template } from "../catalogue/template.ts";
import type { Facts } from "./facts.ts";
import type { FactName } from "./required.ts";

/** Everything that a rule may look at. */
export interface Context {
  /** The repository with the change, as far as it could be read. */
  readonly head: Catalogue;
  /** The repository before the change; `undefined` when everything is judged. */
  readonly base: Catalogue | undefined;
  /** The templates to judge: those of the change, or all of them. */
  readonly templates: readonly Template[];
  /** Stand-ins for the templates of versions of which there are only build inputs, and which no channel ever served. */
  readonly folders: readonly Template[];
  /** Build inputs to judge in a folder that is not named after a module and a version. */
  readonly misplaced: readonly string[];
  /** The changes of channel entries; empty without a base. */
  readonly steps: readonly ChannelStep[];
  /** The changed files and folders, or those that the user named; `undefined` when everything is judged. */
  readonly paths: readonly string[] | undefined;
  /** The channels of the head of which not all files were read. */
  readonly unread: ReadonlySet<string>;
  /** Findings from reading the files. */
  readonly findings: readonly Finding[];
  readonly facts: Facts;
  /** The facts that must be known. */
  readonly required: readonly FactName[];
  /** Whether the templates are outside a catalogue, as their authors published them. */
  readonly isLoose: boolean;
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** The templates to judge, and the stand-ins of versions that have none yet. */
export function judgedVersions({ templates, folders }: Context): readonly Template[] {
  return [...templates, ...folders];
}

/** A change of one module in one channel. At least one of `from` and `to` is defined. */
export interface ChannelStep {
  readonly channel: Channel;
  readonly module: ModuleName;
  /** The template in the base; `undefined` also if its file cannot be read. */
  readonly from: Template | undefined;
  /** The template in the head; `undefined` if the change removes the entry. */
  readonly to: Template | undefined;
}

/**
 * The channel whose policy counts. Names, policies and owners are read from the base, so that a change cannot make its
 * own rules. A channel that the base does not have is read from the head.
 */
export function channelAsCounts({ base, head }: Context, name: ChannelName): Channel | undefined {
  return base?.channels.get(name) ?? head.channels.get(name);
}

/** The module whose file counts; see `channelAsCounts`. */
export function moduleAsCounts({ base, head }: Context, name: ModuleName): Module | undefined {
  return base?.modules.get(name) ?? head.modules.get(name);
}

/** A catalogue and the paths of all files that it was read from, including broken ones. */
interface CatalogueFiles {
  readonly catalogue: Catalogue;
  readonly paths: ReadonlySet<string>;
}

/**
 * The steps between two catalogues, for all modules of either. Channels are read from the base where it has them.
 * A file of the head that cannot be read is not a step: its content is unknown, and its own findings refuse the change.
 * A file of the base that cannot be read counts as absent; see `withLastServed`.
 */
export function stepsBetween(base: Catalogue, head: CatalogueFiles): readonly ChannelStep[] {
  const { channels } = head.catalogue;
  const names = new Set([...base.channels.keys(), ...channels.keys()]);
  return [...names].flatMap((name) => {
    const [before, after] = [base.channels.get(name), channels.get(name)];
    const channel = before ?? after;
    if (channel === undefined) return [];
    const modules = new Set([...(before?.templates.keys() ?? []), ...(after?.templates.keys() ?? [])]);
    return [...modules].flatMap((module): ChannelStep[] => {
      const [from, to] = [before?.templates.get(module), after?.templates.get(module)];
      if (from?.file.text === to?.file.text) return [];
      const isBroken = to === undefined && head.paths.has(channelFilePath(name, module));
      return isBroken ? [] : [{ channel, module, from, to }];
    });
  });
}
