import type { Generation } from "../../../src/catalogue/settings.ts";
import type { KubernetesObject } from "../../../src/kubernetes/object.ts";
import { readReleaseMeta } from "../../../src/kubernetes/releaseMeta.ts";
import type { ModelControlPlane } from "./controlPlane.ts";

/** The versions that teams released. The template of the last one is for beta clusters only. */
export const VERSIONS = ["1.0.0", "1.1.0", "1.2.0", "2.0.0", "2.1.0"] as const;
/** The one whose template only beta clusters are offered. */
export const BETA_VERSION = "2.1.0";

/** What the repository says. */
export interface Wanted {
  /** `undefined`: the channel does not serve it. */
  readonly fast: string | undefined;
  readonly regular: string | undefined;
  readonly mandatory: string | undefined;
  /** Whether istio stands in the mandatory channel, and in no other. */
  readonly isFlipped: boolean;
  readonly isBeta: boolean;
  readonly component: string;
}

/** One thing that happens. */
export type Action =
  | { readonly kind: "repository"; readonly wanted: Partial<Wanted> }
  | { readonly kind: "hand"; readonly what: HandEdit; readonly version: string }
  | { readonly kind: "artifact"; readonly key: string }
  | { readonly kind: "user"; readonly cluster: number; readonly channel: "fast" | "regular" }
  | { readonly kind: "lifecycle-manager"; readonly cluster: number }
  | ({ readonly kind: "sync"; readonly prune: boolean; readonly now: boolean; readonly adopt: boolean } & Disturbance);

/** What somebody does by hand to the control plane. */
export type HandEdit =
  | "delete template"
  | "delete release meta"
  | "set fast"
  | "set regular"
  | "set mandatory"
  | "remove fast"
  | "add foreign entry"
  | "beta on release meta"
  | "beta on template"
  | "mandatory on template"
  | "delete records";

/** What happens in the middle of a sync. */
export interface Disturbance {
  /** Before which call the program is killed; `undefined`: it is not. */
  readonly killedAt: number | undefined;
  /** Before which call lifecycle-manager looks at which cluster. */
  readonly looks: readonly { readonly at: number; readonly cluster: number }[];
}

/** Does it. */
export function editByHand(plane: ModelControlPlane, generation: Generation, what: HandEdit, version: string): void {
  const isPerChannel = generation === "channel-templates";
  const template = isPerChannel ? "istio-fast" : `istio-${version}`;
  const edit = (kind: string, name: string, change: (object: KubernetesObject) => KubernetesObject): void => {
    const live = plane.get(kind, name);
    if (live !== undefined) plane.put(change(live));
  };
  const setEntry = (channel: string): void => {
    if (isPerChannel) edit("ModuleTemplate", `istio-${channel}`, (object) => withSpec(object, { version }));
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
      if (isPerChannel) edit("ModuleTemplate", "audit-must", (object) => withSpec(object, { version }));
      else edit("ModuleReleaseMeta", "audit", (object) => withSpec(object, { mandatory: { version } }));
    },
    "remove fast": () => {
      edit("ModuleReleaseMeta", "istio", (object) => withEntry(object, "fast", undefined));
    },
    "add foreign entry": () => {
      edit("ModuleReleaseMeta", "istio", (object) => withEntry(object, "special", version));
    },
    "beta on release meta": () => {
      edit("ModuleReleaseMeta", "istio", (object) => withSpec(object, { beta: true }));
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
