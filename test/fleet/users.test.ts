import { describe, expect, it } from "vitest";
import { Fleet } from "../../src/fleet/fleet.ts";
import { describeUsers, named, UNKNOWN_VERSION, type ModuleUser, type Users } from "../../src/fleet/users.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";

function collect({
  kymas = [],
  manifests = [],
}: Record<string, readonly KubernetesObject[]>): Exclude<Users, { kind: "unknown" }> {
  const fleet = new Fleet();
  for (const kyma of kymas) fleet.setKyma(kyma);
  for (const manifest of manifests) fleet.setManifest(manifest);
  const users = fleet.users();
  if (users.kind === "unknown") throw new Error("not known");
  return users;
}

const kyma = (name: string, modules: unknown, spec: object = {}): KubernetesObject => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind: "Kyma",
  metadata: { name },
  spec,
  status: { modules },
});

const MODULE = "operator.kyma-project.io/module-name";
const CHANNEL = "operator.kyma-project.io/channel";
const KYMA = "operator.kyma-project.io/kyma-name";

const manifest = (name: string, labels: Readonly<Record<string, string>>, version?: string): KubernetesObject => ({
  apiVersion: "operator.kyma-project.io/v1beta2",
  kind: "Manifest",
  metadata: { name, labels },
  spec: { ...(version !== undefined && { version }) },
});

const template = { metadata: { name: "istio-1.3.0" } };
const istio = { name: "istio", channel: "fast", state: "Ready", version: "1.3.0", template };
const row = { name: "Kyma a", channels: ["fast"], version: "1.3.0", installed: undefined };
/** The users of a module, without condition and cluster. */
const usesOf = (users: readonly ModuleUser[] = []): unknown =>
  users.map(({ condition: _condition, kyma: _kyma, ...use }) => use);

describe("users of a template", () => {
  it("are the Kymas whose status names it", () => {
    const { templates } = collect({ kymas: [kyma("a", [istio]), kyma("b", [istio, { name: "keda" }])] });

    expect(Object.fromEntries(templates)).toEqual({ "istio-1.3.0": { count: 2, examples: ["Kyma a", "Kyma b"] } });
  });

  it("are the Kymas whose status names its version, also without a template", () => {
    const { templates } = collect({ kymas: [kyma("a", [{ ...istio, template: undefined }])] });

    expect([...templates.keys()]).toEqual(["istio-1.3.0"]);
  });

  it("are the Manifests that install its version", () => {
    const { templates, modules } = collect({ manifests: [manifest("a", { [MODULE]: "istio" }, "1.3.0")] });

    expect([[...templates.keys()], [...modules.keys()]]).toEqual([["istio-1.3.0"], ["istio"]]);
    expect(templates.get("istio-1.3.0")).toEqual({ count: 1, examples: ["Manifest a"] });
  });

  it("are the Manifests of an older lifecycle-manager that name its channel", () => {
    const { templates } = collect({ manifests: [manifest("a", { [MODULE]: "istio", [CHANNEL]: "fast" })] });

    expect([...templates.keys()]).toEqual(["istio-fast"]);
  });

  it("are all counted, and the first few are named", () => {
    const kymas = ["a", "b", "c", "d"].map((name) => kyma(name, [istio]));
    const [one, four] = [collect({ kymas: kymas.slice(0, 1) }), collect({ kymas })].map(({ templates }) =>
      templates.get("istio-1.3.0"),
    );

    expect(one && describeUsers(one)).toBe("1 user (Kyma a)");
    expect(four && describeUsers(four)).toBe("4 users (Kyma a, Kyma b, Kyma c, …)");
  });
});

