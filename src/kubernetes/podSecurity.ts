import { fieldAt, isRecord, textAt } from "../document/fields.ts";
import { podContainers, type Fields, mapsAt, type PodTemplate, textsAt } from "./workload.ts";

/** The levels of the Pod Security Standards, strictest first. */
const POD_SECURITY_LEVELS = ["restricted", "baseline", "privileged"] as const;

/** One of `POD_SECURITY_LEVELS`. */
type PodSecurityLevel = (typeof POD_SECURITY_LEVELS)[number];

/** The rating of a pod by the Pod Security Standards. */
export interface PodSecurity {
  /** The strictest level at which the pod would be admitted. */
  readonly level: PodSecurityLevel;
  /** The controls of the next stricter level that the pod violates. */
  readonly failed: readonly FailedControl[];
}

/** A violated control. */
interface FailedControl {
  /** The name in the standards. */
  readonly name: string;
  /** The capabilities, paths and so on by which it is violated, if the control is about a list of them. */
  readonly means: readonly string[];
  /** The names of the pod, containers and so on that violate it; at least one. */
  readonly offenders: readonly string[];
}

/** A violated control for display: `capabilities NET_ADMIN (container proxy)`. */
export function failureText({ offenders, ...control }: FailedControl): string {
  return `${meansText(control)} (${offenders.join(", ")})`;
}

/** A violated control without those that violate it: `capabilities NET_ADMIN`. */
export function meansText({ name, means }: Pick<FailedControl, "name" | "means">): string {
  return [name, means.join(", ")].filter((text) => text !== "").join(" ");
}

/**
 * Rates the pods of a workload like the admission plugin of Kubernetes 1.36 with the policy version `latest`.
 *
 * Source: https://kubernetes.io/docs/concepts/security/pod-security-standards/ and k8s.io/pod-security-admission.
 */
export function podSecurityLevel(pods: PodTemplate): PodSecurity {
  const pod = podIn(pods);
  const failedOf = (controls: readonly Control[]): readonly FailedControl[] =>
    controls
      .map(({ name, offenders, means }) => ({ name, means: means(pod), offenders: offenders(pod) }))
      .filter(({ offenders }) => offenders.length > 0);
  const baseline = failedOf(BASELINE);
  if (baseline.length > 0) return { level: "privileged", failed: baseline };
  const restricted = failedOf(RESTRICTED);
  return { level: restricted.length > 0 ? "baseline" : "restricted", failed: restricted };
}

/**
 * Whether `one` allows a pod more than `other`: it has a laxer level, or it is privileged as well, which demands nothing,
 * and violates another control, or one of these by other means.
 */
export function isLaxer(one: PodSecurity, other: PodSecurity): boolean {
  if (one.level !== other.level)
    return POD_SECURITY_LEVELS.indexOf(one.level) > POD_SECURITY_LEVELS.indexOf(other.level);
  if (one.level !== "privileged") return false;
  return one.failed.some(({ name, means }) => {
    const known = other.failed.find((control) => control.name === name);
    return known === undefined || means.some((each) => !known.means.includes(each));
  });
}

/** A pod or one of its containers, since both have a security context. */
interface Actor {
  /** `pod`, or `container proxy`. */
  readonly name: string;
  readonly value: Fields;
}

/** The parts of a pod that the controls check. */
interface SecuredPod {
  readonly pod: Actor;
  readonly containers: readonly Actor[];
  readonly annotations: Fields;
  /** Whether it runs in its own user namespace, in which root has no rights on the node. */
  readonly hasUserNamespace: boolean;
  /** Whether it is a pod for Windows, to which controls for Linux do not apply. */
  readonly isWindows: boolean;
}

/** One control of the Pod Security Standards. */
interface Control extends Pick<FailedControl, "name"> {
  /** The names of the pod, containers and so on that violate it. */
  readonly offenders: (pod: SecuredPod) => readonly string[];
  /** By what they violate it; none for a control that is only kept or violated. */
  readonly means: (pod: SecuredPod) => readonly string[];
}

