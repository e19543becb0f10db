import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "./object.ts";

/** The names of the templates that a ModuleReleaseMeta names. */
export function namedTemplates(meta: KubernetesObject): readonly string[] {
  return [...new Set(namedEntries(meta).map(({ version }) => `${moduleOf(meta)}-${version}`))];
}

/** The versions that a ModuleReleaseMeta names, by channel; the mandatory one without. */
export function namedEntries(
  meta: KubernetesObject,
): readonly { readonly channel?: string; readonly version: string }[] {
  const { channels = [], mandatory } = readReleaseMeta(meta);
  return mandatory === undefined ? channels : [...channels, { version: mandatory.version }];
}

/** The module that a ModuleReleaseMeta is about: `spec.moduleName`, else its name. */
export function moduleOf(meta: KubernetesObject): string {
  return readReleaseMeta(meta).moduleName ?? meta.metadata.name;
}

/** The fields of a ModuleReleaseMeta's spec that decide what is served, and to whom. The API server has checked their types. */
export interface ReleaseMetaSpec extends Restrictions {
  readonly moduleName?: string;
  readonly ocmComponentName?: string;
  readonly channels?: readonly { readonly channel: string; readonly version: string }[];
  readonly mandatory?: { readonly version: string };
}

/** What keeps a module from being offered to every cluster. An unset field restricts nothing. */
export interface Restrictions {
  /** A Kubernetes label selector of Kymas. */
  readonly kymaSelector?: object | null;
  readonly beta?: boolean;
  readonly internal?: boolean;
}

/** The names of the restrictions, in the order in which messages name them. */
export const RESTRICTIONS: readonly (keyof Restrictions)[] = ["kymaSelector", "beta", "internal"];

/** The spec of a live or compiled ModuleReleaseMeta. The API server takes one without a spec as well. */
export function readReleaseMeta(meta: KubernetesObject): ReleaseMetaSpec {
  return meta["spec"] ?? {};
}

/** The restrictions that differ. `false` and an unset field are one; an empty selector is not: it keeps the module from every Kyma. */
export function changedRestrictions(a: Restrictions, b: Restrictions): readonly (keyof Restrictions)[] {
  return RESTRICTIONS.filter((field) => !isDeepStrictEqual(effective(a[field]), effective(b[field])));
}

function effective(value: Restrictions[keyof Restrictions]): unknown {
  return value === false || value === null ? undefined : value;
}

const OPERATOR = "operator.kyma-project.io/";

/** The restrictions that the labels of a ModuleTemplate amount to. */
export function templateRestrictions({ metadata: { labels } }: KubernetesObject): Restrictions {
  const isSet = (label: string): boolean => labels?.[`${OPERATOR}${label}`]?.toLowerCase() === "true";
  return { beta: isSet("beta"), internal: isSet("internal") };
}
