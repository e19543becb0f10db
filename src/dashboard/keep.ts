import type { Catalogue } from "../catalogue/catalogue.ts";
import { inputAt, readInputs } from "../catalogue/inputs.ts";
import type { Landscape } from "../catalogue/settings.ts";
import { Fault, type Clock, type Run } from "../ports.ts";
import { gatherContext } from "../promote/context.ts";
import type { Gathered, PromotionWorld, Unreadable } from "../promote/gather.ts";
import { readBranches } from "../promote/readTimeline.ts";
import { promotionStatus } from "../promote/status.ts";
import { Sights, type SeenLandscape } from "./sights.ts";
import type { Blind, DashboardState } from "./state.ts";

/** What pages show of a repository. */
export interface KeptRevision {
  /** Paths of files. */
  readonly evidence: readonly string[];
  readonly revision: string;
}

/** The world of pages. */
export interface KeeperWorld {
  /** Opens the ports to read the repository; called for each reading. */
  readonly open: () => RepositoryPorts;
  readonly landscapes: LandscapeSource;
}

/** The ports to read a repository. */
interface RepositoryPorts {
  readonly world: PromotionWorld;
  /** The web address of the forge, without a trailing slash. */
  readonly forgeUrl: string;
}

/** The landscapes that pages show, and how to read them. */
export interface LandscapeSource {
  /** Whether their clusters and evidence are rehearsed. */
  readonly isRehearsal: boolean;
  /** The landscapes to show for the catalogue of a commit, in roll-out order. */
  at(commit: string, catalogue: Catalogue, run: Run): Promise<readonly SeenLandscape[]>;
  /** Watches exactly these landscapes from now on, until `run` is aborted, if they can be watched. */
  watch(landscapes: readonly Landscape[], run: Run): Promise<void>;
  /** Ends all watches. */
  stop(): Promise<void>;
  /** Waits for a change on a watched landscape, for at most `ms` milliseconds. */
  wait(ms: number, run: Run): Promise<void>;
}

/** When to read the repository again even if HEAD did not move, because the forge may have changed. Milliseconds. */
const REREAD_MS = 60_000;
/** The same for a rehearsal, whose evidence changes all the time. Milliseconds. */
const REHEARSAL_MS = 3_000;

/** Keeps the state that pages show: the repository, read again when it moves, and its landscapes, read each time. */
export class StateKeeper {
  readonly #kept: KeptRevision;
  readonly #world: KeeperWorld;
  readonly #clock: Clock;
  readonly #sights: Sights;
  /** The run that limits the watches; `undefined` if landscapes are not watched. */
  #watching: Run | undefined;
  #read: ReadRepository;
  #unreadable: Blind | undefined;
  /** `undefined` if no refresh is under way. */
  #refreshing: Promise<void> | undefined;

  private constructor(kept: KeptRevision, world: KeeperWorld, read: ReadRepository) {
    this.#kept = kept;
    this.#world = world;
    this.#clock = world.open().world.clock;
    this.#sights = new Sights(this.#clock);
    this.#read = read;
  }

  /** Reads the repository. Throws as `gatherContext` does. */
  static async open(kept: KeptRevision, world: KeeperWorld, run: Run): Promise<StateKeeper | Unreadable> {
    const read = await readRepository(kept, world, run);
    return read.kind === "unreadable" ? read : new StateKeeper(kept, world, read);
  }

  /** The current state. */
  state(): DashboardState {
    const { gathered, statuses, evidence, branches, manifests, landscapes } = this.#read;
    const { forge } = gathered.catalogue.settings;
    return {
      nowMs: this.#clock.nowMs(),
      revision: gathered.revision,
      repositoryUrl: forge.kind === "github" ? `${this.#world.open().forgeUrl}/${forge.repository}` : undefined,
      gathered,
      evidence,
      branches,
      manifests,
      statuses,
      landscapes: this.#sights.of(landscapes),
      unreadable: this.#unreadable,
      isRehearsal: this.#world.landscapes.isRehearsal,
    };
  }

  /** Watches the landscapes from the next look on, until `run` is aborted or `stop` is called. */
  watch(run: Run): void {
    this.#watching = run;
  }

  /** Ends the watches. */
  async stop(): Promise<void> {
    this.#watching = undefined;
    await this.#world.landscapes.stop();
  }

  /** Waits for a change on a watched landscape, for at most `ms` milliseconds. */
  wait(ms: number, run: Run): Promise<void> {
    return this.#world.landscapes.wait(ms, run);
  }

