import { BASELINE, podIn, RESTRICTED, type Control } from "./podSecurityControls.ts";
import type { PodTemplate } from "./workload.ts";

/** How much a pod may do to its node: the levels of the Pod Security Standards, strictest first. */
export const POD_SECURITY_LEVELS = ["restricted", "baseline", "privileged"] as const;

/** One of `POD_SECURITY_LEVELS`. */
export type PodSecurityLevel = (typeof POD_SECURITY_LEVELS)[number];

/** What the Pod Security Standards say of a pod. */
export interface PodSecurity {
  /** The strictest level at which the pod would be admitted. */
  readonly level: PodSecurityLevel;
  /** The controls of the next stricter level that the pod fails, with who fails them: `capabilities (container proxy)`. */
  readonly failed: readonly string[];
}

/**
 * Judges the pods of a workload as the admission plugin of Kubernetes 1.36 would, at its version `latest`.
 *
 * Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/ and k8s.io/pod-security-admission.
 */
export function podSecurityOf(pods: PodTemplate): PodSecurity {
  const pod = podIn(pods);
  const failedOf = (controls: readonly Control[]): readonly string[] =>
    controls.flatMap(({ name, offenders }) => {
      const found = offenders(pod);
      return found.length === 0 ? [] : [`${name} (${found.join(", ")})`];
    });
  const baseline = failedOf(BASELINE);
  if (baseline.length > 0) return { level: "privileged", failed: baseline };
  const restricted = failedOf(RESTRICTED);
  return { level: restricted.length > 0 ? "baseline" : "restricted", failed: restricted };
}

/** Whether `level` allows more than `other`. */
export function isLaxer(level: PodSecurityLevel, other: PodSecurityLevel): boolean {
  return POD_SECURITY_LEVELS.indexOf(level) > POD_SECURITY_LEVELS.indexOf(other);
}
