import { MODULE_LABEL } from "../catalogue/template.ts";
import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import type { PlanItem } from "./planItem.ts";
import { readReleaseMeta } from "../kubernetes/releaseMeta.ts";

/** What a channel serves of a module, before and after; `undefined` where it serves none. */
export interface EntryChange {
  readonly channel: string;
  readonly module: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

/** The channel that a mandatory module shows up under: a ModuleReleaseMeta does not name it. */
const MANDATORY = "mandatory";

/** The entries that carrying out `item` changes. Templates of versions change none. */
export function entryChanges(item: PlanItem): readonly EntryChange[] {
  const [before, after] = sidesOf(item);
  const [from, to] = [before && servedEntries(before), after && servedEntries(after)];
  return [...new Set([...(from?.keys() ?? []), ...(to?.keys() ?? [])])]
    .map((key): EntryChange => {
      const [channel = "", module = ""] = key.split("/");
      return { channel, module, from: from?.get(key), to: to?.get(key) };
    })
    .filter((change) => change.from !== change.to);
}

function sidesOf(item: PlanItem): readonly [KubernetesObject | undefined, KubernetesObject | undefined] {
  switch (item.kind) {
    case "create":
      return [undefined, item.desired];
    case "change":
      return [item.live, item.desired];
    case "prune":
      return [item.live, undefined];
    case "unchanged":
    case "retained":
    case "refused":
    case "waiting":
      return [undefined, undefined];
  }
}

/** `<channel>/<module>` to version: of a release meta, or of a template that stands in a channel. */
export function servedEntries(object: KubernetesObject): ReadonlyMap<string, string> {
  if (object.kind === RESOURCES.moduleReleaseMeta.kind) {
    const { channels = [], mandatory } = readReleaseMeta(object);
    const entries = channels.map(({ channel, version }): [string, string] => [
      `${channel}/${object.metadata.name}`,
      version,
    ]);
    return new Map(mandatory === undefined ? entries : [[`${MANDATORY}/${object.metadata.name}`, mandatory.version]]);
  }
  const { channel, version } = (object["spec"] ?? {}) as { readonly channel?: string; readonly version?: string };
  const module = object.metadata.labels?.[MODULE_LABEL];
  return new Map(
    channel === undefined || version === undefined || module === undefined ? [] : [[`${channel}/${module}`, version]],
  );
}
