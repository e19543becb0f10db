import { MODULE_LABEL } from "../../catalogue/template.ts";
import { MANDATORY } from "../../catalogue/names.ts";
import { RESOURCES, type KubernetesObject } from "../../kubernetes/object.ts";
import { readReleaseMeta } from "../../kubernetes/releaseMeta.ts";

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
