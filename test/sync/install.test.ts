import { describe, expect, it } from "vitest";
import type { ControlPlaneAddress } from "../../src/catalogue/settings.ts";
import { parseGitAddress } from "../../src/sync/install/git.ts";
import { hostManifests, reachProblem } from "../../src/sync/install/host.ts";
import type { ControllerPod } from "../../src/sync/install/pod.ts";
import { rulesFor, targetManifests } from "../../src/sync/install/target.ts";
import { LANDSCAPE } from "./granting.ts";

describe("the address of a repository", () => {
  it.each([
    ["https://github.com/org/name", { transport: "https", port: 443, hasCredentials: false }],
    ["https://git.example.com:8443/name.git", { transport: "https", port: 8443, hasCredentials: false }],
    ["https://token@github.com/org/name", { transport: "https", port: 443, hasCredentials: true }],
    ["https://user:secret@github.com/org/name", { transport: "https", port: 443, hasCredentials: true }],
    ["ssh://git@git.example.com:7999/org/name", { transport: "ssh", port: 7999, hasCredentials: false }],
    ["ssh://git:secret@git.example.com/name", { transport: "ssh", port: 22, hasCredentials: true }],
    ["git@github.com:org/name.git", { transport: "ssh", port: 22, hasCredentials: false }],
    ["http://github.com/org/name", undefined],
    ["git://github.com/org/name", undefined],
    ["../elsewhere", undefined],
    ["--upload-pack=touch", undefined],
  ])("%s", (url, expected) => {
    expect(parseGitAddress(url)).toEqual(expected);
  });
});

const POD: ControllerPod = {
  image: "example.com/kyma-modules:1",
  landscapes: ["dev"],
  git: {
    url: "https://h/n",
    transport: "https",
    port: 443,
    hasCredentials: false,
    branch: undefined,
    secret: undefined,
    isApp: false,
  },
  kubeconfigSecret: undefined,
  inCluster: true,
  publish: false,
  webhookSecret: undefined,
};

/** The Deployment and the NetworkPolicy for another pod. */
function textWith(pod: Partial<ControllerPod>, serviceMonitor = false): string {
  return JSON.stringify(hostManifests({ namespace: "kyma-system", pod: { ...POD, ...pod }, serviceMonitor }));
}

describe("the controller's pod", () => {
  it("gets only named Secrets, and its token only in its own cluster", () => {
    expect(textWith({})).not.toMatch(/secret|GIT_|KUBECONFIG/);
    expect(textWith({})).toContain('"automountServiceAccountToken":true');
    expect(textWith({})).toContain('"--in-cluster"');
    expect(textWith({ inCluster: false })).not.toMatch(/"automountServiceAccountToken":true|--in-cluster/);
  });

  it("reads its kubeconfig and the webhook's key from Secrets", () => {
    const text = textWith({ kubeconfigSecret: "contexts", webhookSecret: "hook" });

    expect(text).toContain('{"name":"KUBECONFIG","value":"/etc/kyma-modules/kubeconfig/kubeconfig"}');
    expect(text).toContain('"secretKeyRef":{"name":"hook","key":"secret"}');
    expect(text).toContain(
      '{"secretName":"contexts","defaultMode":288,"items":[{"key":"kubeconfig","path":"kubeconfig"}]}',
    );
  });

  it("publishes evidence with --publish, under its own name", () => {
    const text = textWith({ publish: true });

    expect(text).toContain('"--publish"');
    expect(text).toContain('{"name":"GIT_COMMITTER_NAME","value":"kyma-modules"}');
  });

  it.each([
    [
      "ssh",
      "GIT_SSH_COMMAND",
      '[{"key":"ssh-privatekey","path":"ssh-privatekey"},{"key":"known_hosts","path":"known_hosts"}]',
    ],
    ["https", "credential.helper", '[{"key":"token","path":"token"}]'],
  ] as const)("reads what Git needs for %s from files", (transport, variable, items) => {
    const text = textWith({ git: { ...POD.git, transport, secret: "credentials" } });

    expect(text).toContain(variable);
    expect(text).toContain(items);
  });

  it("reads a GitHub App from its Secret: the key as a file, and no other credentials", () => {
    const text = textWith({ git: { ...POD.git, secret: "app", isApp: true } });

    expect(text).toContain('"name":"KYMA_MODULES_APP_ID","valueFrom":{"secretKeyRef":{"name":"app","key":"app-id"}}');
    expect(text).toContain('"KYMA_MODULES_APP_PRIVATE_KEY","value":"/etc/kyma-modules/git/private-key"');
    expect(text).toContain('{"key":"private-key","path":"private-key"}');
    expect(text).not.toContain("credential.helper");
  });

  it("follows another branch, and may reach another port, if configured", () => {
    const text = textWith({ git: { ...POD.git, branch: "release", port: 8443 } });

    expect(text).toContain('"--branch","release"');
    expect(text).toContain('{"protocol":"TCP","port":8443}');
  });

  it("is monitored only if requested", () => {
    expect([textWith({}), textWith({}, true)].map((text) => text.includes("ServiceMonitor"))).toEqual([false, true]);
  });
});

