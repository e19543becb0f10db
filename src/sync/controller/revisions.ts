import { shortCommit } from "../../document/printable.ts";
import type { Catalogue } from "../../catalogue/catalogue.ts";
import { heldModules, brokenUnit } from "../../catalogue/usable.ts";
import type { Clock, Run, Source, Upstream } from "../../ports.ts";
import { once } from "./once.ts";
import type { Ancestry } from "../plan/input.ts";
import { catalogueAt } from "../../reading/catalogue.ts";

/** Access to the followed repository. */
interface RevisionWorld {
  readonly upstream: Pick<Upstream, "obtain" | "unsigned">;
  readonly clock: Pick<Clock, "nowMs">;
  /** Whether each commit must be signed by an allowed signer. */
  readonly requiresSignatures: boolean;
  /** The files of a commit. */
  source(commit: string): Source;
  /** Compares `commit` with `recorded`. */
  ancestry(commit: string, recorded: string, run: Run): Promise<Ancestry>;
}

/** A commit that may be served. */
export interface ServableCommit {
  readonly commit: string;
  readonly catalogue: Catalogue;
}

/** A commit that may not be served, and why; whole sentences. */
export interface HeldRevision {
  readonly commit: string;
  readonly reason: string;
  readonly remedy: string;
}

/** The commit that a landscape is to serve: the tip of the branch, or the previous commit while the tip is held. */
export interface RevisionChoice {
  /** `undefined`: no commit may be served. */
  readonly serves: ServableCommit | undefined;
  readonly held: HeldRevision | undefined;
}

/** Explains why a landscape has no commit to serve. */
export function whyNothing(choice: RevisionChoice | undefined): string {
  return choice?.held?.reason ?? "the repository has not been read yet";
}

/** How long a verdict on signatures is cached. Milliseconds. */
const SIGNERS_MS = 60_000;

/** The held commit, why, and what to do. */
export function heldText({ commit, reason, remedy }: HeldRevision): string {
  return `${commit}: ${reason} ${remedy}`;
}

/** A module whose files cannot be used, which therefore stays as it was last applied; and why. */
export interface WithheldModule {
  readonly about: string;
  readonly message: string;
}

/** The modules that are withheld, with the first reason and those who own them. */
export function withheldIn(serves: ServableCommit | undefined): readonly WithheldModule[] {
  if (serves === undefined) return [];
  const { findings, withheldChannels, modules } = serves.catalogue;
  const errors = findings.filter(({ severity }) => severity === "error");
  const affected = errors.flatMap((error) => {
    const units = [brokenUnit(error)].filter((unit) => unit !== undefined);
    return units.flatMap(({ module, channel }) => {
      const served = [...withheldChannels].flatMap(([name, own]) => (name === channel ? [...own] : []));
      return [module, ...served].map((name) => ({ name, error }));
    });
  });
  return [...heldModules(serves.catalogue)].sort().map((module) => {
    const first = affected.find(({ name }) => name === module)?.error;
    const why = first === undefined ? "its files cannot be used" : `${first.file}:${first.line}: ${first.message}`;
    const owners = modules.get(module)?.owners ?? [];
    return { about: module, message: `${why}${owners.length === 0 ? "" : ` (${owners.join(", ")})`}` };
  });
}

/** Chooses revisions; each commit is read once. */
export class Revisions {
  readonly #world: RevisionWorld;
  readonly #load = once(
    (commit: string, run: Run) => this.#read(commit, run),
    (commit) => commit,
  );
  /** Chooses the commit for a landscape that serves `recorded`, once the branch is at `tip`. */
  readonly choose: (tip: string, recorded: string | undefined, run: Run) => Promise<RevisionChoice>;

  constructor(world: RevisionWorld) {
    this.#world = world;
    // The allowed signers are files, which may change.
    const since = (): number => (world.requiresSignatures ? Math.floor(world.clock.nowMs() / SIGNERS_MS) : 0);
    this.choose = once(
      (tip, recorded, run) => this.#choose(tip, recorded, run),
      (tip, recorded) => `${tip} ${recorded ?? ""} ${since()}`,
    );
  }

  async #choose(tip: string, recorded: string | undefined, run: Run): Promise<RevisionChoice> {
    const held = (await this.#distrust(tip, recorded, run)) ?? (await this.#load(tip, run));
    if (!("reason" in held)) return { serves: { commit: tip, catalogue: held }, held: undefined };
    const before = recorded === undefined || recorded === tip ? undefined : await this.#obtain(recorded, run);
    return { serves: before, held };
  }

  /** Why a commit is not read at all: it does not descend from the served commit, or has no accepted signature. */
  async #distrust(tip: string, recorded: string | undefined, run: Run): Promise<HeldRevision | undefined> {
    const { upstream, requiresSignatures } = this.#world;
    const departed = recorded === undefined ? undefined : await this.#departure(tip, recorded, run);
    if (departed !== undefined) return { commit: tip, ...departed };
    const [unsigned] = requiresSignatures && recorded !== tip ? await upstream.unsigned(recorded, tip, run) : [];
    return (
      unsigned && {
        commit: tip,
        reason: `The commit ${shortCommit(unsigned.commit)} by ${unsigned.author} is not accepted: ${unsigned.why}.`,
        remedy: "Rewrite the branch without it, or add its signer to the allowed signers.",
      }
    );
  }

  /** Why a tip does not continue the line of the served commit, and what to do. */
  async #departure(tip: string, recorded: string, run: Run): Promise<Omit<HeldRevision, "commit"> | undefined> {
    if (tip === recorded) return undefined;
    const [now, then] = [tip, recorded].map(shortCommit);
    const remedy = "Restore the branch; or, if this is intended, run kyma-modules sync --rewind.";
    if (!(await this.#world.upstream.obtain(recorded, run))) {
      const reason = `The remote does not have the served commit ${then}: its branch was rewritten, or the set is that of another repository.`;
      return { reason, remedy };
    }
    const ancestry = await this.#world.ancestry(tip, recorded, run);
    if (ancestry === "forward") return undefined;
    if (ancestry !== "aside")
      return { reason: `The branch was rewritten: ${now} does not descend from the served commit ${then}.`, remedy };
    return {
      reason: `${now} has merged the served commit ${then} like a side branch, as git pull does after a rejected push.`,
      remedy: `Rebase the other commits onto ${then}, or merge them into it, and push that; or, if this is intended, run kyma-modules sync --rewind.`,
    };
  }

  async #obtain(commit: string, run: Run): Promise<ServableCommit | undefined> {
    if (!(await this.#world.upstream.obtain(commit, run))) return undefined;
    const catalogue = await this.#load(commit, run);
    return "reason" in catalogue ? undefined : { commit, catalogue };
  }

  async #read(commit: string, run: Run): Promise<Catalogue | HeldRevision> {
    const { usable, findings } = await catalogueAt(this.#world.source(commit), run);
    if (usable !== undefined) return usable;
    const [first, ...others] = findings.filter(({ severity }) => severity === "error");
    const more = others.length > 0 ? ` (and ${others.length} more)` : "";
    const what = first === undefined ? "" : ` ${first.file}:${first.line}: ${first.message}${more}`;
    return { commit, reason: `The commit cannot be read.${what}`, remedy: first?.remedy ?? "Run kyma-modules check." };
  }
}
