import { inputAt, readInputs } from "../../catalogue/inputs.ts";
import type { Blind, DashboardState } from "../../dashboard/state.ts";
import { Fault, type Clock, type Run } from "../../ports.ts";
import { gatherContext } from "../../promote/context.ts";
import type { Gathered, Unreadable } from "../../promote/gather.ts";
import { readBranchTips } from "../../promote/readTimeline.ts";
import { statusOf } from "../../promote/status.ts";
import type { Landscape } from "../../catalogue/settings.ts";
import type { StatusInput } from "../../sync/landscapeStatus.ts";
import { openSeen } from "../compose/dashboard.ts";
import type { HistoryPorts } from "../compose/promotion.ts";
import type { SyncScope } from "../compose/sync.ts";
import type { Gather } from "../status/gather.ts";
import { WatchedLandscapes } from "../status/watched.ts";
import { Sights } from "./sights.ts";

/** The repository that pages show. */
export interface KeptRepository {
  readonly repo: string;
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
  /** Do not contact the forge or control planes. */
  readonly offline: boolean;
  /** The landscapes of a demo, to read instead of those in the settings. */
  readonly demo?: DemoLooks;
}

/** The landscapes of a demo. */
export interface DemoLooks {
  /** How to read each landscape, by name. */
  readonly looks: ReadonlyMap<string, (run: Run) => Promise<StatusInput>>;
  /** Whether their clusters and evidence are rehearsed. */
  readonly isRehearsal: boolean;
}

/** When to read the repository again even if HEAD did not move, because the forge may have changed. Milliseconds. */
const REREAD_MS = 60_000;
/** The same for a rehearsal, whose evidence changes all the time. Milliseconds. */
const REHEARSAL_MS = 3_000;

/** Keeps the state that pages show: the repository, read again when it moves, and its landscapes, read each time. */
export class StateKeeper {
  readonly #kept: KeptRepository;
  readonly #openPorts: () => HistoryPorts;
  readonly #clock: Clock;
  readonly #sights: Sights;
  readonly #watched: WatchedLandscapes;
  /** The run that limits the watches; `undefined` if landscapes are not watched. */
  #watching: Run | undefined;
  #read: ReadRepository;
  #unreadable: Blind | undefined;

  private constructor(kept: KeptRepository, openPorts: () => HistoryPorts, read: ReadRepository) {
    this.#kept = kept;
    this.#openPorts = openPorts;
    this.#clock = openPorts().world.clock;
    this.#sights = new Sights(this.#clock);
    this.#watched = new WatchedLandscapes(kept.repo);
    this.#read = read;
  }

  /** Reads the repository, with new ports each time. Throws as `gatherContext` does. */
  static async open(kept: KeptRepository, openPorts: () => HistoryPorts, run: Run): Promise<StateKeeper | Unreadable> {
    const read = await readRepository(kept, openPorts(), run);
    return read.kind === "unreadable" ? read : new StateKeeper(kept, openPorts, read);
  }

  /** The current state. */
  state(): DashboardState {
    const { gathered, statuses, evidence, branchTips, manifests } = this.#read;
    const { forge } = gathered.catalogue.settings;
    const { offline, demo } = this.#kept;
    return {
      nowMs: this.#clock.nowMs(),
      revision: gathered.revision,
      repositoryUrl: forge.kind === "github" ? `${this.#openPorts().forgeSite}/${forge.repository}` : undefined,
      gathered,
      evidence,
      branchTips,
      manifests,
      statuses,
      landscapes: offline ? [] : this.#sights.of(this.#landscapes()),
      unreadable: this.#unreadable,
      isRehearsal: demo?.isRehearsal ?? false,
    };
  }

  /** Watches the landscapes from the next look on, until `run` is aborted or `stop` is called. */
  watch(run: Run): void {
    const { offline, demo } = this.#kept;
    if (!offline && demo === undefined) this.#watching = run;
  }

  /** Ends the watches. */
  async stop(): Promise<void> {
    this.#watching = undefined;
    await this.#watched.stop();
  }

  /** Waits for a change on a watched landscape, for at most `ms` milliseconds. */
  wait(ms: number, run: Run): Promise<void> {
    return this.#watched.changed.wait(ms, run);
  }