  /** Reads every landscape. */
  async look(run: Run): Promise<void> {
    const { landscapes } = this.#read;
    const shown = landscapes.map(({ landscape }) => landscape);
    if (this.#watching !== undefined) await this.#world.landscapes.watch(shown, this.#watching);
    await this.#sights.look(landscapes, run);
  }

  /** Reads the repository again if it moved, and decides again in any case. Joins a call that has not ended. */
  async refresh(run: Run): Promise<void> {
    this.#refreshing ??= this.#readAgain(run).then(() => {
      this.#refreshing = undefined;
    });
    await this.#refreshing;
  }

  async #readAgain(run: Run): Promise<void> {
    try {
      const isKnown = (await keptTip(this.#kept, this.#world.open(), run)) === this.#read.tip;
      const rereadMs = this.#world.landscapes.isRehearsal ? REHEARSAL_MS : REREAD_MS;
      const isFresh = this.#clock.nowMs() - this.#read.readMs < rereadMs;
      this.#take(
        isKnown && isFresh
          ? decidedAnew(this.#read, this.#clock.nowMs())
          : await readRepository(this.#kept, this.#world, run, this.#read),
      );
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
    this.#miss(unreadableProblem(read));
  }

  #miss(because: string): void {
    // The pages show what was decided then.
    this.#unreadable = { sinceMs: this.#read.gathered.nowMs, because };
  }
}

/** The first problem of an unreadable repository; empty without findings. */
export function unreadableProblem({ findings: [first] }: Unreadable): string {
  return first === undefined ? "" : `${first.file}:${String(first.line)}: ${first.message}`;
}

/** The repository as last read. */
interface ReadRepository {
  readonly kind: "read";
  readonly tip: string;
  readonly readMs: number;
  readonly gathered: Gathered;
  readonly evidence: DashboardState["evidence"];
  readonly branches: DashboardState["branches"];
  readonly manifests: DashboardState["manifests"];
  readonly statuses: DashboardState["statuses"];
  readonly landscapes: readonly SeenLandscape[];
}

async function readRepository(
  kept: KeptRevision,
  { open, landscapes }: KeeperWorld,
  run: Run,
  before?: ReadRepository,
): Promise<ReadRepository | Unreadable> {
  const { evidence, revision } = kept;
  const ports = open();
  const tip = await keptTip(kept, ports, run);
  const context = await gatherContext({ evidence, revision }, ports.world, run);
  if (context.kind === "unreadable") return context;
  const { gathered, observed } = context;
  const branches = await readBranches(gathered, gathered.histories.modules, ports.world.history, run);
  const seen = await landscapes.at(gathered.revision, gathered.catalogue, run);
  const isKnown = before?.gathered.revision === gathered.revision;
  const manifests = isKnown ? before.manifests : await readManifests(gathered, ports.world, run);
  const told = { gathered, evidence: observed.evidence, branches, manifests, statuses: promotionStatus(gathered) };
  return { kind: "read", tip, readMs: ports.world.clock.nowMs(), ...told, landscapes: seen };
}

/** The manifests in the folders of versions. Each is parsed on demand. */
async function readManifests(
  { revision }: Gathered,
  { source }: Pick<PromotionWorld, "source">,
  run: Run,
): Promise<DashboardState["manifests"]> {
  // Only files that help to find the manifest of a version, not the objects that people write.
  const { files } = await source(revision).snapshot(
    (path) => /^[^/]+\/[^/]+\/[^/]+\/[^/]+\.ya?ml$/.test(path) && inputAt(path) !== undefined,
    run,
  );
  const folders = Map.groupBy(files, ([path]) => path.slice(0, path.lastIndexOf("/") + 1));
  return new Map(
    [...folders].flatMap(([folder, own]) => {
      const [, module = "", version = ""] = folder.split("/");
      const { manifest } = readInputs(new Map(own), module, version);
      return manifest !== undefined && "objects" in manifest ? [[folder, manifest] as const] : [];
    }),
  );
}

/** A text that changes when the repository or its evidence moves. */
async function keptTip({ revision }: KeptRevision, { world }: RepositoryPorts, run: Run): Promise<string> {
  const [tip, evidence] = await Promise.all([world.resolve(revision, run), world.evidenceTips(run)]);
  return [tip, ...evidence].join(" ");
}

/** The same repository at a later instant. */
function decidedAnew(read: ReadRepository, nowMs: number): ReadRepository {
  const before = read.gathered;
  const gathered: Gathered = { ...before, nowMs, factsOf: (subject) => ({ ...before.factsOf(subject), nowMs }) };
  return { ...read, gathered, statuses: promotionStatus(gathered) };
}
