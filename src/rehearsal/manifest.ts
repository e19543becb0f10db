import { MODULE_LABEL } from "../catalogue/template.ts";
import { textAt } from "../document/fields.ts";
import { RESOURCES, type KubernetesObject } from "../kubernetes/object.ts";
import { rolloutPhase, clusterDraw, type Phase } from "./speed.ts";

/** The annotation with the time since when a Manifest has its version. Only a rehearsal writes it. */
const SINCE = "kyma-modules/rehearsed-since";
const UPGRADED = "kyma-modules/rehearsed-upgrade";
/** The annotation of a Kyma that lists, as `MODULE@VERSION` with commas between, what never starts there. */
export const FAILS_ANNOTATION = "kyma-modules/rehearsed-failures";
const KYMA_LABEL = "operator.kyma-project.io/kyma-name";

/** The installation of a module on a cluster. */
export interface Installation {
  readonly manifest: KubernetesObject;
  readonly phase: Phase;
}

/** The current Manifest of a version on a cluster. `before` is the previous one. */
export function install(
  { module, version }: { readonly module: string; readonly version: string },
  kyma: KubernetesObject,
  before: KubernetesObject | undefined,
  nowMs: number,
): Installation {
  const { name, namespace = "" } = kyma.metadata;
  const since = manifestSince(before, version);
  const sinceMs = since ?? nowMs;
  const isUpgrade = since === undefined ? before !== undefined : before?.metadata.annotations?.[UPGRADED] === "true";
  const fails = (kyma.metadata.annotations?.[FAILS_ANNOTATION] ?? "").split(",").includes(`${module}@${version}`);
  const phase = rolloutPhase(
    { sinceMs, isUpgrade, fails },
    clusterDraw(`${name} installs ${module} ${version}`),
    nowMs,
  );
  const at = new Date(sinceMs).toISOString();
  const operation = phase.state === "Error" ? "rehearsed: the manager is not ready" : "rehearsed";
  const { apiVersion, kind } = RESOURCES.manifest;
  const manifest = {
    apiVersion,
    kind,
    metadata: {
      name: `${name}-${module}`,
      namespace,
      labels: { [KYMA_LABEL]: name, [MODULE_LABEL]: module },
      annotations: { [SINCE]: at, [UPGRADED]: String(isUpgrade) },
    },
    spec: { version, remote: true, install: { name: "raw-manifest", source: {} } },
    status: { state: phase.state, lastOperation: { operation, lastUpdateTime: new Date(phase.fromMs).toISOString() } },
  };
  return { manifest, phase };
}

function manifestSince(manifest: KubernetesObject | undefined, version: string): number | undefined {
  const ms = Date.parse(manifest?.metadata.annotations?.[SINCE] ?? "");
  return textAt(manifest, ["spec", "version"]) === version && !Number.isNaN(ms) ? ms : undefined;
}

/** The Kyma and the module of a Manifest. */
export function manifestOwner({ metadata: { labels } }: KubernetesObject): {
  readonly kyma: string;
  readonly module: string;
} {
  return { kyma: labels?.[KYMA_LABEL] ?? "", module: labels?.[MODULE_LABEL] ?? "" };
}
