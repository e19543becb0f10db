import { describe, expect, test } from "vitest";
import {
  BUMP,
  bumpManifest,
  edit,
  FAST,
  manifestPath,
  manifestText,
  REGULAR,
  templateText,
  type ExampleFiles,
} from "../../../../src/check/example.ts";
import { BINDING, BOUND, boundManifest } from "../../../../src/check/rules/rights/gain.ts";
import { rightsEscalation } from "../../../../src/check/rules/rights/escalation.ts";
import { rightsGained } from "../../../../src/check/rules/rights/gained.ts";
import { rightsHost } from "../../../../src/check/rules/rights/host.ts";
import { rightsPodSecurity } from "../../../../src/check/rules/rights/podSecurity.ts";
import { rightsSecrets } from "../../../../src/check/rules/rights/secrets.ts";
import { rightsWildcard } from "../../../../src/check/rules/rights/wildcard.ts";
import type { Rule } from "../../../../src/check/rule.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const PODS = '{ apiGroups: [""], resources: [pods], verbs: [get, delete] }';
const NO_VERSION: ExampleFiles = { [FAST]: undefined, [REGULAR]: undefined };

/** What a rule says of a change, without the place. */
async function judged(rule: Rule, change: ExampleFiles, base: ExampleFiles = BOUND): Promise<readonly string[]> {
  return said(rule, await contextOf({ base, change })).map((text) => text.replace(/^\S+:\d+ /, ""));
}

function bump(rule: string): ExampleFiles {
  return { ...BUMP, ...boundManifest("1.2.0", rule) };
}

describe("rights gained", () => {
  test("are listed for each role", async () => {
    expect(await judged(rightsGained, bump(PODS))).toEqual([
      mentions("note ClusterRole sample-manager", "gains: get, delete on pods"),
    ]);
  });

  test("are compared with the version of the channel, else with the newest of any channel", async () => {
    const base = { ...BOUND, ...boundManifest("1.1.0", PODS) };
    expect(await judged(rightsGained, bump(PODS), base)).toEqual([]);
    const regular = { [REGULAR]: templateText("regular", "1.1.0") };
    expect(await judged(rightsGained, regular, base)).toEqual([
      mentions("note ClusterRole sample-manager", "gains: get, delete on pods"),
    ]);
    expect(
      await judged(rightsGained, { [REGULAR]: templateText("regular", "1.1.0") }, { ...base, [REGULAR]: undefined }),
    ).toEqual([]);
    const version = templateText(undefined, "1.2.0");
    const change = { ...boundManifest("1.2.0", PODS), "modules/sample/1.2.0/template.yaml": version };
    expect(await judged(rightsGained, change, base)).toEqual([]);
  });

  test("are all rights of a module that no channel serves", async () => {
    expect(await judged(rightsGained, bump(PODS), { ...BOUND, ...NO_VERSION })).toEqual([
      mentions(
        "note ClusterRole sample-manager",
        "get, list, watch on operator.example.com/samples; get, delete on pods",
      ),
    ]);
  });

  test("are none without a change, and unknown if a manifest is unknown", async () => {
    expect(said(rightsGained, await wholeContext(BOUND))).toEqual([]);
    expect(await judged(rightsGained, bump(PODS), { ...BOUND, [manifestPath("1.1.0")]: undefined })).toEqual([
      mentions("not run", "1.1.0", "manifest", "examples ask no server"),
    ]);
  });
});

describe("a dangerous right", () => {
  test.each([
    [rightsWildcard, '{ apiGroups: ["*"], resources: [pods], verbs: [get] }', true],
    [rightsWildcard, '{ nonResourceURLs: ["/logs/*"], verbs: [get] }', true],
    [rightsEscalation, '{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }', true],
    [rightsEscalation, '{ apiGroups: [""], resources: [users], resourceNames: [admin], verbs: [impersonate] }', true],
    [rightsEscalation, "{ apiGroups: [example.com], resources: [roles], verbs: [bind] }", false],
    [rightsSecrets, '{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }', true],
    [rightsSecrets, '{ apiGroups: [""], resources: [secrets], verbs: [create] }', false],
  ])("%o", async (rule, text, isDangerous) => {
    expect(await judged(rule, bump(text))).toHaveLength(isDangerous ? 1 : 0);
  });

  test("is found in the roles of every cluster, and unknown in other roles that the manifest does not contain", async () => {
    const bound = (role: string): ExampleFiles => {
      const binding = edit(
        edit(BINDING, "name: sample-manager", "name: more"),
        "name: sample-manager }",
        `name: ${role} }`,
      );
      return { ...BUMP, [manifestPath("1.2.0")]: manifestText("1.2.0") + binding };
    };
    const rules = [rightsEscalation, rightsSecrets, rightsWildcard];
    const all = async (role: string): Promise<readonly (readonly string[])[]> =>
      Promise.all(rules.map((rule) => judged(rule, bound(role))));

    for (const role of ["admin", "edit", "system:aggregate-to-edit"])
      expect(await all(role)).toEqual([
        [mentions("error ClusterRoleBinding more", "impersonate on serviceaccounts")],
        [mentions("warning ClusterRoleBinding more", "get,", "on secrets")],
        [],
      ]);
    expect(await all("view")).toEqual([[], [], []]);
    const unknown = ["ClusterRoleBinding more", "all rights", "ClusterRole other", "unknown"];
    expect(await all("other")).toEqual(rules.map(() => [mentions("not run", ...unknown)]));
    expect(await judged(rightsGained, bound("other"))).toEqual([mentions("note", ...unknown)]);
  });

  test("is a note for a module that no channel serves, and is not gained in a version that a channel serves", async () => {
    const all = '{ apiGroups: ["*"], resources: ["*"], verbs: ["*"] }';
    expect(await judged(rightsEscalation, bump(all), { ...BOUND, ...NO_VERSION })).toEqual([
      mentions("note ClusterRole sample-manager", "* on */*", "every other right"),
    ]);
    const base = { ...BOUND, ...boundManifest("1.1.0", all) };
    expect(await judged(rightsEscalation, { [REGULAR]: templateText("regular", "1.1.0") }, base)).toEqual([]);
  });
});