/** Extracts the parts of a workload's pods that the controls check. */
function podIn(pods: PodTemplate): SecuredPod {
  return {
    pod: { name: "pod", value: pods.spec },
    containers: podContainers(pods).map(({ name, value }) => ({ name: `container ${name}`, value })),
    annotations: pods.annotations,
    hasUserNamespace: pods.spec["hostUsers"] === false,
    isWindows: textAt(pods.spec, ["os", "name"]) === "windows",
  };
}

const CAPABILITIES =
  "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT".split(
    " ",
  );

const TCP = ["fin_timeout", "keepalive_intvl", "keepalive_probes", "keepalive_time", "rmem", "syncookies", "wmem"];
const SYSCTLS = [
  ...["kernel.shm_rmid_forced", "net.ipv4.ip_local_port_range", "net.ipv4.ip_local_reserved_ports"],
  ...["net.ipv4.ip_unprivileged_port_start", "net.ipv4.ping_group_range", ...TCP.map((name) => `net.ipv4.tcp_${name}`)],
];

const SELINUX_TYPES = ["container_t", "container_init_t", "container_kvm_t", "container_engine_t"];
const PROBES = [["livenessProbe"], ["readinessProbe"], ["startupProbe"]];
const HANDLERS = [...PROBES, ["lifecycle", "postStart"], ["lifecycle", "preStop"]];
const HOST_FIELDS = HANDLERS.flatMap((handler) => ["httpGet", "tcpSocket"].map((act) => [...handler, act, "host"]));
const APP_ARMOR = "container.apparmor.security.beta.kubernetes.io/";

/** The controls of the level *baseline*. */
const BASELINE: readonly Control[] = [
  ofPod("hostNamespaces", ({ pod: { value } }) =>
    ["hostNetwork", "hostPID", "hostIPC"].filter((field) => value[field] === true),
  ),
  actors("privileged", ({ value }) => securityContextField(value, "privileged") === true),
  {
    ...actors("capabilities", (actor) => unsafeCapabilities(actor).length > 0),
    means: ({ pod, containers }) => [...new Set([pod, ...containers].flatMap(unsafeCapabilities))],
  },
  ofPod("hostPath volumes", ({ pod: { value } }) =>
    mapsAt(value, "volumes").flatMap((volume) => {
      const path = fieldAt(volume.value, ["hostPath"]);
      return path === undefined ? [] : (textAt(path, ["path"]) ?? "/");
    }),
  ),
  actors("hostPorts", ({ value }) => mapsAt(value, "ports").some((port) => Number(port.value["hostPort"] ?? 0) !== 0)),
  actors("hostProbesAndHostLifecycle", ({ value }) => HOST_FIELDS.some((field) => textAt(value, field) !== undefined)),
  actors("appArmorProfile", ({ value }) =>
    isOtherThan(value, ["appArmorProfile", "type"], ["RuntimeDefault", "Localhost"]),
  ),
  control("appArmorProfile annotations", ({ annotations }) =>
    Object.entries(annotations).flatMap(([key, value]) =>
      key.startsWith(APP_ARMOR) && !/^$|^runtime\/default$|^localhost\//.test(String(value)) ? [key] : [],
    ),
  ),
  actors("seLinuxOptions", ({ value }) => {
    const identity = ["user", "role"].some(
      (field) => textAt(securityContextField(value, "seLinuxOptions"), [field]) !== undefined,
    );
    return identity || isOtherThan(value, ["seLinuxOptions", "type"], SELINUX_TYPES);
  }),
  control("procMount", ({ containers, hasUserNamespace }) =>
    actorNames(hasUserNamespace ? [] : containers, isUnmasked),
  ),
  actors("seccompProfile", ({ value }) => securityContextField(value, "seccompProfile", "type") === "Unconfined"),
  ofPod("sysctls", ({ pod: { value } }) =>
    mapsAt(isRecord(value["securityContext"]) ? value["securityContext"] : {}, "sysctls")
      .map((sysctl) => String(sysctl.value["name"]))
      .filter((name) => !SYSCTLS.includes(name)),
  ),
  actors("hostProcess", ({ value }) => securityContextField(value, "windowsOptions", "hostProcess") === true),
];

