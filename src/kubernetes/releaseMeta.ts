import { isDeepStrictEqual } from "node:util";
import type { KubernetesObject } from "./object.ts";

/** The names of the templates that a ModuleReleaseMeta refers to. */
export function namedTemplates(meta: KubernetesObject): readonly string[] {
  return [...new Set(namedEntries(meta).map(({ version }) => `${releaseModule(meta)}-${version}`))];
}

/** The versions in a ModuleReleaseMeta, with their channels; the mandatory version has no channel. */
export function namedEntries(
  meta: KubernetesObject,
): readonly { readonly channel?: string; readonly version: string }[] {
  const { channels = [], mandatory } = readReleaseMeta(meta);
  return mandatory === undefined ? channels : [...channels, { version: mandatory.version }];
}

/** The module of a ModuleReleaseMeta: `spec.moduleName`, else its name. */
export function releaseModule(meta: KubernetesObject): string {
  return readReleaseMeta(meta).moduleName ?? meta.metadata.name;
}

/** The fields of a ModuleReleaseMeta's spec that decide which versions are offered to whom, with valid types. */
interface ReleaseMetaSpec extends ModuleTerms {
  readonly moduleName?: string;
  readonly channels?: readonly { readonly channel: string; readonly version: string }[];
  readonly mandatory?: { readonly version: string };
}

/** The fields that limit who is offered a module. An unset field does not limit. */
export interface Restrictions {
  /** A Kubernetes label selector of Kymas. */
  readonly kymaSelector?: object | null;
  readonly beta?: boolean;
  readonly internal?: boolean;
}

/** The fields of a module that are equal in every channel. */
export interface ModuleTerms extends Restrictions {
  readonly ocmComponentName?: string;
}

/** The names of the restrictions, in display order. */
export const RESTRICTIONS: readonly (keyof Restrictions)[] = ["kymaSelector", "beta", "internal"];

/** The spec of a live or compiled ModuleReleaseMeta. The API server also accepts an object without a spec. */
export function readReleaseMeta(meta: KubernetesObject): ReleaseMetaSpec {
  return meta["spec"] ?? {};
}

/** The restrictions that differ. `false` equals an unset field; an empty selector, which selects no Kyma, does not. */
export function changedRestrictions(a: Restrictions, b: Restrictions): readonly (keyof Restrictions)[] {
  return RESTRICTIONS.filter((field) => !isDeepStrictEqual(effective(a[field]), effective(b[field])));
}

/** The terms that differ. A first component is not a change: it cannot cause a second installation. */
export function changedTerms(before: ModuleTerms, after: ModuleTerms): readonly (keyof ModuleTerms)[] {
  const isSame = before.ocmComponentName === undefined || before.ocmComponentName === after.ocmComponentName;
  return [...changedRestrictions(before, after), ...(isSame ? [] : (["ocmComponentName"] as const))];
}

/** The terms in a release meta. */
export function releaseTerms(meta: KubernetesObject): ModuleTerms {
  const spec = readReleaseMeta(meta);
  return Object.fromEntries(
    (["ocmComponentName", ...RESTRICTIONS] as const).flatMap((field) => {
      const value = spec[field];
      return value === undefined || value === null || value === false ? [] : [[field, value] as const];
    }),
  );
}

function effective(value: Restrictions[keyof Restrictions]): unknown {
  return value === false || value === null ? undefined : value;
}

const OPERATOR = "operator.kyma-project.io/";

/** The restrictions from the labels of a ModuleTemplate. */
export function templateRestrictions({ metadata: { labels } }: KubernetesObject): Restrictions {
  const isSet = (label: string): boolean => labels?.[`${OPERATOR}${label}`]?.toLowerCase() === "true";
  return { beta: isSet("beta"), internal: isSet("internal") };
}
