import type { Catalogue, Channel, Module } from "../catalogue/catalogue.ts";
import type { Finding } from "../document/finding.ts";
import type { ChannelName, ModuleName } from "../catalogue/names.ts";
import { channelFilePath } from "../catalogue/paths.ts";
import type { Template } from "../catalogue/template.ts";
import type { Facts } from "./facts.ts";
import type { FactName } from "./required.ts";

/** Everything that a rule may look at. */
export interface Context {
  /** What the repository says with the change, as far as it could be read. */
  readonly head: Catalogue;
  /** What it said before; `undefined` when everything is judged as it is. */
  readonly base: Catalogue | undefined;
  /** The templates to judge: those of the change, or all of them. */
  readonly templates: readonly Template[];
  /** What the change does to the channels; empty without a base. */
  readonly steps: readonly Step[];
  /** The files and folders of the change, or that a person named; `undefined` when everything is judged. */
  readonly paths: readonly string[] | undefined;
  /** What was found while the files were read. */
  readonly findings: readonly Finding[];
  readonly facts: Facts;
  /** The facts that have to be known. */
  readonly required: readonly FactName[];
  /** Unix milliseconds. */
  readonly nowMs: number;
}

/** What a change makes of one module in one channel. One of the two templates is there. */
export interface Step {
  readonly channel: Channel;
  readonly module: ModuleName;
  /** What the base serves; `undefined` also where its file cannot be read. */
  readonly from: Template | undefined;
  /** What the head would serve; `undefined` when the entry is removed. */
  readonly to: Template | undefined;
}

/**
 * The policy of a channel as it counts: names, policies and owners are read from the base, so that no change can make
 * its own rules. A channel that the base does not have is as the head says.
 */
export function channelAsCounts({ base, head }: Context, name: ChannelName): Channel | undefined {
  return base?.channels.get(name) ?? head.channels.get(name);
}

/** A module as it counts; see `channelAsCounts`. */
export function moduleAsCounts({ base, head }: Context, name: ModuleName): Module | undefined {
  return base?.modules.get(name) ?? head.modules.get(name);
}

/** A catalogue and the paths of all files that it was read from, the broken ones included. */
export interface CatalogueFiles {
  readonly catalogue: Catalogue;
  readonly paths: ReadonlySet<string>;
}

/**
 * The steps between two catalogues, for the modules that either has. Channels are as the base says, where it has them.
 * A file of the head that is there but could not be read is not a step: what it says is not known, and its own findings
 * refuse the change. One of the base that could not be read served nothing: what takes its place is judged in full.
 */
export function stepsBetween(base: Catalogue, head: CatalogueFiles): readonly Step[] {
  const { channels } = head.catalogue;
  const names = new Set([...base.channels.keys(), ...channels.keys()]);
  return [...names].flatMap((name) => {
    const [before, after] = [base.channels.get(name), channels.get(name)];
    const channel = before ?? after;
    if (channel === undefined) return [];
    const modules = new Set([...(before?.templates.keys() ?? []), ...(after?.templates.keys() ?? [])]);
    return [...modules].flatMap((module): Step[] => {
      const [from, to] = [before?.templates.get(module), after?.templates.get(module)];
      if (from?.file.text === to?.file.text) return [];
      const isBroken = to === undefined && head.paths.has(channelFilePath(name, module));
      return isBroken ? [] : [{ channel, module, from, to }];
    });
  });
}
