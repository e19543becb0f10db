import { join } from "node:path";
import { describe, expect, it, type TestContext } from "vitest";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";
import { filesOf, type Sample } from "../sync/catalogueFiles.ts";
import { pathOf } from "../sync/outside.ts";
import { sharedWorld, type World } from "../sync/world.ts";
import { emptyFolder, emptyRepository } from "../systems/repository.ts";
import { mentions } from "../support/mentions.ts";
import type { Ended } from "./program.ts";
import { FAST, holding, objectsIn, render, repositoryOf, servedBy, serving } from "./rendering.ts";

describe("rendered objects", () => {
  /** Applies what is printed as Argo CD does, in its order; gives the objects as they are stored. */
  async function applied(printed: Ended, { outside, namespace }: World): Promise<readonly KubernetesObject[]> {
    const query = "fieldManager=argocd-controller&force=true&fieldValidation=Strict";
    const stored: KubernetesObject[] = [];
    for (const object of objectsIn(printed)) {
      const kind = object.kind === "ModuleTemplate" ? "templates" : "metas";
      const path = `${pathOf(kind, namespace, object.metadata.name)}?${query}`;
      stored.push(await outside.must("PATCH", path, object, "apply-patch"));
    }
    return stored;
  }

  async function site(context: TestContext, ...samples: readonly Sample[]): Promise<{ world: World; printed: Ended }> {
    const world = await sharedWorld(context);
    const { namespace } = world;
    return {
      world,
      printed: await render(repositoryOf(...samples.map((sample) => ({ ...sample, namespace }))), "--first"),
    };
  }

  it("are accepted by a server-side apply, and a second one changes nothing", async (context) => {
    const { world, printed } = await site(context, FAST);
    const stored = await applied(printed, world);

    expect(stored.map(({ kind, metadata: { name } }) => `${kind} ${name}`)).toEqual([
      "ModuleTemplate certs-1.0.0",
      "ModuleTemplate certs-1.1.0",
      "ModuleReleaseMeta certs",
    ]);
    const versions = await world.versions();
    await applied(printed, world);
    expect(await world.versions()).toEqual(versions);
  });

  it("are accepted where a channel is mandatory", async (context) => {
    const sample = { channels: { must: { warden: "2.0.0" } }, mandatory: ["must"] };
    const { world, printed } = await site(context, sample);

    expect((await applied(printed, world)).map(({ kind }) => kind)).toEqual(["ModuleTemplate", "ModuleReleaseMeta"]);
  });
});

