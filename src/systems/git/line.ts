import { sideBranchText } from "../../catalogue/history/sideBranch.ts";
import { shortCommit } from "../../document/printable.ts";
import { Fault, type Run } from "../../ports.ts";
import { declaredStates, findBranch } from "./branchStates.ts";
import { CommitGraph } from "./commitGraph.ts";
import { type Mention, mentionsOfCommits, servedCommits } from "./namedCommits.ts";
import type { Repository } from "./repository.ts";

/** The commits that a branch was at, one after the other. */
export interface BranchLine {
  /** Newest first. */
  readonly commits: readonly string[];
  /**
   * By merge, the commit before it, where that is not the first parent: after `git pull` of a rejected push, the first
   * parent is what a person had committed locally.
   */
  readonly before: ReadonlyMap<string, string>;
}

/** A commit on the way along first parents. */
interface FirstParent {
  readonly commit: string;
  readonly parents: readonly string[];
  readonly subject: string;
}

/**
 * The line of the branch that is at `commit`: what the branch was, which need not be the line of first parents. `known`
 * are commits that the settings of a later commit name.
 *
 * Throws CONFIGURATION for a merge that says that it merged the branch into itself, if nothing shows at which of its
 * parents the branch was.
 */
export async function readBranchLine(
  repository: Repository,
  commit: string,
  run: Run,
  known: readonly string[] = [],
): Promise<BranchLine> {
  const line = await firstParents(repository, commit, run);
  // Without a merge, there is only one way back.
  if (!line.some(isMerge)) return { commits: line.map((one) => one.commit), before: new Map() };
  const { tip = commit, states, names, evidence } = await findBranch(repository, commit, run);
  if (tip === commit) {
    const mentions = await mentionsOfCommits(repository, evidence, run);
    return followLine(new LineJudge(repository, commit, { states: [...known, ...states], names, mentions }), line, run);
  }
  // The line of the tip answers to the evidence already.
  const declared = [...(await declaredStates(repository, commit, run)), ...known];
  const ofTip = await readBranchLine(repository, tip, run, declared);
  if (ofTip.commits.includes(commit)) return lineUpTo(ofTip, commit);
  const all = [...known, ...ofTip.commits, ...states];
  return followLine(new LineJudge(repository, commit, { states: all, names, mentions: [] }), line, run);
}

/** Follows first parents up to a merge before which the branch was at another parent, and goes on from there. */
async function followLine(judge: LineJudge, start: readonly FirstParent[], run: Run): Promise<BranchLine> {
  const commits: string[] = [];
  const before = new Map<string, string>();
  for (let line = start; ;) {
    const turn = await judge.newestTurn(line, run);
    const end = turn === undefined ? line.length : line.indexOf(turn.merge) + 1;
    commits.push(...line.slice(0, end).map(({ commit }) => commit));
    if (turn === undefined) return { commits, before };
    before.set(turn.merge.commit, turn.before);
    line = await firstParents(judge.repository, turn.before, run);
  }
}

/** A merge, and the commit that the branch was at before it. */
interface Turn {
  readonly merge: FirstParent;
  readonly before: string;
}

/** Decides at which parent of a merge the branch was, by the commits that the branch is known to have been at. */
class LineJudge {
  readonly repository: Repository;
  readonly #tip: string;
  /** Newest first. */
  readonly #states: readonly string[];
  readonly #names: readonly string[];
  /** The places of the evidence branch that seem to name a state, by commit. */
  readonly #mentions: ReadonlyMap<string, readonly Mention[]>;
  #graph: Promise<CommitGraph> | undefined;
  #declared: Promise<readonly string[]> | undefined;

  constructor(
    repository: Repository,
    tip: string,
    branch: {
      readonly states: readonly string[];
      readonly names: readonly string[];
      readonly mentions: readonly Mention[];
    },
  ) {
    this.repository = repository;
    this.#tip = tip;
    this.#states = [...new Set(branch.states)];
    this.#names = branch.names;
    this.#mentions = Map.groupBy(branch.mentions, ({ commit }) => commit);
  }

  /** The newest merge of a first-parent line before which the branch was at another parent than the first. */
  async newestTurn(line: readonly FirstParent[], run: Run): Promise<Turn | undefined> {
    const brought = await this.#mergesOfStates(line, run);
    for (const merge of line.filter(isMerge)) {
      const isPull = this.#saysPull(merge);
      if (!isPull && !brought.has(merge.commit)) continue;
      const before = await this.#parentBefore(merge, run);
      if (before === undefined && isPull) throw await this.#undecided(merge, run);
      if (before !== undefined && before !== merge.parents[0]) return { merge, before };
    }
    return undefined;
  }

  /** The merges of a first-parent line that brought states of the branch which are not on that line. */
  async #mergesOfStates(line: readonly FirstParent[], run: Run): Promise<ReadonlySet<string>> {
    const onLine = new Set(line.map(({ commit }) => commit));
    const others = [...this.#states, ...this.#mentions.keys()].filter((state) => !onLine.has(state));
    if (others.length === 0) return new Set();
    const graph = await this.#readGraph(run);
    return graph.broughtBy(
      line.map(({ commit }) => commit),
      others,
    );
  }

