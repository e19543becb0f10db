import { expect } from "vitest";
import { openTown, type Death } from "./killing.ts";
import type { Ended } from "./program.ts";
import type { Start } from "./promotionStart.ts";

/** A run of `promote --apply` that nothing happens to. */
export interface Undisturbed {
  readonly end: unknown;
  readonly stdout: string;
  /** Where it can be killed. */
  readonly moments: Readonly<Record<Death["kind"], readonly string[]>>;
}

/** Runs from `start` without a kill. */
export async function undisturbed(start: Start): Promise<Undisturbed> {
  const town = await openTown(start);
  const { stdout } = succeeded(await town.apply());
  const moments = { call: town.moments.call(), request: [...town.moments.request()], git: town.moments.git() };
  const end = town.end();
  await town.close();
  return { end, stdout, moments };
}

function succeeded(ended: Ended): Ended {
  expect([ended.code, ended.stderr], ended.stdout).toEqual([0, ""]);
  return ended;
}

/** How many runs go on at the same time: one works while another waits for GitHub. */
const LANES = 2;

/** Kills one run at each of these moments, and lets a second one run to its end: that of a run that was not killed. */
export async function endAlike(start: Start, wanted: Undisturbed, deaths: readonly Death[]): Promise<void> {
  const left = [...deaths];
  const lane = async (): Promise<void> => {
    for (let death = left.shift(); death !== undefined; death = left.shift()) await endsAlike(start, wanted, death);
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

async function endsAlike(start: Start, { end, moments }: Undisturbed, death: Death): Promise<void> {
  const where = `killed at ${death.kind} ${String(death.at)}: ${moments[death.kind][death.at - 1] ?? ""}`;
  const town = await openTown(start);
  const killed = await town.apply(death);
  expect(killed.code, `${where}\n${killed.stdout}${killed.stderr}`).toBeNull();
  town.pull();
  const { code, stdout, stderr } = await town.apply();
  expect([code, stderr], `${where}\n${stdout}`).toEqual([0, ""]);
  expect(town.end(), where).toEqual(end);
  await town.close();
}

/** All moments of a kind that are described so. */
export function allOf(kind: Death["kind"], { moments }: Undisturbed, described?: RegExp): readonly Death[] {
  return moments[kind].flatMap((one, index) => ((described?.test(one) ?? true) ? [{ kind, at: index + 1 }] : []));
}

/** Starts two runs at the same instant; then lets one more come to its end. Gives what the two said. */
export async function race(start: Start, wanted: Undisturbed): Promise<readonly Ended[]> {
  const town = await openTown(start);
  const ends = await Promise.all([town.apply(), town.apply()]);
  const said = ends.map(({ code, stdout, stderr }) => `${String(code)}\n${stdout}${stderr}`).join("\n");
  town.pull();
  succeeded(await town.apply());
  expect(town.end(), said).toEqual(wanted.end);
  await town.close();
  return ends;
}
