import { compareText } from "../catalogue/order.ts";
import { APPLY_SET_LABEL, applySetId, applySetParent } from "../kubernetes/applySet.ts";
import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { judgeDesired, judgeLeftOver, judgeParent } from "./planObject.ts";
import type { Plan, PlanInput, PlanItem } from "./planItem.ts";
import { limitPrunes } from "./planPrunes.ts";
import { namedTemplates } from "../kubernetes/releaseMeta.ts";

/**
 * What has to be done for a control plane to hold what is desired. Deciding twice gives the same; once it is carried
 * out, deciding again gives nothing to do. Objects that are neither desired nor ours do not appear.
 */
export function plan(input: PlanInput): Plan {
  const { desired, live } = input;
  const parent = judgeParent(applySetParent(desired.target.namespace), live.parent, input.options);
  if (parent.kind === "refused") return { landscape: desired.target.landscape, items: [parent] };
  const metas = judgeKind(desired.releaseMetas, live.releaseMetas, input);
  const inUse = namedAfterwards(metas, live.releaseMetas);
  const templates = judgeKind(desired.templates, live.templates, input, inUse);
  const items = [parent, ...templates, ...metas];
  const removals = [...items.filter(isRemoval)].sort((a, b) => removalRank(a) - removalRank(b));
  const set = applySetId(desired.target.namespace);
  const members = [...live.templates, ...live.releaseMetas].filter(
    ({ metadata }) => metadata.labels?.[APPLY_SET_LABEL] === set,
  ).length;
  return {
    landscape: desired.target.landscape,
    items: limitPrunes([...items.filter((item) => !isRemoval(item)), ...removals], members, input.options),
  };
}

function judgeKind(
  desired: readonly KubernetesObject[],
  live: readonly KubernetesObject[],
  input: PlanInput,
  inUse: ReadonlyMap<string, string> = new Map(),
): readonly PlanItem[] {
  const liveByName = new Map(live.map((object) => [object.metadata.name, object]));
  const wanted = new Set(desired.map(({ metadata }) => metadata.name));
  const items = desired.map((object) => judgeDesired(object, liveByName.get(object.metadata.name), input));
  const leftOver = live
    .filter(({ metadata }) => !wanted.has(metadata.name))
    .flatMap((object) => judgeLeftOver(object, inUse.get(object.metadata.name), input));
  return [...items, ...leftOver].sort((a, b) => compareText(a.object.name, b.object.name));
}

/** The templates that release metas name once the plan is carried out, and which release meta does, in words. */
function namedAfterwards(items: readonly PlanItem[], live: readonly KubernetesObject[]): ReadonlyMap<string, string> {
  const after = new Map(live.map((object) => [object.metadata.name, object]));
  for (const item of items) {
    if (item.kind === "create" || item.kind === "change") after.set(item.object.name, item.desired);
    if (item.kind === "prune" && item.carriedOut) after.delete(item.object.name);
  }
  return new Map(
    [...after.values()].flatMap((meta) =>
      namedTemplates(meta).map((name) => [name, `still named by ModuleReleaseMeta ${meta.metadata.name}`]),
    ),
  );
}

function isRemoval(item: PlanItem): boolean {
  return item.kind === "prune";
}

/** Removals go the other way round: release metas first, since an entry must never name an absent template. */
function removalRank(item: PlanItem): number {
  return item.object.kind === RESOURCES.moduleReleaseMeta.kind ? 0 : 1;
}

/** Judges the object of one item again, now that it is `live`; all else is as it was when the plan was made. */
export function judgeAgain(item: PlanItem, live: KubernetesObject | undefined, input: PlanInput): PlanItem {
  switch (item.kind) {
    case "create":
    case "change":
      return item.object.kind === RESOURCES.configMap.kind
        ? judgeParent(item.desired, live, input.options)
        : judgeDesired(item.desired, live, input);
    case "retained":
      return leftOverAgain(item, live, item.because, input);
    case "prune":
      return leftOverAgain(item, live, undefined, input);
    case "unchanged":
    case "refused":
    case "waiting":
      return item;
  }
}

function leftOverAgain(
  { object }: PlanItem,
  live: KubernetesObject | undefined,
  use: string | undefined,
  input: PlanInput,
): PlanItem {
  const [judged] = live === undefined ? [] : judgeLeftOver(live, use, input);
  return judged ?? { kind: "unchanged", object };
}