  /**
   * The parent at which the branch was before a merge: that of the newest known state before the merge which tells the
   * parents apart. `undefined` if none does.
   */
  async #parentBefore(merge: FirstParent, run: Run): Promise<string | undefined> {
    this.#declared ??= declaredStates(this.repository, this.#tip, run);
    const [graph, declared] = await Promise.all([this.#readGraph(run), this.#declared]);
    for (const state of [...declared, ...this.#states]) {
      const parent = parentWith(state, merge, graph);
      if (parent !== undefined) return parent;
    }
    return this.#parentByEvidence(merge, graph, run);
  }

  /** The same by what the evidence names, which has no order but that of the commits. Throws if it names both parents. */
  async #parentByEvidence(merge: FirstParent, graph: CommitGraph, run: Run): Promise<string | undefined> {
    const telling = graph.newestFirst([...this.#mentions.keys()]).flatMap((state) => {
      const parent = parentWith(state, merge, graph);
      return parent === undefined ? [] : [{ state, parent }];
    });
    const places = telling.flatMap(({ state }) => this.#mentions.get(state) ?? []);
    const served = await servedCommits(this.repository, places, run);
    const [newest, ...others] = telling.filter(({ state }) => served.has(state));
    if (newest === undefined) return undefined;
    const isContradicted = others.some(
      ({ state, parent }) => parent !== newest.parent && !graph.contains(newest.state, state),
    );
    if (isContradicted) throw await this.#undecided(merge, run);
    return newest.parent;
  }

  #readGraph(run: Run): Promise<CommitGraph> {
    return (this.#graph ??= CommitGraph.read(this.repository, this.#tip, run));
  }

  /**
   * Whether a merge says that it merged the branch into itself, as `git pull` does. The text decides nothing: it shows
   * that the first parent may not be what the branch was.
   */
  #saysPull({ subject }: FirstParent): boolean {
    const [, name = ""] =
      /^Merge (?:remote-tracking )?branch '([^']+)'(?: of \S+)?(?: into [^'\s]+)?$/.exec(subject) ?? [];
    return this.#names.some((one) => name === one || name.endsWith(`/${one}`));
  }

  async #undecided(merge: FirstParent, run: Run): Promise<Fault> {
    const { repository } = this;
    if (await repository.isShallow(run)) {
      const { length } = await repository.firstParents(this.#tip, run);
      const why = `which does not show what the branch was before the merge ${shortCommit(merge.commit)}`;
      return repository.tooShallow(length, why);
    }
    const what = "does not show at which of these the branch was before";
    return new Fault("CONFIGURATION", sideBranchText(merge, what));
  }
}

/** The parent of a merge that a state before it shows the branch to have been at; `undefined` if it does not. */
function parentWith(state: string, { commit, parents }: FirstParent, graph: CommitGraph): string | undefined {
  if (state === commit || !graph.contains(commit, state)) return undefined;
  if (parents.includes(state)) return state;
  const containing = parents.filter((parent) => graph.contains(parent, state));
  return containing.length === 1 ? containing[0] : undefined;
}

function isMerge({ parents }: FirstParent): boolean {
  return parents.length > 1;
}

async function firstParents(repository: Repository, commit: string, run: Run): Promise<readonly FirstParent[]> {
  const format = "--format=%H%x01%P%x01%s";
  const args = ["log", "-z", "--first-parent", "--no-show-signature", "--encoding=UTF-8", format, commit, "--"];
  const records = (await repository.git(args, run)).stdout.toString().split("\0");
  return records.flatMap((record) => {
    const [name = "", parents = "", subject = ""] = record.split("\u0001");
    if (name === "") return [];
    return [{ commit: name, parents: parents === "" ? [] : parents.split(" "), subject }];
  });
}

/** The line of first parents of a commit, for `partsOfLine`. */
export function straightLine(commit: string): BranchLine {
  return { commits: [commit], before: new Map() };
}

/** The line up to one of its commits. */
export function lineUpTo({ commits, before }: BranchLine, commit: string): BranchLine {
  return { commits: commits.slice(commits.indexOf(commit)), before };
}

/** A part of a line that Git can list by itself: first parents from `tip` on, without `until` and what is before it. */
interface LineStretch {
  readonly tip: string;
  readonly until: string | undefined;
}

/** A merge that is one step from `before`, which is not its first parent. */
export interface MergeStep {
  readonly merge: string;
  readonly before: string;
}

/** The parts of a line, newest first: stretches of first parents, and the merges between them. */
export function partsOfLine({ commits, before }: BranchLine): readonly (LineStretch | MergeStep)[] {
  let [tip = ""] = commits;
  const parts: (LineStretch | MergeStep)[] = [];
  for (const merge of commits) {
    const former = before.get(merge);
    if (former === undefined) continue;
    if (merge !== tip) parts.push({ tip, until: merge });
    parts.push({ merge, before: former });
    tip = former;
  }
  return [...parts, { tip, until: undefined }];
}
