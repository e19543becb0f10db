import type { Catalogue } from "../../catalogue/catalogue.ts";
import { parse } from "../../catalogue/parse.ts";
import { isOfCatalogue } from "../../catalogue/paths.ts";
import { usableOf } from "../../catalogue/usable.ts";
import type { Finding } from "../../document/finding.ts";
import type { Run, Source, Upstream } from "../../ports.ts";
import type { Ancestry } from "../plan/input.ts";

/** What is asked of the repository that is followed. */
export interface RevisionWorld {
  readonly upstream: Pick<Upstream, "obtain" | "unsigned">;
  /** Whether each commit must be signed by an allowed signer. */
  readonly requiresSignatures: boolean;
  source(commit: string): Source;
  /** How `commit` stands to `recorded`. */
  ancestry(commit: string, recorded: string, run: Run): Promise<Ancestry>;
}

/** A commit that may be served. */
export interface Revision {
  readonly commit: string;
  readonly catalogue: Catalogue;
}

/** A commit that may not be served, and why; whole sentences. */
export interface HeldRevision {
  readonly commit: string;
  readonly reason: string;
  readonly remedy: string;
}

/** What a landscape is to serve: the tip of the branch, or what it served before while the tip is held. */
export interface RevisionChoice {
  /** `undefined`: there is nothing that may be served. */
  readonly serves: Revision | undefined;
  readonly held: HeldRevision | undefined;
}

/** How many catalogues are kept: the tip, and what landscapes served before it. */
const KEPT = 4;

/** Chooses revisions; each commit is read once. */
export class Revisions {
  readonly #world: RevisionWorld;
  readonly #catalogues = new Map<string, Catalogue | HeldRevision>();
  readonly #choices = new Map<string, RevisionChoice>();

  constructor(world: RevisionWorld) {
    this.#world = world;
  }

  /** What a landscape that serves the commit `recorded` is to serve once the branch is at `tip`. */
  async choose(tip: string, recorded: string | undefined, run: Run): Promise<RevisionChoice> {
    const key = `${tip} ${recorded ?? ""}`;
    const known = this.#choices.get(key);
    if (known !== undefined) return known;
    const choice = await this.#choose(tip, recorded, run);
    keep(this.#choices, key, choice);
    return choice;
  }

  async #choose(tip: string, recorded: string | undefined, run: Run): Promise<RevisionChoice> {
    const held = (await this.#distrust(tip, recorded, run)) ?? (await this.#load(tip, run));
    if (!("reason" in held)) return { serves: { commit: tip, catalogue: held }, held: undefined };
    const before = recorded === undefined || recorded === tip ? undefined : await this.#obtain(recorded, run);
    return { serves: before, held };
  }

  /** Why a commit is not even read: it is no successor of what is served, or nobody vouches for it. */
  async #distrust(tip: string, recorded: string | undefined, run: Run): Promise<HeldRevision | undefined> {
    const { upstream, requiresSignatures } = this.#world;
    if (recorded !== undefined && recorded !== tip) {
      const isThere = await upstream.obtain(recorded, run);
      if (!isThere || (await this.#world.ancestry(tip, recorded, run)) !== "forward")
        return {
          commit: tip,
          reason: `The branch was rewritten: ${short(tip)} does not descend from ${short(recorded)}, which is served.`,
          remedy: "Put the branch back; or if this is meant: kyma-modules sync --rewind.",
        };
    }
    const [unsigned] = requiresSignatures && recorded !== tip ? await upstream.unsigned(recorded, tip, run) : [];
    return (
      unsigned && {
        commit: tip,
        reason: `The commit ${short(unsigned.commit)} by ${unsigned.author} is not accepted: ${unsigned.why}.`,
        remedy: "Rewrite the branch without it, or add its signer to those who are allowed.",
      }
    );
  }

  async #obtain(commit: string, run: Run): Promise<Revision | undefined> {
    if (!(await this.#world.upstream.obtain(commit, run))) return undefined;
    const catalogue = await this.#load(commit, run);
    return "reason" in catalogue ? undefined : { commit, catalogue };
  }

  async #load(commit: string, run: Run): Promise<Catalogue | HeldRevision> {
    const known = this.#catalogues.get(commit);
    if (known !== undefined) return known;
    const { files } = await this.#world.source(commit).snapshot(isOfCatalogue, run);
    const parsing = parse(commit, files);
    const loaded = usableOf(parsing) ?? unusable(commit, parsing.kind === "refused" ? parsing.findings : []);
    keep(this.#catalogues, commit, loaded);
    return loaded;
  }
}

function unusable(commit: string, findings: readonly Finding[]): HeldRevision {
  const errors = findings.filter(({ severity }) => severity === "error");
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : "";
  const what = first === undefined ? "" : ` ${first.file}:${first.line}: ${first.message}${more}`;
  return { commit, reason: `The commit cannot be read.${what}`, remedy: first?.remedy ?? "Run kyma-modules check." };
}

/** The first characters of the name of a commit. */
function short(commit: string): string {
  return commit.slice(0, 10);
}

function keep<T>(kept: Map<string, T>, key: string, value: T): void {
  kept.set(key, value);
  for (const oldest of kept.keys()) {
    if (kept.size <= KEPT) return;
    kept.delete(oldest);
  }
}