describe("users of a module", () => {
  const usersOf = (...kymas: readonly KubernetesObject[]): unknown => usesOf(collect({ kymas }).modules.get("istio"));

  it("are the Kymas whose status lists it, with the channel and version in the status", () => {
    const { modules } = collect({ kymas: [kyma("a", [istio]), kyma("b", [istio, { name: "keda" }])] });

    expect([...modules.keys()]).toEqual(["istio", "keda"]);
    expect(usesOf(modules.get("istio"))).toEqual([row, { ...row, name: "Kyma b" }]);
  });

  it("are Kymas whose spec lists it before their status does, from its own channel or the Kyma's", () => {
    const spec = { channel: "regular", modules: [{ name: "istio" }] };
    const own = { channel: "regular", modules: [{ name: "istio", channel: "fast" }] };
    const nothing = { version: undefined };

    expect(usersOf(kyma("a", undefined, spec), kyma("b", [], own))).toEqual([
      { ...row, ...nothing, channels: ["regular"] },
      { ...row, ...nothing, name: "Kyma b", channels: ["fast"] },
    ]);
  });

  it("use both channels while spec and status name different ones", () => {
    const spec = { modules: [{ name: "istio", channel: "regular" }] };

    expect(usersOf(kyma("a", [istio], spec))).toEqual([{ ...row, channels: ["regular", "fast"] }]);
  });

  it.each(["Warning", "Error", "Deleting", undefined])(
    "use every channel in the state %s: the status may name the channel that they left",
    (state) => {
      expect(usersOf(kyma("a", [{ ...istio, state }]))).toEqual([{ ...row, channels: "every" }]);
    },
  );

  it("use every channel if neither spec nor status names one", () => {
    expect(usersOf(kyma("a", [{ name: "istio", state: "Ready" }]))).toMatchObject([{ channels: "every" }]);
  });

  it("are combined with the Manifest that names the Kyma and the module, and has the installed version", () => {
    const labels = { [MODULE]: "istio", [KYMA]: "a" };
    const { modules } = collect({ kymas: [kyma("a", [istio])], manifests: [manifest("m", labels, "1.4.0")] });

    expect(usesOf(modules.get("istio"))).toEqual([{ ...row, installed: "1.4.0" }]);
  });

  it("have the highest version of all their Manifests installed; an invalid or missing version counts as higher", () => {
    const labels = { [MODULE]: "istio", [KYMA]: "a" };
    const installed = (...versions: readonly (string | undefined)[]): unknown => {
      const manifests = versions.map((version, index) => manifest(`m${index}`, labels, version));
      return collect({ kymas: [kyma("a", [{ ...istio, version: undefined }])], manifests }).modules.get("istio")?.[0]
        ?.installed;
    };

    expect([installed("1.9.0", "1.10.0"), installed("1.10.0", "1.9.0")]).toEqual(["1.10.0", "1.10.0"]);
    expect([installed("1.9.0", undefined), installed(undefined, "1.9.0")]).toEqual([UNKNOWN_VERSION, UNKNOWN_VERSION]);
    expect([installed("odd", "1.9.0"), installed("1.9.0", "odd")]).toEqual(["odd", "odd"]);
  });

  it("are Manifests in every channel if no Kyma lists the module: mandatory modules, or a deleted Kyma; one of each Kyma", () => {
    const labels = { [MODULE]: "istio", [KYMA]: "gone" };
    const second = manifest("o", labels, "1.2.0");
    const manifests = [manifest("m", labels, "1.3.0"), manifest("n", { [MODULE]: "istio" }, "1.2.0"), second];
    const stray = { channels: "every", version: undefined };

    expect(usesOf(collect({ kymas: [kyma("a", [])], manifests }).modules.get("istio"))).toEqual([
      { ...stray, name: "Manifest m", installed: "1.3.0" },
      { ...stray, name: "Manifest n", installed: "1.2.0" },
    ]);
  });

  it("are sorted by name", () => {
    const users = collect({ kymas: ["c", "a", "d", "b"].map((name) => kyma(name, [istio])) }).modules.get("istio");

    expect(named(users ?? [])).toEqual({ count: 4, examples: ["Kyma a", "Kyma b", "Kyma c"] });
  });
});