test.each([
  ["serviceaccounts/token", "create", ""],
  ["nodes/proxy", "create", ""],
  ["nodes/proxy", "get", ""],
  ["signers", "approve", "certificates.k8s.io"],
])("the right to %s is an escalation (%s)", async (resource, verb, group) => {
  const rule = (given: string): string => `{ apiGroups: ["${group}"], resources: [${resource}], verbs: [${given}] }`;
  expect(await judged(rightsEscalation, bump(rule(verb)))).toEqual([
    mentions("error ClusterRole sample-manager", `${verb} on`, resource),
  ]);
  expect(await judged(rightsEscalation, bump(rule("watch")))).toEqual([]);
});

test.each([
  ["serviceaccounts/token", "create", ""],
  ["signers", "approve", "certificates.k8s.io"],
])("the right to %s of some names is not an escalation", async (resource, verb, group) => {
  const rule = `{ apiGroups: ["${group}"], resources: [${resource}], resourceNames: [own], verbs: [${verb}] }`;

  expect(await judged(rightsEscalation, bump(rule))).toEqual([]);
});

describe("a workload", () => {
  const privileged = "allowPrivilegeEscalation: false";
  const account = "      serviceAccountName: sample-manager\n";

  test("that becomes privileged is an error, unless no channel serves it yet", async () => {
    const change = bumpManifest(privileged, "privileged: true");
    const found = (severity: string, before: string): unknown =>
      mentions(
        `${severity} Deployment kyma-system/sample-manager`,
        `privileged (${before}`,
        "privileged (container manager)",
      );
    expect(await judged(rightsPodSecurity, change)).toEqual([found("error", "restricted")]);
    expect(await judged(rightsPodSecurity, change, NO_VERSION)).toEqual([found("note", "new)")]);
  });

  test("that is privileged for one reason may not become so for another", async () => {
    const [mount, path] = [
      `${account}      volumes: [{ name: v, hostPath: { path: /var/log } }]\n`,
      manifestPath("1.1.0"),
    ];
    const base = { [path]: edit(manifestText("1.1.0"), account, mount) };
    const now = edit(manifestText("1.2.0"), account, mount);
    const change = { ...BUMP, [manifestPath("1.2.0")]: edit(now, privileged, "privileged: true") };

    expect(await judged(rightsPodSecurity, change, base)).toEqual([
      mentions("error", "privileged in service", "hostPath volumes", "privileged (container manager)"),
    ]);
    expect(await judged(rightsPodSecurity, { ...BUMP, [manifestPath("1.2.0")]: now }, base)).toEqual([]);
  });

  test("keeps the level that any served version has", async () => {
    const base = { [manifestPath("1.0.0")]: edit(manifestText("1.0.0"), "runAsNonRoot: true", "runAsNonRoot: false") };
    expect(await judged(rightsPodSecurity, bumpManifest("runAsNonRoot: true", "runAsNonRoot: false"), base)).toEqual(
      [],
    );
  });

  test("that is new is compared with the strictest level", async () => {
    const text = edit(manifestText("1.2.0"), "runAsNonRoot: true", "runAsNonRoot: false");
    const renamed = edit(
      text,
      "kind: Deployment\nmetadata:\n  name: sample-manager",
      "kind: Deployment\nmetadata:\n  name: second",
    );
    const laxer = { ...BUMP, [manifestPath("1.2.0")]: renamed };
    expect(await judged(rightsPodSecurity, laxer)).toEqual([
      mentions("warning Deployment kyma-system/second", "baseline (new)", "runAsNonRoot (container manager)"),
    ]);
  });

  test("may keep its access to its node, but not gain more", async () => {
    const base = {
      [manifestPath("1.1.0")]: edit(manifestText("1.1.0"), account, `${account}      hostNetwork: true\n`),
    };
    const change = bumpManifest(account, `${account}      hostNetwork: true\n      hostPID: true\n`);
    expect(await judged(rightsHost, change, base)).toEqual([
      mentions("error Deployment kyma-system/sample-manager", "hostPID"),
    ]);
    expect(await judged(rightsHost, change, NO_VERSION)).toHaveLength(2);
  });

  test("counts the files that a new volume gives access to", async () => {
    const volume =
      "---\napiVersion: v1\nkind: PersistentVolume\nmetadata: { name: v }\nspec: { hostPath: { path: / } }\n";
    const change = { ...BUMP, [manifestPath("1.2.0")]: manifestText("1.2.0") + volume };
    expect(await judged(rightsHost, change)).toEqual([mentions("error PersistentVolume v", "hostPath /")]);
    const base = { ...BOUND, [manifestPath("1.1.0")]: manifestText("1.1.0") + volume };
    expect(await judged(rightsHost, change, base)).toEqual([]);
  });

  test("that had no pods before is new", async () => {
    const text = manifestText("1.1.0");
    const empty = text.slice(0, text.indexOf("  template:"));
    const base = { ...NO_VERSION, [FAST]: templateText("fast", "1.1.0"), [manifestPath("1.1.0")]: empty };
    const change = bumpManifest(account, `${account}      hostNetwork: true\n`);
    expect(await judged(rightsHost, change, base)).toHaveLength(1);
    expect(await judged(rightsPodSecurity, change, base)).toHaveLength(1);
  });
});
