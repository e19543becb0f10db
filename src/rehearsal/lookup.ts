import { isAboveMain } from "../catalogue/version.ts";
import { fieldAt, textAt } from "../document/fields.ts";
import type { KubernetesObject } from "../kubernetes/object.ts";
import { readReleaseMeta, templateRestrictions } from "../kubernetes/releaseMeta.ts";

/** The objects of a control plane that lifecycle-manager reads. */
export interface ServedModules {
  /** ModuleReleaseMetas by module. */
  readonly metas: ReadonlyMap<string, KubernetesObject>;
  /** ModuleTemplates by name. */
  readonly templates: ReadonlyMap<string, KubernetesObject>;
}

/** A module that the user of a cluster enables. */
export interface Wish {
  readonly module: string;
  readonly channel: string;
  readonly isManaged: boolean;
}

/** The status of a module in a Kyma; `message` and `maintenance` only if needed. */
export type ModuleStatus = Readonly<Record<string, unknown>>;

/** The result of a look-up for an enabled module. */
export type LookUpResult =
  | { readonly kind: "offered"; readonly version: string; readonly template: KubernetesObject }
  /** The status stays, except for these fields. If `state` is `undefined`, the state stays as well. */
  | { readonly kind: "kept"; readonly state: "Warning" | "Error" | undefined; readonly message: string }
  /** The status starts again without a version: any next version is installed, also a lower one. */
  | { readonly kind: "lost"; readonly state: "Warning" | "Error"; readonly message: string }
  /** The same, and the installed version is removed. */
  | { readonly kind: "removed"; readonly message: string };

/** Whether a cluster's maintenance window is open; `undefined` if no windows are configured. */
type IsWindowOpen = boolean | undefined;

/** The version that a control plane serves for an enabled module; `undefined` if none. */
export function versionFor({ module, channel }: Wish, { metas }: ServedModules): string | undefined {
  const meta = metas.get(module);
  return meta && readReleaseMeta(meta).channels?.find((one) => one.channel === channel)?.version;
}

/**
 * Looks up the template of an enabled module. The messages are those of lifecycle-manager 1.20.4 (pkg/templatelookup).
 *
 * Takes:  `said`, the module's status in the Kyma.
 */
export function lookUp(
  wish: Wish,
  { kyma, said }: { readonly kyma: KubernetesObject; readonly said: ModuleStatus | undefined },
  served: ServedModules,
  isWindowOpen: IsWindowOpen,
): LookUpResult {
  const found = findTemplate(wish, kyma, served);
  if (found.kind !== "offered") return found;
  return (
    waiting(found, kyma, said, isWindowOpen) ??
    notAllowed(found.template, kyma, served.metas.get(wish.module)) ??
    mandatoryTemplate(found.template, wish) ??
    refusedDowngrade(found, wish, said) ??
    found
  );
}

type Offered = Extract<LookUpResult, { kind: "offered" }>;

function findTemplate(
  { module, channel }: Wish,
  kyma: KubernetesObject,
  { metas, templates }: ServedModules,
): LookUpResult {
  const meta = metas.get(module);
  if (meta === undefined) {
    const place = `for module "${module}" in namespace "${kyma.metadata.namespace ?? ""}"`;
    return { kind: "kept", state: "Warning", message: `no ModuleReleaseMeta found  ${place}` };
  }
  const { channels = [] } = readReleaseMeta(meta);
  if (channels.length === 0) return lost(`no channels found for module: ${module}`);
  const version = channels.find((one) => one.channel === channel)?.version;
  if (version === undefined) return lost(`no versions found for channel: ${channel} in module ${module}`);
  const name = `${module}-${version}`;
  const template = templates.get(name);
  const missing = `ModuleTemplate.operator.kyma-project.io "${name}" not found`;
  return template === undefined
    ? lost(`failed to get module template: ${missing}`)
    : { kind: "offered", version, template };
}

function lost(message: string): LookUpResult {
  return { kind: "lost", state: "Error", message };
}

function waiting(
  { version, template }: Offered,
  kyma: KubernetesObject,
  said: ModuleStatus | undefined,
  isWindowOpen: IsWindowOpen,
): LookUpResult | undefined {
  const isRequired =
    fieldAt(template, ["spec", "requiresDowntime"]) === true &&
    fieldAt(kyma, ["spec", "skipMaintenanceWindows"]) !== true &&
    said !== undefined &&
    textAt(said, ["version"]) !== version;
  if (!isRequired || isWindowOpen === true) return undefined;
  if (isWindowOpen === false)
    return {
      kind: "kept",
      state: undefined,
      message: "waiting for next maintenance window to update module version",
    };
  const because = "no maintenance window policy configured";
  return {
    kind: "kept",
    state: "Error",
    message: `failed to determine if maintenance window is active: ${because}`,
  };
}

const NOT_ALLOWED = "module template not allowed";

function notAllowed(
  template: KubernetesObject,
  kyma: KubernetesObject,
  meta: KubernetesObject | undefined,
): LookUpResult | undefined {
  const [asks, has] = [templateRestrictions(template), templateRestrictions(kyma)];
  const removed = (because: string): LookUpResult => ({ kind: "removed", message: `${NOT_ALLOWED}: ${because}` });
  if (asks.internal === true && has.internal !== true) return removed("internal module");
  if (asks.beta === true && has.beta !== true) return removed("beta module");
  const selector = meta && readReleaseMeta(meta).kymaSelector;
  const isSelected = selector !== undefined && selector !== null;
  return isSelected ? removed("module has kymaSelector but is not in restricted modules list") : undefined;
}

function mandatoryTemplate(template: KubernetesObject, { channel }: Wish): LookUpResult | undefined {
  if (fieldAt(template, ["spec", "mandatory"]) !== true) return undefined;
  const message = `no templates were found: for module ${template.metadata.name} in channel ${channel} `;
  return { kind: "lost", state: "Warning", message };
}

/** A status without a template does not prevent a downgrade. */
function refusedDowngrade(
  { version }: Offered,
  { channel }: Wish,
  said: ModuleStatus | undefined,
): LookUpResult | undefined {
  const before = textAt(said, ["version"]) ?? "";
  if (said?.["template"] === undefined || !isAboveMain(before, version)) return undefined;
  const skew = `ignore channel skew (from ${textAt(said, ["channel"]) ?? ""} to ${channel})`;
  const because = `as a higher version (${before}) of the module was previously installed`;
  return { kind: "kept", state: "Warning", message: `module template update not allowed: ${skew}, ${because}` };
}