const VOLUMES = "configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret name".split(
  " ",
);

/** The controls that the level *restricted* adds. */
const RESTRICTED: readonly Control[] = [
  control("procMount", ({ containers }) => actorNames(containers, isUnmasked)),
  control("restrictedVolumes", ({ pod: { value } }) =>
    volumeNames(value, (volume) => Object.keys(volume).some((key) => !VOLUMES.includes(key))),
  ),
  linux("allowPrivilegeEscalation", ({ value }) => securityContextField(value, "allowPrivilegeEscalation") !== false),
  control("runAsNonRoot", (pod) =>
    pod.hasUserNamespace ? [] : inherited(pod, "runAsNonRoot", (value) => value === true),
  ),
  control("runAsUser", ({ pod, containers, hasUserNamespace }) =>
    actorNames(
      hasUserNamespace ? [] : [pod, ...containers],
      ({ value }) => securityContextField(value, "runAsUser") === 0,
    ),
  ),
  control("seccompProfile", (pod) =>
    pod.isWindows
      ? []
      : inherited(pod, "seccompProfile", (value) =>
          ["RuntimeDefault", "Localhost"].includes(String(fieldAt(value, ["type"]))),
        ),
  ),
  linux("capabilities", ({ value }) => {
    const added = textsAt(value, "securityContext", "capabilities", "add");
    const dropped = textsAt(value, "securityContext", "capabilities", "drop");
    return !dropped.includes("ALL") || added.some((name) => name !== "NET_BIND_SERVICE");
  }),
];

function control(name: string, offenders: Control["offenders"]): Control {
  return { name, offenders, means: () => [] };
}

/** A control of the pod about a list of names. */
function ofPod(name: string, means: Control["means"]): Control {
  return { name, means, offenders: (secured) => (means(secured).length > 0 ? [secured.pod.name] : []) };
}

/** A control of the pod and of each container. */
function actors(name: string, isBad: (actor: Actor) => boolean): Control {
  return control(name, ({ pod, containers }) => actorNames([pod, ...containers], isBad));
}

/** A control of each container on Linux. */
function linux(name: string, isBad: (actor: Actor) => boolean): Control {
  return control(name, ({ containers, isWindows }) => actorNames(isWindows ? [] : containers, isBad));
}

function unsafeCapabilities({ value }: Actor): readonly string[] {
  return textsAt(value, "securityContext", "capabilities", "add").filter((name) => !CAPABILITIES.includes(name));
}

function isUnmasked({ value }: Actor): boolean {
  return isOtherThan(value, ["procMount"], ["Default"]);
}

function actorNames(candidates: readonly Actor[], isBad: (actor: Actor) => boolean): readonly string[] {
  return candidates.filter(isBad).map(({ name }) => name);
}

/** The containers that violate a control whose field they inherit from the pod unless they set it themselves. */
function inherited(
  { pod, containers }: SecuredPod,
  field: string,
  isGood: (value: unknown) => boolean,
): readonly string[] {
  const ofPod = securityContextField(pod.value, field);
  return actorNames(containers, ({ value }) => !isGood(securityContextField(value, field) ?? ofPod));
}

function securityContextField(value: Fields, ...path: readonly string[]): unknown {
  return fieldAt(value, ["securityContext", ...path]);
}

function isOtherThan(value: Fields, path: readonly string[], allowed: readonly string[]): boolean {
  const text = textAt(value, ["securityContext", ...path]);
  return text !== undefined && !allowed.includes(text);
}

function volumeNames(spec: Fields, isBad: (volume: Fields) => boolean): readonly string[] {
  return mapsAt(spec, "volumes").flatMap(({ value }) => (isBad(value) ? [`volume ${String(value["name"])}`] : []));
}