describe("a Kyma without a status, or with an incomplete one", () => {
  it("uses the modules that it lists", () => {
    const bare: KubernetesObject = { apiVersion: "v1", kind: "Kyma", metadata: { name: "bare" } };
    const nameless = { template: { metadata: { name: "istio-1.2.0" } } };
    const odd = [null, "text", { name: "" }, { template: { metadata: null } }, nameless];
    const { modules } = collect({ kymas: [bare, kyma("a", "none"), kyma("b", odd)] });

    expect([...modules.keys()]).toEqual([]);
  });

  it("uses nothing for a nameless entry of its spec", () => {
    const { modules } = collect({
      kymas: [kyma("a", [], { modules: [{ channel: "fast" }, { name: "istio", channel: "fast" }] })],
    });

    expect([...modules.keys()]).toEqual(["istio"]);
  });

  it("uses the template in a nameless entry of its status", () => {
    const nameless = { template: { metadata: { name: "istio-1.2.0" } } };
    const { templates } = collect({ kymas: [kyma("a", [nameless])] });

    expect([...templates.keys()]).toEqual(["istio-1.2.0"]);
  });
});

describe("a Manifest that names no version", () => {
  const manifests = [manifest("m", { [MODULE]: "istio", [KYMA]: "a" })];
  const installed = (...kymas: readonly KubernetesObject[]): unknown =>
    collect({ kymas, manifests }).modules.get("istio")?.[0]?.installed;

  it("installs the version in the status, or an unknown one", () => {
    expect(installed(kyma("a", [istio]))).toBe("1.3.0");
    expect(installed(kyma("a", [{ ...istio, version: undefined }]))).toBe(UNKNOWN_VERSION);
    expect(installed()).toBe(UNKNOWN_VERSION);
  });
});

describe("a Manifest that names no module", () => {
  const lost = { ...istio, version: undefined, state: "Error" };

  it("may be of any module", () => {
    const unlabelled: KubernetesObject = { apiVersion: "v1", kind: "Manifest", metadata: { name: "b" } };
    const { templates, modules, unnamed } = collect({
      manifests: [manifest("a", { [MODULE]: "" }, "1.3.0"), unlabelled],
    });

    expect([templates.size, modules.size]).toEqual([0, 0]);
    expect(unnamed).toMatchObject([
      { name: `Manifest a without the label ${MODULE}`, channels: "every", installed: undefined },
      { name: `Manifest b without the label ${MODULE}` },
    ]);
  });

  it.each([
    ["counts for a module of its Kyma", { [KYMA]: "a" }, ["1.4.0", undefined]],
    ["counts for a module of every Kyma if it names none", {}, ["1.4.0", "1.4.0"]],
  ])("%s", (_, labels, expected) => {
    const kymas = [kyma("a", [lost]), kyma("b", [lost])];
    const { modules } = collect({ kymas, manifests: [manifest("m", labels, "1.4.0")] });

    expect(modules.get("istio")?.map(({ installed }) => installed)).toEqual(expected);
  });

  it("does not count for a module that has another Manifest, and counts until it is deleted", () => {
    const fleet = new Fleet();
    const installed = (): unknown => {
      const users = fleet.users();
      return users.kind === "known" && [users.unnamed.length, users.modules.get("istio")?.[0]?.installed];
    };
    fleet.setKyma(kyma("a", [lost]));
    fleet.setManifest(manifest("m", { [KYMA]: "a" }, "1.4.0"));
    const alone = installed();
    fleet.setManifest(manifest("n", { [MODULE]: "istio", [KYMA]: "a" }, "1.2.0"));
    const beside = installed();
    fleet.removeManifest("n");
    fleet.removeManifest("m");

    expect([alone, beside, installed()]).toEqual([
      [1, "1.4.0"],
      [1, "1.2.0"],
      [0, undefined],
    ]);
  });
});
