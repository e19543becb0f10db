import { describe, expect, it } from "vitest";
import type { History } from "../../src/ports.ts";
import { gitHistory } from "../../src/systems/git/history.ts";
import { emptyRepository, type Folder, gitAt } from "../systems/repository.ts";
import { catalogueOf, filesOf, type Sample } from "./catalogueFiles.ts";
import { writeKyma } from "./fleet.ts";
import { pathOf } from "./outside.ts";
import { byName } from "./planning.ts";
import { sharedWorld, type World } from "./world.ts";

const ISTIO = "istio-1.2.0";

const templatesOf = async (world: World): Promise<readonly string[]> =>
  (await world.list("templates")).map(({ metadata }) => metadata.name);

describe("what a landscape serves, but the line of the branch does not have", () => {
  const served: Sample = { channels: { fast: { istio: "1.2.0", keda: "2.0.0" } } };
  const instead: Sample = { channels: { regular: { istio: "1.1.0" } } };
  const commit = (repository: Folder, sample: Sample): string => {
    repository.write(Object.fromEntries(filesOf(sample)));
    return repository.commit();
  };

  /** A repository in whose head `served` is in a side branch, and the commit of that. */
  function broughtAside(): { readonly history: History; readonly revision: string; readonly aside: string } {
    const repository = emptyRepository();
    const base = commit(repository, instead);
    const aside = commit(repository, served);
    repository.git("branch", "--quiet", "side");
    repository.git("reset", "--quiet", "--hard", base);
    repository.git("merge", "--quiet", "--no-ff", "--no-edit", "--strategy=ours", "side");
    const revision = repository.git("rev-parse", "HEAD");
    repository.git("reflog", "expire", "--expire=now", "--all");
    return { history: gitHistory(gitAt(repository.path)), revision, aside };
  }

  it("is restored from there: the template, and a module of which nothing is left", async (context) => {
    const world = await sharedWorld(context);
    const { history, revision, aside } = broughtAside();
    await world.sync(catalogueOf(served), { claim: { revision: aside } });
    for (const [kyma, module, version] of [
      ["one", "istio", "1.2.0"],
      ["two", "keda", "2.0.0"],
    ] as const) {
      await writeKyma(world, kyma, [{ name: module, channel: "fast", version }]);
      await world.outside.must("DELETE", pathOf("templates", world.namespace, `${module}-${version}`));
    }
    await world.outside.must("DELETE", pathOf("metas", world.namespace, "keda"));
    const catalogue = { ...catalogueOf(instead), revision };
    const before = await world.prepare(catalogue, { claim: { revision } });
    const { plan } = await world.sync(catalogue, { history, claim: { revision } });

    expect(byName(before.plan)[ISTIO]).toMatchObject({ kind: "refused", refusal: "template-missing" });
    expect(byName(plan)).toMatchObject({ [ISTIO]: { kind: "create" }, "keda-2.0.0": { kind: "create" } });
    expect(await templatesOf(world)).toEqual(expect.arrayContaining([ISTIO, "keda-2.0.0"]));
    expect((await world.read("metas", "keda"))?.["spec"]).toMatchObject({ channels: [{ version: "2.0.0" }] });
  });

  it("is restored from the recorded commit if the head does not contain it at all, and only with its content", async (context) => {
    const world = await sharedWorld(context);
    const repository = emptyRepository();
    const base = commit(repository, instead);
    const aside = commit(repository, served);
    repository.git("reset", "--quiet", "--hard", base);
    const other = commit(repository, { channels: { fast: { istio: { version: "1.2.0", requiresDowntime: true } } } });
    const revision = commit(repository, instead);
    const history = gitHistory(gitAt(repository.path));
    await world.sync(catalogueOf(served), { claim: { revision: aside } });
    await writeKyma(world, "one", [{ name: "istio", channel: "fast", version: "1.2.0" }]);
    await world.outside.must("DELETE", pathOf("templates", world.namespace, ISTIO));
    await world.sync({ ...catalogueOf(instead), revision }, { history, claim: { revision } });

    expect(other).not.toBe(aside);
    expect((await world.read("templates", ISTIO))?.["spec"]).not.toHaveProperty("requiresDowntime");
  });
});