describe("render", () => {
  it("prints the same each time, as YAML or a JSON List, with notes on Argo CD and Flux", async () => {
    const repository = repositoryOf(FAST);
    const [first, second, json] = await Promise.all([
      render(repository),
      render(repository),
      render(repository, "--format", "json"),
    ]);

    expect([first.code, json.code]).toEqual([0, 0]);
    expect(second).toEqual(first);
    expect(JSON.parse(json.stdout)).toEqual({ apiVersion: "v1", kind: "List", items: objectsIn(first) });
    for (const guard of ["artifacts", "which clusters use", "a soak", "revert", "records", "drift", "delete nothing"])
      expect(first.stderr).toContain(guard);
    expect(first.stderr).toContain("entries: 2 current; 3 objects");
  });

  it("keeps a lowered entry at the version of the named commit", async () => {
    const repository = repositoryOf(serving("1.1.0"), serving("1.2.0"), serving("1.1.0", holding("1.2.0")));
    const [before = "", raised = ""] = repository.commits;
    const [known, older, unknown] = await Promise.all([
      render(repository, "--base", raised),
      render(repository, "--base", before),
      render(repository),
    ]);

    expect([known.code, servedBy(known.stdout)]).toEqual([0, "fast 1.2.0,regular 1.0.0"]);
    expect(known.stderr).toContain("  kept      fast/certs 1.2.0");
    expect([older.code, servedBy(older.stdout)]).toEqual([0, "fast 1.1.0,regular 1.0.0"]);
    // It may have been rendered, or not: neither is safe.
    expect([unknown.code, unknown.stdout]).toEqual([1, ""]);
    expect(unknown.stderr).toEqual(mentions("refused   fast/certs", "1.2.0", "--base REV", "certs is not rendered"));
  });

  it("is refused for a version that the named commit has withdrawn or holds: it may never have been rendered", async () => {
    const withdrawn = repositoryOf(serving("1.1.0"), serving("1.2.0"), serving("1.1.0", holding("1.2.0")));
    const held = repositoryOf(serving("1.1.0"), serving("1.2.0"), serving("1.2.0", holding("1.2.0")));
    for (const repository of [withdrawn, held]) {
      const [before = "", , last = ""] = repository.commits;
      const refused = await render(repository, "--base", last);
      // It was not rendered if the rendering before was that of the first commit.
      const named = await render(repository, "--base", before);

      expect([refused.code, refused.stdout]).toEqual([1, ""]);
      expect(refused.stderr).toEqual(mentions("refused   fast/certs", "1.2.0", "certs is not rendered"));
      expect([named.code, servedBy(named.stdout)]).toEqual([0, "fast 1.1.0,regular 1.0.0"]);
    }
  });

  it("is refused for a version that was held when the named commit was merged, also if that hold ended since", async () => {
    const until = Date.now() - 3_600_000;
    const ends = { version: "1.2.0", reason: "r", by: "a", since: "2026-05-01T00:00:00Z" };
    const repository = emptyRepository();
    for (const sample of [
      serving("1.1.0"),
      serving("1.2.0", { holds: { certs: [{ ...ends, until: new Date(until).toISOString() }] } }),
      serving("1.1.0", holding("1.2.0")),
    ]) {
      repository.write(Object.fromEntries(filesOf(sample)));
      repository.commit("change", until - 60_000);
    }

    expect((await render(repository, "--base", "HEAD~1")).code).toBe(1);
    expect((await render(repository, "--base", "HEAD~2")).code).toBe(0);
  });

  it("keeps an entry at its highest unheld version in the history, if no commit is named", async () => {
    const hold = { version: "1.2.0", reason: "r", by: "a", since: "2026-05-01T00:00:00Z" };
    const lifted = { holds: { certs: [{ ...hold, until: "2026-05-01T00:00:00Z" }] } };
    const repository = repositoryOf(serving("1.2.0"), serving("1.1.0", holding("1.2.0")), serving("1.1.0", lifted));
    const { code, stdout } = await render(repository);

    expect([code, servedBy(stdout)]).toEqual([0, "fast 1.2.0,regular 1.0.0"]);
  });

  it("waits for a held version that was never rendered", async () => {
    const { code, stdout, stderr } = await render(repositoryOf(serving("1.1.0", holding("1.1.0"))), "--first");

    expect([code, servedBy(stdout)]).toEqual([0, "regular 1.0.0"]);
    expect(stderr).toContain("alice holds 1.1.0: it leaks");
  });

  it("keeps an entry that the repository no longer has, unless --prune is given", async () => {
    const gone: Sample = { channels: { fast: { certs: "1.1.0" }, regular: {} } };
    const repository = repositoryOf(FAST, gone);
    const base = ["--base", repository.commits[0] ?? ""];
    const [kept, pruned, unknown] = await Promise.all([
      render(repository, ...base),
      render(repository, ...base, "--prune"),
      render(repository),
    ]);

    expect([kept.code, servedBy(kept.stdout)]).toEqual([0, "fast 1.1.0,regular 1.0.0"]);
    expect([pruned.code, servedBy(pruned.stdout)]).toEqual([0, "fast 1.1.0"]);
    expect(unknown.code).toBe(1);
  });
});

describe("a call of render", () => {
  const GIT = ["--git", "https://git.example.com/rendered"];

  it.each<readonly [args: readonly string[], message: RegExp]>([
    [["--argo-cd"], /--git URL/],
    [["--flux", "--git", "http://git.example.com/rendered"], /by https or ssh/],
    [["--flux", "--git", "git@git.example.com:rendered"], /by https or ssh/],
    [["--argo-cd", "--git", "https://token@git.example.com/rendered"], /--git-secret/],
    [["--flux", ...GIT, "--path", "../rendered"], /--path/],
    [["--output", "out", "--format", "json"], /cannot be used with/],
    [["--first", "--base", "HEAD"], /cannot be used with/],
    [["--base", "nowhere"], /nowhere/],
  ])("is refused: %j", async (args, message) => {
    const { code, stdout, stderr } = await render(repositoryOf(FAST), ...args);

    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });

  it("is refused if only the control plane knows its lifecycle-manager, or Argo CD has no name for the cluster", async () => {
    const landscape = { name: "dev", controlPlane: { kubeconfig: "here" } };
    const generation = { lifecycleManager: "version-templates" };
    const repository = repositoryOf(
      { ...FAST, settings: { landscapes: [landscape] } },
      { ...FAST, settings: { landscapes: [{ ...landscape, ...generation }] } },
    );
    const auto = await render(repository, "--revision", "HEAD^");
    const nameless = await render(repository, "--argo-cd", ...GIT);
    const named = await render(repository, "--argo-cd", ...GIT, "--cluster", "kcp");

    expect([auto.code, auto.stderr]).toEqual([2, expect.stringContaining("lifecycleManager: version-templates")]);
    expect([nameless.code, nameless.stderr]).toEqual([2, expect.stringContaining("--cluster NAME")]);
    expect([named.code, objectsIn(named).at(-1)?.["spec"]]).toMatchObject([0, { destination: { name: "kcp" } }]);
  });

  it("is refused in a clone that is too shallow for the served versions", async () => {
    const repository = repositoryOf(serving("1.0.0"), FAST);
    const folder = emptyFolder();
    folder.git("clone", "--quiet", "--depth=1", `file://${repository.path}`, "clone");
    const { code, stderr } = await render({ path: join(folder.path, "clone") });

    expect([code, stderr]).toEqual([2, expect.stringContaining("git fetch --unshallow")]);
  });
});
