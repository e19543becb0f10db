import { MODULE_LABEL } from "../../catalogue/template.ts";
import { MANDATORY } from "../../catalogue/names.ts";
import type { Generation } from "../../catalogue/settings.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { readReleaseMeta } from "../../kubernetes/releaseMeta.ts";
import type { LiveState } from "./input.ts";
import { placeOfKey, type EntryRecord } from "./records.ts";

/** The entries of a release meta or of a channel template: `<channel>/<module>` to version. */
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

/** The recorded entries whose release meta or template is not live with the recorded version: somebody removed it. */
export function absentEntries(
  records: ReadonlyMap<string, EntryRecord>,
  { templates, releaseMetas }: Pick<LiveState, "templates" | "releaseMetas">,
  generation: Generation,
): ReadonlySet<string> {
  const names = new Set(templates.map(({ metadata }) => metadata.name));
  const served = new Map(releaseMetas.flatMap((meta) => [...servedEntries(meta)]));
  const isLive = (key: string, version: string): boolean => {
    const { channel, module } = placeOfKey(key);
    // Of a mandatory module, records do not name the channel of its template.
    if (generation === "channel-templates") return channel === MANDATORY || names.has(`${module}-${channel}`);
    return served.get(key) === version && names.has(`${module}-${version}`);
  };
  const absent = [...records].filter(([key, { current }]) => current !== undefined && !isLive(key, current.version));
  return new Set(absent.map(([key]) => key));
}