describe("a landscape", () => {
  it.each<readonly [ControlPlaneAddress, boolean, string | undefined]>([
    [{ context: "kcp-dev" }, false, undefined],
    [{ inCluster: true }, true, undefined],
    [{ inCluster: true }, false, "--in-cluster"],
    [{ context: "kcp-dev" }, true, undefined],
    [{ kubeconfig: "kcp.yaml" }, false, "kubeconfig: kcp.yaml"],
    [{ embedded: true }, false, "embedded: true"],
  ])("by %j is reached from a pod, in its own cluster: %s", (controlPlane, inCluster, problem) => {
    const said = reachProblem({ ...LANDSCAPE, controlPlane }, inCluster);

    if (problem === undefined) expect(said).toBeUndefined();
    else expect(said).toContain(problem);
  });
});

describe("the rights on a control plane", () => {
  const resources = (grant: Partial<Parameters<typeof rulesFor>[0]>): readonly string[] =>
    rulesFor({ landscape: LANDSCAPE, actor: "controller", kymas: false, ...grant }).flatMap((rule) => rule.resources);

  it("include Deployments only if their image determines the generation", () => {
    const landscape = { ...LANDSCAPE, lifecycleManager: "version-templates" } as const;

    expect(resources({})).toContain("deployments");
    expect(resources({ landscape })).not.toContain("deployments");
  });

  it("watch and publish only for the controller", () => {
    const verbs = (actor: "controller" | "one-shot"): ReadonlySet<string> =>
      new Set(rulesFor({ landscape: LANDSCAPE, actor, kymas: false }).flatMap((rule) => rule.verbs));

    expect(resources({})).toContain("events");
    expect(resources({ actor: "one-shot" })).not.toContain("events");
    expect([verbs("controller").has("watch"), verbs("one-shot").has("watch")]).toEqual([true, false]);
  });

  it("include Kymas for a reader only if requested", () => {
    expect(resources({ actor: "reader" })).toEqual(["configmaps"]);
    expect(resources({ actor: "reader", kymas: true })).toEqual(["configmaps", "kymas", "manifests"]);
  });

  it("are bound to the controller's own account in its cluster, and to a new one elsewhere", () => {
    const kinds = (accountNamespace: string | undefined): readonly (readonly [string, unknown])[] =>
      targetManifests({ landscape: LANDSCAPE, actor: "controller", kymas: false, accountNamespace }).map(
        ({ object }) => [object.kind, object["subjects"]],
      );
    const subjects = (namespace: string): object[] => [{ kind: "ServiceAccount", name: "kyma-modules", namespace }];

    expect(kinds(undefined)).toEqual([
      ["ServiceAccount", undefined],
      ["Role", undefined],
      ["RoleBinding", subjects("kcp-system")],
    ]);
    expect(kinds("kyma-system")).toEqual([
      ["Role", undefined],
      ["RoleBinding", subjects("kyma-system")],
    ]);
  });
});
