import type { Generation } from "../../../src/catalogue/settings.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { readReleaseMeta } from "../../../src/kubernetes/releaseMeta.ts";
import type { ModelControlPlane } from "./controlPlane.ts";

/** The versions that teams released. The template of the last one is for beta clusters only. */
export const VERSIONS = ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0"] as const;
/** A module in channels, and a mandatory one. */
export const MODULES = ["istio", "audit"] as const;
/** The version whose template is only for beta clusters. */
export const BETA_VERSION = "2.1.0";

/** A selector of Kymas. */
export const SELECTOR: object = { matchLabels: { "operator.kyma-project.io/beta": "true" } };

/** The wanted state in the repository. */
export interface Wanted {
  /** `undefined`: the channel does not serve it. */
  readonly fast: string | undefined;
  readonly regular: string | undefined;
  readonly mandatory: string | undefined;
  /** Whether istio is in the mandatory channel, and in no other. */
  readonly isFlipped: boolean;
  /** Whether the release meta of istio has a selector of Kymas. */
  readonly isSelective: boolean;
  readonly component: string;
  /** The version of istio that is held in every channel. */
  readonly held: string | undefined;
  /** Whether the earlier landscape has served the wanted version for only a minute. */
  readonly isSoaking: boolean;
}

/** The first wanted state. */
export const FIRST_WANTED: Wanted = {
  fast: "1.1.0",
  regular: "1.0.0",
  mandatory: "1.0.0",
  isFlipped: false,
  isSelective: false,
  component: "example.com/module/istio",
  held: undefined,
  isSoaking: false,
};

/** The OCM descriptor of a module's version, as a template embeds it. */
export type DescriptorOf = (module: string, version: string) => object;

/** One action in a history. */
export type Action =
  | { readonly kind: "repository"; readonly wanted: Partial<Wanted> }
  | { readonly kind: "hand"; readonly what: HandEdit; readonly version: string }
  | { readonly kind: "artifact"; readonly key: string }
  | { readonly kind: "user"; readonly cluster: number; readonly channel: "fast" | "regular" }
  | { readonly kind: "lifecycle-manager"; readonly cluster: number }
  | ({ readonly kind: "sync" } & SyncAction);

/** A sync, with the options that a person allows. */
export interface SyncAction extends Disturbance {
  readonly prune: boolean;
  readonly now: boolean;
  readonly adopt: boolean;
}

/** An edit of the control plane by hand. */
export type HandEdit =
  | "delete template"
  | "delete release meta"
  | "set fast"
  | "set regular"
  | "set mandatory"
  | "remove fast"
  | "add foreign entry"
  | "selector on release meta"
  | "beta on template"
  | "mandatory on template"
  | "no labels on template"
  | "no labels on release meta"
  | "delete records";

/** Disturbances during a sync. */
export interface Disturbance {
  /** The call before which the program is killed; `undefined`: it is not killed. */
  readonly killedAt: number | undefined;
  /** The calls before which lifecycle-manager reconciles a cluster. */
  readonly looks: readonly { readonly at: number; readonly cluster: number }[];
  /** Whether a gateway answers 404 to requests for Kymas. */
  readonly isBlind: boolean;
}

/** Does it. */
export function editByHand(
  plane: ModelControlPlane,
  { generation, descriptorOf }: { readonly generation: Generation; readonly descriptorOf: DescriptorOf },
  what: HandEdit,
  version: string,
): void {
  const isPerChannel = generation === "channel-templates";
  const contentOf = (module: string): object => ({ version, descriptor: descriptorOf(module, version) });
  const template = isPerChannel ? "istio-fast" : `istio-${version}`;
  const edit = (kind: string, name: string, change: (object: KubernetesObject) => KubernetesObject): void => {
    const live = plane.get(kind, name);
    if (live !== undefined) plane.put(change(live));
  };
  const setEntry = (channel: string): void => {
    if (isPerChannel) edit("ModuleTemplate", `istio-${channel}`, (object) => withSpec(object, contentOf("istio")));
    else edit("ModuleReleaseMeta", "istio", (object) => withEntry(object, channel, version));
  };
  const edits: Readonly<Record<HandEdit, () => void>> = {
    "delete template": () => {
      plane.delete("ModuleTemplate", template);
    },
    "delete release meta": () => {
      plane.delete("ModuleReleaseMeta", "istio");
    },
    "set fast": () => {
      setEntry("fast");
    },
    "set regular": () => {
      setEntry("regular");
    },
    "set mandatory": () => {
      if (isPerChannel) edit("ModuleTemplate", "audit-must", (object) => withSpec(object, contentOf("audit")));
      else edit("ModuleReleaseMeta", "audit", (object) => withSpec(object, { mandatory: { version } }));
    },
    "remove fast": () => {
      edit("ModuleReleaseMeta", "istio", (object) => withEntry(object, "fast", undefined));
    },
    "add foreign entry": () => {
      edit("ModuleReleaseMeta", "istio", (object) => withEntry(object, "special", version));
    },
    "selector on release meta": () => {
      edit("ModuleReleaseMeta", "istio", (object) => withSpec(object, { kymaSelector: SELECTOR }));
    },
    "beta on template": () => {
      edit("ModuleTemplate", template, (object) => ({
        ...object,
        metadata: {
          ...object.metadata,
          labels: { ...object.metadata.labels, "operator.kyma-project.io/beta": "true" },
        },
      }));
    },
    "mandatory on template": () => {
      edit("ModuleTemplate", template, (object) => withSpec(object, { mandatory: true }));
    },
    "no labels on template": () => {
      edit("ModuleTemplate", template, (object) => ({ ...object, metadata: { ...object.metadata, labels: {} } }));
    },
    "no labels on release meta": () => {
      edit("ModuleReleaseMeta", "istio", (object) => ({ ...object, metadata: { ...object.metadata, labels: {} } }));
    },
    "delete records": () => {
      plane.delete("ConfigMap", "kyma-modules-entries");
    },
  };
  edits[what]();
}

function withSpec(object: KubernetesObject, spec: object): KubernetesObject {
  return { ...object, spec: { ...(object["spec"] as object), ...spec } };
}

function withEntry(meta: KubernetesObject, channel: string, version: string | undefined): KubernetesObject {
  const rest = (readReleaseMeta(meta).channels ?? []).filter((entry) => entry.channel !== channel);
  return withSpec(meta, { channels: [...rest, ...(version === undefined ? [] : [{ channel, version }])] });
}
