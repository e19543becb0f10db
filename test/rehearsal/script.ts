/** A situation: the versions of one module on a control plane, and the wish of a cluster's user. */
export interface Situation {
  /** What happened. */
  readonly name: string;
  /** The existing templates: by version, its special fields. */
  readonly templates: Readonly<Record<string, { readonly beta?: true; readonly requiresDowntime?: true }>>;
  /** Channel to version; `undefined` if the ModuleReleaseMeta is missing. */
  readonly channels: Readonly<Record<string, string>> | undefined;
  /** `undefined` if the module is not enabled. */
  readonly wish: { readonly channel: string; readonly managed?: false } | undefined;
  /** The expected end result, according to lifecycle-manager.md. */
  readonly expected: Believed | undefined;
}

/** The module's status in a Kyma; `undefined` for missing fields. */
export interface Believed {
  readonly state: string;
  readonly channel: string;
  readonly version: string | undefined;
  readonly template: string | undefined;
  /** The message, as `causeOf` returns it. */
  readonly cause: string | undefined;
  readonly maintenance: boolean;
  /** The version that its Manifest installs. */
  readonly installed: string | undefined;
}

/** The module that the script is about. */
export const MODULE = "greeter";
/** The version whose manager never starts. */
export const BROKEN = "1.5.0";
/** All versions that are served at any time. */
export const VERSIONS: readonly string[] = ["1.0.0", "1.1.0", "1.2.0", "1.3.0", "1.4.0", BROKEN, "1.6.0-beta"];

const PLAIN = { "1.0.0": {}, "1.1.0": {}, "1.2.0": {} };

function ready(version: string, channel: string): Believed {
  const template = `${MODULE}-${version}`;
  return { state: "Ready", channel, version, template, cause: undefined, maintenance: false, installed: version };
}

const LOST = { version: undefined, template: undefined };
const SKEW = "ignore channel skew";

/** A sequence of situations on one cluster: each starts from the status that the previous one left. */
export const SCRIPT: readonly Situation[] = [
  {
    name: "a module is enabled",
    templates: PLAIN,
    channels: { fast: "1.0.0" },
    wish: { channel: "fast" },
    expected: ready("1.0.0", "fast"),
  },
  {
    name: "its channel serves a higher version",
    templates: PLAIN,
    channels: { fast: "1.1.0" },
    wish: { channel: "fast" },
    expected: ready("1.1.0", "fast"),
  },
  {
    name: "its channel goes back",
    templates: PLAIN,
    channels: { fast: "1.0.0" },
    wish: { channel: "fast" },
    expected: { ...ready("1.1.0", "fast"), state: "Warning", cause: `${SKEW} (from fast to fast)` },
  },
  {
    name: "its user moves to a channel with a lower version",
    templates: PLAIN,
    channels: { fast: "1.1.0", regular: "1.0.0" },
    wish: { channel: "regular" },
    expected: { ...ready("1.1.0", "fast"), state: "Warning", cause: `${SKEW} (from fast to regular)` },
  },
  {
    name: "that channel serves a higher one",
    templates: PLAIN,
    channels: { fast: "1.1.0", regular: "1.2.0" },
    wish: { channel: "regular" },
    expected: ready("1.2.0", "regular"),
  },
  {
    name: "its template is deleted",
    templates: { "1.0.0": {}, "1.1.0": {} },
    channels: { fast: "1.1.0", regular: "1.2.0" },
    wish: { channel: "regular" },
    expected: {
      ...ready("1.2.0", "regular"),
      ...LOST,
      state: "Error",
      cause: 'failed to get module template: ModuleTemplate.operator.kyma-project.io "…" not found',
    },
  },
  {
    name: "its template is there again",
    templates: PLAIN,
    channels: { fast: "1.1.0", regular: "1.2.0" },
    wish: { channel: "regular" },
    expected: ready("1.2.0", "regular"),
  },
  {
    name: "its channel no longer serves it",
    templates: PLAIN,
    channels: { fast: "1.1.0" },
    wish: { channel: "regular" },
    expected: {
      ...ready("1.2.0", "regular"),
      ...LOST,
      state: "Error",
      cause: "no versions found for channel: regular in module greeter",
    },
  },
  {
    name: "its channel serves a lower version after the status lost its version",
    templates: PLAIN,
    channels: { fast: "1.1.0", regular: "1.0.0" },
    wish: { channel: "regular" },
    expected: ready("1.0.0", "regular"),
  },
  {
    name: "its release meta is deleted",
    templates: PLAIN,
    channels: undefined,
    wish: { channel: "regular" },
    expected: {
      ...ready("1.0.0", "regular"),
      state: "Warning",
      cause: 'no ModuleReleaseMeta found for module "…" in namespace "…"',
    },
  },
  {
    name: "a version that requires downtime is served, and no windows are configured",
    templates: { ...PLAIN, "1.3.0": { requiresDowntime: true } },
    channels: { regular: "1.3.0" },
    wish: { channel: "regular" },
    expected: {
      ...ready("1.0.0", "regular"),
      state: "Error",
      cause: "failed to determine if maintenance window is active: no maintenance window policy configured",
    },
  },
  {
    name: "the next version requires none",
    templates: { ...PLAIN, "1.4.0": {} },
    channels: { regular: "1.4.0" },
    wish: { channel: "regular" },
    expected: ready("1.4.0", "regular"),
  },
  {
    name: "a version never starts",
    templates: { ...PLAIN, [BROKEN]: {} },
    channels: { regular: BROKEN },
    wish: { channel: "regular" },
    expected: { ...ready(BROKEN, "regular"), state: "Error" },
  },
  {
    name: "its user leaves it unmanaged",
    templates: { ...PLAIN, [BROKEN]: {} },
    channels: { regular: BROKEN },
    wish: { channel: "regular", managed: false },
    expected: { ...ready(BROKEN, "regular"), state: "Unmanaged", template: undefined, installed: undefined },
  },
  {
    name: "an unmanaged module's channel goes back",
    templates: { ...PLAIN, [BROKEN]: {} },
    channels: { regular: "1.0.0" },
    wish: { channel: "regular", managed: false },
    expected: { ...ready("1.0.0", "regular"), state: "Unmanaged", template: undefined, installed: undefined },
  },
  {
    name: "its user disables it",
    templates: { ...PLAIN, [BROKEN]: {} },
    channels: { regular: "1.0.0" },
    wish: undefined,
    expected: undefined,
  },
  {
    name: "a beta version is served to a cluster without the beta label",
    templates: { ...PLAIN, "1.6.0-beta": { beta: true } },
    channels: { regular: "1.6.0-beta" },
    wish: { channel: "regular" },
    expected: {
      ...ready("1.6.0-beta", "regular"),
      ...LOST,
      state: "Error",
      cause: "module template not allowed: beta module",
      installed: undefined,
    },
  },
];
