import { compareText } from "../../document/order.ts";
import { templateUse } from "../../fleet/users.ts";
import { compareOnce } from "../../kubernetes/compare.ts";
import { type KubernetesObject, RESOURCES } from "../../kubernetes/object.ts";
import { changedRestrictions, templateRestrictions } from "../../kubernetes/releaseMeta.ts";
import { judgeDesired, judgeDifferences } from "./difference.ts";
import { isOurs } from "./input.ts";
import { isAct, type ItemOf, objectName, type PlanItem } from "./item.ts";
import type { EntryDecision } from "./moves.ts";
import { isApplied } from "./records.ts";
import { acceptedKey, endangeringRefusal, flipRefusal, restrictionRefusal, unknownUsers } from "./refusals.ts";
import { isMandatoryTemplate, knownTemplate, liveTemplate, type ModuleState } from "./state.ts";

/** Judges the templates of the wanted versions, by name. */
export function wantedTemplates(state: ModuleState): ReadonlyMap<string, PlanItem> {
  return new Map(
    state.wanted.map(({ template, version }) => {
      const { name } = template.metadata;
      return [name, unlessEndangering(judgeDesired(template, state.templates.get(name), state), version, state)];
    }),
  );
}

/**
 * Judges the templates of versions, given the decisions on the entries.
 *
 * Takes:  `restriction`, the refusal of a live restriction that the repository does not want.
 */
export function versionTemplates(
  wanted: ReadonlyMap<string, PlanItem>,
  decisions: readonly EntryDecision[],
  restriction: ItemOf<"refused"> | undefined,
  state: ModuleState,
): readonly PlanItem[] {
  const { module, templates } = state;
  const nameFor = (version: string): string => `${module}-${version}`;
  const served = new Set(decisions.flatMap(({ serves }) => (serves === undefined ? [] : [nameFor(serves)])));
  const moved = new Set(
    decisions.flatMap(({ item, serves }) => {
      const isAsWanted = item.kind !== "refused" && item.kind !== "waiting" && serves === item.to;
      return serves !== undefined && isAsWanted ? [nameFor(serves)] : [];
    }),
  );
  const named = new Set(decisions.flatMap(({ item: { from, to }, serves }) => [from, to, serves]));
  return [...new Set([...wanted.keys(), ...served, ...templates.keys()])].sort(compareText).flatMap((name) => {
    const version = name.slice(module.length + 1);
    return versionTemplate(name, wanted.get(name), { isServed: served.has(name), isMoved: moved.has(name) }, state).map(
      (planned) => {
        const item = unlessEndangering(planned, version, state);
        // lifecycle-manager would uninstall what still runs.
        const isRestricted = restriction !== undefined && named.has(version) && isWrite(item);
        return isRestricted ? { ...restriction, object: item.object } : item;
      },
    );
  });
}

function versionTemplate(
  name: string,
  wanted: PlanItem | undefined,
  { isServed, isMoved }: { readonly isServed: boolean; readonly isMoved: boolean },
  state: ModuleState,
): readonly PlanItem[] {
  const live = state.templates.get(name);
  // A template is created only once an entry moves to it.
  if (live === undefined) return isServed ? [isMoved && wanted !== undefined ? wanted : judgeLost(name, state)] : [];
  if (wanted !== undefined) return [wanted];
  // It is kept while a release meta names it.
  const namer = isServed ? state.module : state.namedElsewhere.get(name);
  return judgeLeftOver(live, namer && `still named by ModuleReleaseMeta ${namer}`, state);
}

/** Whether carrying an item out makes or changes its object. */
function isWrite(item: PlanItem): boolean {
  return isAct(item) && item.kind !== "prune";
}

/**
 * Refuses to restore a template that a live entry names if lifecycle-manager may have forgotten the versions of its
 * users: it would install this version over a higher one.
 */
function unlessEndangering(item: PlanItem, version: string, state: ModuleState): PlanItem {
  if (!isWrite(item)) return item;
  const refused = state.entries
    .filter((entry) => entry.version === version && !entry.mandatory)
    .map((entry) => {
      const isGone = liveTemplate(version, entry.channel, state) === undefined;
      const unknown = isGone ? unknownUsers("which version they run", state.users) : undefined;
      return unknown ?? endangeringRefusal({ ...entry, from: version, to: version }, version, isGone, state.users);
    })
    .find((found) => found !== undefined);
  return refused === undefined ? item : { kind: "refused", object: item.object, ...refused };
}

/**
 * Restores a missing template that the release meta still names: its users are in Error until it is back. A version
 * that we never applied is not restored, because no commit decided to serve it.
 */
