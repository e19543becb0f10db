import { expect, type TestContext } from "vitest";
import { catalogueOf } from "./catalogueFiles.ts";
import { repositoryFor, sampleOf, seeded, watchFromOutside } from "./killing.ts";
import { entrySummary, summary } from "./planning.ts";
import { sharedWorld, type World } from "./world.ts";

/** The number of kills, and of modules. */
export interface KillScenario {
  readonly kills: number;
  readonly modules: number;
  readonly seed: number;
}

/**
 * Kills `sync` at random moments while it goes through several versions, and finally lets it complete. Asserts that no
 * release meta ever names an absent template, and that the result is that of an undisturbed run.
 */
export async function killAtRandomMoments({ kills, modules, seed }: KillScenario, context: TestContext): Promise<void> {
  const [world, undisturbed] = [await sharedWorld(context), await sharedWorld(context)];
  const repository = repositoryFor(world);
  const witness = await watchFromOutside(world);
  const random = seeded(seed);
  let version = 0;
  for (let killed = 0; killed < kills;) {
    repository.write(sampleOf(modules, version));
    const enough = witness.seen() + Math.floor(random() * 2.5 * modules);
    if (await repository.sync(() => witness.seen() > enough)) killed += 1;
    else version += 1;
  }
  repository.write(sampleOf(modules, version));
  await repository.sync(() => false);
  await undisturbed.sync(catalogueOf(sampleOf(modules, version)));
  // The program syncs a folder outside of Git.
  const given = { prune: true, claim: { repository: "" } };
  const { plan } = await world.prepare(catalogueOf(sampleOf(modules, version)), given);

  expect([...summary(plan), ...entrySummary(plan)]).toEqual([]);
  expect(await stateOf(world)).toEqual(await stateOf(undisturbed));
  expect(await witness.testimony()).toEqual([]);
  expect(witness.seen()).toBeGreaterThan(2 * modules);
}

/** The names and specs of all live objects. */
async function stateOf(world: World): Promise<readonly unknown[]> {
  const lists = await Promise.all((["templates", "metas"] as const).map((kind) => world.list(kind)));
  return lists.flat().map(({ metadata: { name }, spec }) => ({ name, spec }));
}
