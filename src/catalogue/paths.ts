/** What a path of a repository holds, by its place alone. Names are not yet judged. */
export type Place =
  | { readonly kind: "settings" }
  | { readonly kind: "policy"; readonly channel: string }
  | { readonly kind: "channel-template"; readonly channel: string; readonly module: string }
  | { readonly kind: "module"; readonly module: string }
  | { readonly kind: "holds"; readonly module: string }
  | { readonly kind: "hotfixes"; readonly module: string }
  | { readonly kind: "version-template"; readonly module: string; readonly version: string }
  /** Looks as if it was meant to be read, but stands where nothing is read: `fast/istio.yml`, `fast/old/istio.yaml`. */
  | { readonly kind: "stray" };

/** The one settings file. */
export const SETTINGS_PATH = "kyma-modules.yaml";

/** The place of `path`, or `undefined` for a file that the catalogue does not read. */
export function placeOf(path: string): Place | undefined {
  if (path === SETTINGS_PATH) return { kind: "settings" };
  const parts = path.split("/");
  if (parts.some((part) => part.startsWith("."))) return undefined;
  if (parts[0] === "channels") return placeInChannels(parts.slice(1));
  if (parts[0] === "modules") return placeInModules(parts.slice(1));
  return undefined;
}

function placeInChannels(parts: readonly string[]): Place | undefined {
  const [first = "", second] = parts;
  const name = stem(parts.at(-1) ?? "");
  if (name === undefined || parts.length > 2) {
    return /\.(ya?ml|json)$/i.test(parts.at(-1) ?? "") ? { kind: "stray" } : undefined;
  }
  return second === undefined
    ? { kind: "policy", channel: name }
    : { kind: "channel-template", channel: first, module: name };
}

const MODULE_FILES = { "module.yaml": "module", "holds.yaml": "holds", "hotfixes.yaml": "hotfixes" } as const;

function placeInModules(parts: readonly string[]): Place | undefined {
  const [module = "", second = "", third] = parts;
  if (third === "template.yaml" && parts.length === 3) return { kind: "version-template", module, version: second };
  const known = Object.entries(MODULE_FILES).find(([file]) => file === second);
  return known !== undefined && third === undefined ? { kind: known[1], module } : undefined;
}

function stem(file: string): string | undefined {
  return file.endsWith(".yaml") ? file.slice(0, -".yaml".length) : undefined;
}

/** Where the template that `channel` serves of `module` stands. */
export function channelFilePath(channel: string, module: string): string {
  return `channels/${channel}/${module}.yaml`;
}

/** Where the template of one version of `module` stands. */
export function versionTemplatePath(module: string, version: string): string {
  return `modules/${module}/${version}/template.yaml`;
}