function judgeLost(name: string, state: ModuleState): PlanItem {
  const { module, live, known, users, recorded } = state;
  const version = name.slice(module.length + 1);
  const template = known.get(name) ?? state.wanted.find((entry) => entry.version === version)?.template;
  const isOwn = isApplied(version, live.records, recorded);
  const object = { kind: RESOURCES.moduleTemplate.kind, name };
  if (template === undefined || !isOwn) {
    const why = isOwn
      ? "and neither the repository nor its history has it"
      : "and we never applied it: another client wrote the entry";
    return {
      ...{ kind: "refused", object, refusal: "template-missing" },
      reason: `ModuleReleaseMeta ${module} names it, but it does not exist, ${why}.`,
      remedy: `Add modules/${module}/${version}/template.yaml; or fetch the whole history, if the clone is shallow.`,
    };
  }
  // Without records, it is unknown whether the lost template had the same restrictions.
  const isUnsure = live.records.kind === "none" && users.all.length > 0;
  const restricting = isUnsure ? changedRestrictions({}, templateRestrictions(template)) : [];
  return restricting.length > 0
    ? { kind: "refused", object, ...restrictionRefusal(restricting, users) }
    : judgeDesired(template, undefined, state);
}

/** Judges a template that no entry needs. `use` explains why it is still in use, if that is already known. */
function judgeLeftOver(live: KubernetesObject, use: string | undefined, state: ModuleState): readonly PlanItem[] {
  const { module, users, fleet, options, noRemoval } = state;
  if (!isOurs(live, state)) return [];
  const object = objectName(live);
  const { deletionTimestamp } = live.metadata;
  if (deletionTimestamp !== undefined)
    return [{ kind: "waiting", object, reason: `deletion pending since ${deletionTimestamp}` }];
  const isPruned = options.pruneTemplates ?? options.prune;
  const found = use ?? (fleet.kind === "known" ? templateUse(object.name, module, fleet) : undefined);
  if (found !== undefined) return [retainedTemplate(live, found, state)];
  const refused = unknownUsers("who uses it", users) ?? noRemoval;
  if (isPruned && refused !== undefined) return [{ kind: "refused", object, ...refused }];
  return [{ kind: "prune", object, live, carriedOut: isPruned }];
}

/** Keeps an older version that is in use, and repairs it if it differs from the repository. */
function retainedTemplate(live: KubernetesObject, because: string, state: ModuleState): PlanItem {
  const object = objectName(live);
  // The template of a channel has no older version.
  const known = state.known.get(object.name);
  const differences = known === undefined ? [] : compareOnce(known, live);
  if (known === undefined || differences.length === 0) return { kind: "retained", object, because };
  const judged = judgeDifferences(known, live, differences, state);
  if (judged.kind !== "change") return judged;
  const { kind: _kind, object: _object, ...repair } = judged;
  return { kind: "retained", object, because, repair };
}

/** Judges the templates of channels, given the decisions on the entries: up to lifecycle-manager 1.7, each is an entry. */
export function channelTemplates(decisions: readonly EntryDecision[], state: ModuleState): readonly PlanItem[] {
  const items = decisions.flatMap((decision) => entryTemplate(decision, state));
  const seen = new Set(items.map(({ object }) => object.name));
  const rest = [...state.templates.values()].filter(({ metadata }) => !seen.has(metadata.name));
  return [...items, ...rest.flatMap((live) => judgeLeftOver(live, undefined, state))];
}

function entryTemplate({ item, serves }: EntryDecision, state: ModuleState): readonly PlanItem[] {
  const { channel } = item;
  const wanted = state.wanted.find((entry) => entry.channel === channel);
  const name = wanted?.template.metadata.name ?? `${state.module}-${channel}`;
  const live = state.templates.get(name);
  if (serves === undefined || item.kind === "remove") {
    const carriedOut = item.kind === "remove" && item.carriedOut;
    return live === undefined ? [] : [{ kind: "prune", object: objectName(live), live, carriedOut }];
  }
  // An entry that does not move is repaired, if the repository has the template of its version.
  const template = wanted?.version === serves ? wanted.template : knownTemplate(serves, channel, state);
  if (template !== undefined) return [channelTemplate(template, channel, serves, state)];
  return [{ kind: "unchanged", object: { kind: RESOURCES.moduleTemplate.kind, name } }];
}

/** Judges the template of a channel. A change of `mandatory` installs or uninstalls the module on clusters. */
export function channelTemplate(
  desired: KubernetesObject,
  channel: string,
  version: string,
  state: ModuleState,
): PlanItem {
  const { module, users, gate } = state;
  const live = state.templates.get(desired.metadata.name);
  const isMandatory = isMandatoryTemplate(desired);
  if (live !== undefined && isOurs(live, state) && isMandatoryTemplate(live) !== isMandatory) {
    const found = flipRefusal(isMandatory, users);
    const key = found && acceptedKey({ refusal: found.refusal, module, channel, from: version, to: version });
    if (found !== undefined && !gate.accepted.has(String(key)))
      return { kind: "refused", object: objectName(desired), ...found };
  }
  return judgeDesired(desired, live, state);
}
