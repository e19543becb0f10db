/** The kind of a path of a repository, by its position alone. Names are not validated yet. */
export type Place =
  | { readonly kind: "settings" }
  | { readonly kind: "policy"; readonly channel: string }
  | { readonly kind: "channel-template"; readonly channel: string; readonly module: string }
  | { readonly kind: "module"; readonly module: string }
  | { readonly kind: "holds"; readonly module: string }
  | { readonly kind: "hotfixes"; readonly module: string }
  | { readonly kind: "version-template"; readonly module: string; readonly version: string }
  /** Looks like a file of the catalogue, but in a place that is not read: `fast/istio.yml`, `fast/old/istio.yaml`. */
  | { readonly kind: "stray"; readonly remedy: string; readonly isDecision: boolean }
  /** A place for a folder. The catalogue ignores a file there, but a link there may hide a whole folder. */
  | { readonly kind: "folder" };

/** The path of the settings file. */
export const SETTINGS_PATH = "kyma-modules.yaml";

/** Whether a catalogue reads the file at `path`. */
export function isOfCatalogue(path: string): boolean {
  return cataloguePlace(path) !== undefined;
}

/** The place of `path`, or `undefined` for a file that the catalogue does not read. */
export function cataloguePlace(path: string): Place | undefined {
  const place = placeByName(path);
  const renamed = path.replace(/\.ya?ml$/i, ".yaml");
  if (place?.kind !== "stray" || renamed === path || placeByName(renamed)?.kind === "stray") return place;
  return { ...place, remedy: `Rename it to ${renamed}.` };
}

function placeByName(path: string): Place | undefined {
  if (path === SETTINGS_PATH) return { kind: "settings" };
  const parts = path.split("/");
  if (parts.some((part) => part.startsWith("."))) return undefined;
  if (parts[0] === "channels") return placeInChannels(parts.slice(1));
  if (parts[0] === "modules") return placeInModules(parts.slice(1));
  return undefined;
}

const LOOKS_READABLE = /\.(ya?ml|json)$/i;

function placeInChannels(parts: readonly string[]): Place | undefined {
  const [first = "", second] = parts;
  const last = second ?? first;
  const name = last.endsWith(".yaml") ? last.slice(0, -".yaml".length) : undefined;
  if (parts.length > 2 || (name === undefined && LOOKS_READABLE.test(last)))
    return stray(parts, "Move it to channels/<channel>/<module>.yaml.");
  if (name === undefined) return second === undefined ? { kind: "folder" } : undefined;
  return second === undefined
    ? { kind: "policy", channel: name }
    : { kind: "channel-template", channel: first, module: name };
}

/** Names of files that are probably meant as holds or hot-fixes. */
const LOOKS_DECIDED = /(^|\/)(holds?|hot-?fix(es)?)\.[^/]*$/i;

function stray(parts: readonly string[], remedy: string): Place | undefined {
  const path = parts.join("/");
  return LOOKS_READABLE.test(path) ? { kind: "stray", remedy, isDecision: LOOKS_DECIDED.test(path) } : undefined;
}

const MODULE_FILES: ReadonlyMap<string, "module" | "holds" | "hotfixes"> = new Map([
  ["module.yaml", "module"],
  ["holds.yaml", "holds"],
  ["hotfixes.yaml", "hotfixes"],
]);

function placeInModules(parts: readonly string[]): Place | undefined {
  const [module = "", second = "", third = ""] = parts;
  if (parts.length > 2) {
    if (parts.length > 3) return undefined;
    if (third === "template.yaml") return { kind: "version-template", module, version: second };
    return strayOfVersion(parts, third);
  }
  const kind = MODULE_FILES.get(second);
  if (kind !== undefined) return { kind, module };
  return (
    stray(parts, `Name it modules/<module>/${[...MODULE_FILES.keys()].join(", ")} or <version>/template.yaml.`) ?? {
      kind: "folder",
    }
  );
}

function strayOfVersion(parts: readonly string[], name: string): Place | undefined {
  if (LOOKS_DECIDED.test(name)) return stray(parts, "Move it to modules/<module>/holds.yaml or hotfixes.yaml.");
  return /^template\./i.test(name) ? stray(parts, "Name it template.yaml.") : undefined;
}

/** The path of the policy of `channel`. */
export function policyPath(channel: string): string {
  return `channels/${channel}.yaml`;
}

/** The path of the template that `channel` serves of `module`. */
export function channelFilePath(channel: string, module: string): string {
  return `channels/${channel}/${module}.yaml`;
}

/** The path of the file about `module` itself. */
export function modulePath(module: string): string {
  return `modules/${module}/module.yaml`;
}

/** The path of the holds of `module`. */
export function holdsPath(module: string): string {
  return `modules/${module}/holds.yaml`;
}

/** The path of the hot-fixes of `module`. */
export function hotfixesPath(module: string): string {
  return `modules/${module}/hotfixes.yaml`;
}

/** The path of the template of one version of `module`. */
export function versionTemplatePath(module: string, version: string): string {
  return `modules/${module}/${version}/template.yaml`;
}
