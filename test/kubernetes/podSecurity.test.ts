import { describe, expect, test } from "vitest";
import { failureText, isLaxer, podSecurityLevel } from "../../src/kubernetes/podSecurity.ts";
import { workloadPodTemplate } from "../../src/kubernetes/workload.ts";
import { podOf } from "./pods.ts";

const STRICT = "allowPrivilegeEscalation: false, capabilities: { drop: [ALL] }";
const POD = "securityContext: { runAsNonRoot: true, seccompProfile: { type: RuntimeDefault } }";

function ratingOf(spec: string, annotations?: string): ReturnType<typeof podSecurityLevel> {
  const pods = workloadPodTemplate(podOf(`{ ${spec} }`, annotations));
  if (pods === undefined) throw new Error("A pod has a spec.");
  return podSecurityLevel(pods);
}

function judge(...pod: Parameters<typeof ratingOf>): { readonly level: string; readonly failed: readonly string[] } {
  const { level, failed } = ratingOf(...pod);
  return { level, failed: failed.map(failureText) };
}

/** A pod that is restricted but for `container` and `spec`. */
function almost(container: string, spec = POD): string {
  return `${spec}, containers: [{ name: a, ${container} }]`;
}

test("a pod that violates no control is restricted", () => {
  expect(judge(almost(`securityContext: { ${STRICT} }`))).toEqual({ level: "restricted", failed: [] });
  expect(judge(`${almost(`securityContext: { ${STRICT} }`)}, volumes: [{ name: v, configMap: {} }]`).level).toBe(
    "restricted",
  );
});

describe("a pod is privileged that", () => {
  test.each([
    ["shares namespaces of its node", "hostPID: true", "hostNamespaces hostPID (pod)"],
    ["mounts its node's files", "volumes: [{ name: v, hostPath: { path: / } }]", "hostPath volumes / (pod)"],
    [
      "sets an unsafe sysctl",
      "securityContext: { sysctls: [{ name: kernel.msgmax }, { name: net.ipv4.tcp_rmem }] }",
      "sysctls kernel.msgmax (pod)",
    ],
    ["runs without seccomp", "securityContext: { seccompProfile: { type: Unconfined } }", "seccompProfile (pod)"],
    ["runs without AppArmor", "securityContext: { appArmorProfile: { type: Unconfined } }", "appArmorProfile (pod)"],
    ["has a SELinux user", "securityContext: { seLinuxOptions: { user: root } }", "seLinuxOptions (pod)"],
    ["has a SELinux type of its own", "securityContext: { seLinuxOptions: { type: spc_t } }", "seLinuxOptions (pod)"],
    [
      "is a process of a Windows node",
      "securityContext: { windowsOptions: { hostProcess: true } }",
      "hostProcess (pod)",
    ],
    [
      "has a privileged container",
      "containers: [{ name: a, securityContext: { privileged: true } }]",
      "privileged (container a)",
    ],
    [
      "adds capabilities",
      "containers: [{ name: a, securityContext: { capabilities: { add: [SYS_ADMIN] } } }]",
      "capabilities SYS_ADMIN (container a)",
    ],
    ["takes a port of its node", "containers: [{ name: a, ports: [{ hostPort: 80 }] }]", "hostPorts (container a)"],
    [
      "probes another host",
      "containers: [{ name: a, livenessProbe: { httpGet: { host: example.com } } }]",
      "hostProbesAndHostLifecycle (container a)",
    ],
    [
      "sees all of /proc",
      "containers: [{ name: a, securityContext: { procMount: Unmasked } }]",
      "procMount (container a)",
    ],
  ])("%s", (_, spec, failed) => {
    expect(judge(spec)).toEqual({ level: "privileged", failed: [failed] });
  });

  test("takes a port of its node, not only one of its own", () => {
    const withPort = (port: string): string => judge(`containers: [{ name: a, ports: [${port}] }]`).level;

    expect(["{ containerPort: 80 }", "{ containerPort: 80, hostPort: 80 }"].map(withPort)).toEqual([
      "baseline",
      "privileged",
    ]);
  });

  test("requests its own AppArmor profile in an annotation", () => {
    const key = "container.apparmor.security.beta.kubernetes.io/a";
    expect(judge("containers: []", `{ ${key}: unconfined }`)).toEqual({
      level: "privileged",
      failed: [`appArmorProfile annotations (${key})`],
    });
    expect(judge("containers: []", `{ ${key}: runtime/default, other: x }`).level).toBe("restricted");
  });
});