  /** Reads every landscape. */
  async look(run: Run): Promise<void> {
    if (this.#kept.offline) return;
    const { scope } = this.#read;
    const looks = this.#kept.demo?.looks;
    if (this.#watching !== undefined) await this.#watched.keep(this.#landscapes(), this.#watching);
    const gather: Gather = (landscape, within) =>
      looks?.get(landscape.name)?.(within) ?? this.#watched.gather(scope, landscape, within);
    await this.#sights.look(this.#landscapes(), gather, run);
  }

  #landscapes(): readonly Landscape[] {
    const looks = this.#kept.demo?.looks;
    return this.#read.gathered.catalogue.settings.landscapes.filter(({ name }) => looks?.has(name) ?? true);
  }

  /** Reads the repository again if it moved, and decides again in any case. */
  async refresh(run: Run): Promise<void> {
    try {
      const ports = this.#openPorts();
      const isKnown = (await tipOf(this.#kept, ports, run)) === this.#read.tip;
      const rereadMs = this.#kept.demo?.isRehearsal === true ? REHEARSAL_MS : REREAD_MS;
      const isFresh = this.#clock.nowMs() - this.#read.readMs < rereadMs;
      if (isKnown && isFresh) this.#read = decidedAnew(this.#read, this.#clock.nowMs());
      else this.#take(await readRepository(this.#kept, ports, run, this.#read));
    } catch (error) {
      run.signal.throwIfAborted();
      if (!(error instanceof Fault)) throw error;
      this.#miss(error.message);
    }
  }

  #take(read: ReadRepository | Unreadable): void {
    if (read.kind === "read") {
      this.#read = read;
      this.#unreadable = undefined;
      return;
    }
    this.#miss(problemOf(read));
  }

  #miss(because: string): void {
    this.#unreadable = { sinceMs: this.#unreadable?.sinceMs ?? this.#clock.nowMs(), because };
  }
}

/** The first problem of an unreadable repository; empty without findings. */
export function problemOf({ findings: [first] }: Unreadable): string {
  return first === undefined ? "" : `${first.file}:${String(first.line)}: ${first.message}`;
}

/** The repository as last read. */
interface ReadRepository {
  readonly kind: "read";
  readonly tip: string;
  readonly readMs: number;
  readonly gathered: Gathered;
  readonly evidence: DashboardState["evidence"];
  readonly branchTips: DashboardState["branchTips"];
  readonly manifests: DashboardState["manifests"];
  readonly statuses: DashboardState["statuses"];
  readonly scope: SyncScope;
}

async function readRepository(
  kept: KeptRepository,
  ports: Pick<HistoryPorts, "world">,
  run: Run,
  before?: ReadRepository,
): Promise<ReadRepository | Unreadable> {
  const { repo, evidence, revision } = kept;
  const tip = await tipOf(kept, ports, run);
  const context = await gatherContext({ evidence, revision, isUrgent: true }, ports.world, run);
  if (context.kind === "unreadable") return context;
  const { gathered, observed } = context;
  const branchTips = await readBranchTips(gathered, gathered.histories.modules, ports.world.history, run);
  const scope = await openSeen(repo, { catalogue: gathered.catalogue, commit: gathered.revision }, run);
  const isKnown = before?.gathered.revision === gathered.revision;
  const manifests = isKnown ? before.manifests : await readManifests(gathered, ports.world, run);
  const told = { gathered, evidence: observed.evidence, branchTips, manifests, statuses: statusOf(gathered) };
  return { kind: "read", tip, readMs: ports.world.clock.nowMs(), ...told, scope };
}

/** The manifests in the folders of versions. Each is parsed on demand. */
async function readManifests(
  { revision }: Gathered,
  { source }: Pick<HistoryPorts["world"], "source">,
  run: Run,
): Promise<DashboardState["manifests"]> {
  const { files } = await source(revision).snapshot(isBesideManifest, run);
  const folders = Map.groupBy(files, ([path]) => path.slice(0, path.lastIndexOf("/") + 1));
  return new Map(
    [...folders].flatMap(([folder, own]) => {
      const [, module = "", version = ""] = folder.split("/");
      const { manifest } = readInputs(new Map(own), module, version);
      return manifest !== undefined && "objects" in manifest ? [[folder, manifest] as const] : [];
    }),
  );
}

/** Whether a file helps to find the manifest of a version, unlike objects that people write. */
function isBesideManifest(path: string): boolean {
  return /^[^/]+\/[^/]+\/[^/]+\/[^/]+\.ya?ml$/.test(path) && inputAt(path) !== undefined;
}

/** A text that changes when the repository or its evidence moves. */
async function tipOf({ revision }: KeptRepository, { world }: Pick<HistoryPorts, "world">, run: Run): Promise<string> {
  const tips = await Promise.all([world.resolve(revision, run), world.evidenceTip(run)]);
  return tips.join(" ");
}

/** The same repository at a later instant. */
function decidedAnew(read: ReadRepository, nowMs: number): ReadRepository {
  const before = read.gathered;
  const gathered: Gathered = { ...before, nowMs, factsOf: (subject) => ({ ...before.factsOf(subject), nowMs }) };
  return { ...read, gathered, statuses: statusOf(gathered) };
}
