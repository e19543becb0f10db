import type { Catalogue } from "../catalogue/catalogue.ts";
import type { ControlPlaneAddress, Landscape } from "../catalogue/settings.ts";
import type { Users } from "../fleet/users.ts";
import { type ControlPlane, Fault, type Run, type SteadyClock } from "../ports.ts";
import { readUsers } from "./observe.ts";
import type { EarlierRecords, Records } from "./plan/records.ts";
import { isAnyUncounted, withLook } from "./plan/waves.ts";
import { foreignOwner, readRecords } from "./recordStore.ts";

/** The repository that is synced, and how to reach its landscapes. */
interface EarlierWorld {
  readonly catalogue: Catalogue;
  /** The owner of the records, as they name it. */
  readonly identity: string;
  readonly users: EarlierUsers;
  /** Connects to a landscape. */
  connect(address: ControlPlaneAddress): Promise<ControlPlane>;
}

/** The users of an earlier landscape, and when they were read. */
interface SeenUsers {
  readonly users: Users;
  /** Unix milliseconds. */
  readonly atMs: number;
  /** The same by the steady clock. */
  readonly elapsedMs: number;
}

/** The time for which users are cached: a fleet is a hundred megabytes, and a controller may plan each second. */
const USERS_MS = 60_000;

/** Reads the users of earlier landscapes. Logs when they become unknown, and when they are known again. */
export class EarlierUsers {
  readonly #clock: SteadyClock;
  readonly #seen = new Map<string, SeenUsers>();

  constructor(clock: SteadyClock) {
    this.#clock = clock;
  }

  /** The time by the clock that dates users. Unix milliseconds. */
  nowMs(): number {
    return this.#clock.nowMs();
  }

  /** The users, which may have been read up to a minute ago. */
  async read(
    { name, namespace }: Pick<Landscape, "name" | "namespace">,
    controlPlane: ControlPlane,
    run: Run,
  ): Promise<SeenUsers> {
    const before = this.#seen.get(name);
    if (before !== undefined && this.#clock.elapsedMs() - before.elapsedMs < USERS_MS) return before;
    const [atMs, elapsedMs] = [this.#clock.nowMs(), this.#clock.elapsedMs()];
    const users = await readUsers(controlPlane, namespace, run);
    const seen = { users, atMs, elapsedMs };
    this.#seen.set(name, seen);
    const wasKnown = before?.users.kind !== "unknown";
    if (users.kind === "unknown" && wasKnown)
      run.log.warn("clusters are not counted: versions without a count move on by their age", {
        earlier: name,
        because: users.because,
      });
    if (users.kind === "known" && !wasKnown) run.log.info("clusters are counted again", { earlier: name });
    return seen;
  }
}

/**
 * Reads the records of an earlier landscape, which needs permission to read one ConfigMap. Lists its Kymas and
 * Manifests, which needs permission as well, if no controller counted the clusters lately. Records of another landscape are
 * refused.
 */
export async function readEarlier(
  before: Landscape,
  { after }: Landscape,
  world: EarlierWorld,
  run: Run,
): Promise<EarlierRecords> {
  const address = (after?.landscape === before.name ? after.record : undefined) ?? before.controlPlane;
  try {
    const controlPlane = await world.connect(address);
    const { records, owner } = await readRecords(controlPlane, before.namespace, run);
    const whose = foreignOwner(owner, { landscape: before.name, repository: world.identity });
    if (whose !== undefined) return { kind: "unknown", because: `its records belong to ${whose}: check the address` };
    return await withClusters(records, before, { ...world, controlPlane }, run);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { kind: "unknown", because: error.message };
  }
}

async function withClusters(
  records: Records,
  before: Landscape,
  { catalogue, controlPlane, users: seen }: EarlierWorld & { readonly controlPlane: ControlPlane },
  run: Run,
): Promise<Records> {
  const scope = { catalogue, landscape: before.name };
  if (records.kind === "none" || !isAnyUncounted(records.entries, { ...scope, nowMs: seen.nowMs() })) return records;
  const { users, atMs: nowMs } = await seen.read(before, controlPlane, run);
  return { kind: "known", entries: withLook(records.entries, { ...scope, users, nowMs }) };
}