describe("a pod is baseline that", () => {
  test.each([
    ["mounts other volumes", `${POD}, volumes: [{ name: v, nfs: {} }]`, "restrictedVolumes (volume v)"],
    [
      "may gain privileges",
      almost("securityContext: { capabilities: { drop: [ALL] } }"),
      "allowPrivilegeEscalation (container a)",
    ],
    ["may run as root", almost(`securityContext: { ${STRICT}, runAsNonRoot: false }`), "runAsNonRoot (container a)"],
    ["runs as root", almost(`securityContext: { ${STRICT}, runAsUser: 0 }`), "runAsUser (container a)"],
    [
      "has no seccomp profile",
      almost(`securityContext: { ${STRICT} }`, "securityContext: { runAsNonRoot: true }"),
      "seccompProfile (container a)",
    ],
    [
      "keeps its capabilities",
      almost("securityContext: { allowPrivilegeEscalation: false }"),
      "capabilities (container a)",
    ],
    [
      "adds a default one",
      almost("securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: [ALL], add: [KILL] } }"),
      "capabilities (container a)",
    ],
  ])("%s", (_, spec, failed) => {
    expect(judge(spec)).toEqual({ level: "baseline", failed: [failed] });
  });
});

test("a pod in a user namespace may run as root, and at the level baseline see all of /proc", () => {
  const spec = "hostUsers: false, securityContext: { seccompProfile: { type: Localhost } }";
  expect(judge(almost(`securityContext: { ${STRICT}, runAsUser: 0 }`, spec)).level).toBe("restricted");
  expect(judge(almost(`securityContext: { ${STRICT}, procMount: Unmasked }`, spec))).toEqual({
    level: "baseline",
    failed: ["procMount (container a)"],
  });
});

test("controls for Linux do not apply to a pod for Windows", () => {
  expect(judge(almost("image: a", "os: { name: windows }, securityContext: { runAsNonRoot: true }")).level).toBe(
    "restricted",
  );
});

test("a rating is laxer when its level allows more, or when it violates more at the level that demands nothing", () => {
  const [host, both] = [ratingOf("hostPID: true"), ratingOf(`hostPID: true, ${almost("ports: [{ hostPort: 80 }]")}`)];
  const [baseline, root] = [ratingOf(almost("image: a")), ratingOf("containers: [{ name: a }]")];

  expect([isLaxer(host, baseline), isLaxer(baseline, host)]).toEqual([true, false]);
  expect([isLaxer(both, host), isLaxer(host, both)]).toEqual([true, false]);
  expect([isLaxer(root, baseline), isLaxer(baseline, root)]).toEqual([false, false]);
});

test.each([
  ["a namespace of the node", "hostNetwork: true", "hostPID: true"],
  [
    "a folder of the node",
    "volumes: [{ name: v, hostPath: { path: /var/log } }]",
    "volumes: [{ name: v, hostPath: {} }]",
  ],
  ["a sysctl", "securityContext: { sysctls: [{ name: a }] }", "securityContext: { sysctls: [{ name: b }] }"],
  [
    "a capability",
    "containers: [{ name: a, securityContext: { capabilities: { add: [NET_ADMIN] } } }]",
    "containers: [{ name: b, securityContext: { capabilities: { add: [SYS_ADMIN] } } }]",
  ],
])("a rating is laxer when it violates a control by another means: %s", (_, one, other) => {
  const [before, after] = [ratingOf(one), ratingOf(other)];

  expect([isLaxer(after, before), isLaxer(before, after), isLaxer(after, after)]).toEqual([true, true, false]);
});
