import type { Run } from "./run.ts";

/** The pull requests of the repository, or the branches of a clone if there is no forge. */
export interface Forge {
  /**
   * The proposals on branches that begin with a prefix (`promote/`, `hold/`), and the commit that proposals start from.
   * A forge with pull requests lists branches without a pull request for the first prefix only; `propose` finds the
   * others.
   */
  look(prefixes: readonly string[], run: Run): Promise<ForgeView>;
  /**
   * Opens a proposal, updates an open one to `draft`, or reopens a closed one. Returns a proposal that a person closed
   * unchanged, unless the draft differs from it or a person asks (`isAsked`). Safe to repeat after a kill at any point.
   * Throws FORGE_CONFLICT when another run or a person holds the branch, or the base moved; FORGE_REFUSED for a
   * protected branch.
   */
  propose(draft: ProposalDraft, known: Proposal | undefined, run: Run): Promise<Proposal>;
  /**
   * Closes a proposal and adds `why` to its text. Keeps the branch of a pull request, so that it can be reopened;
   * deletes a branch without pull requests. Leaves a closed proposal alone, but deletes a branch that a kill left after
   * a merge.
   */
  close(proposal: Proposal, why: string, run: Run): Promise<CloseOutcome>;
  /**
   * Merges exactly `proposal.tip` if that brings the files of `draft` to the base and nothing else, and if all checks of
   * the forge are green; otherwise returns what it waits for.
   */
  merge(proposal: Proposal, draft: ProposalDraft, run: Run): Promise<Merge>;
  /**
   * Writes on the pull request of a branch that holds other content why it is left alone. Writes the same only once.
   * Missing if the forge has no pull requests.
   */
  warn?(proposal: Proposal, why: string, run: Run): Promise<void>;
  /** Whether the forge merges a proposal by itself in a while, if it has merge queues. */
  isQueued?(proposal: Proposal, run: Run): Promise<boolean>;
  /** Whether an open proposal will be merged without a person, once checks that run, or a queue, are done. */
  isMoving?(proposal: Proposal, run: Run): Promise<boolean>;
  /**
   * The pull requests by which the forge merged these commits into the base. Commits without a pull request are missing
   * from the answer. Cached: each commit is looked up once.
   */
  mergeTimes(commits: readonly string[], run: Run): Promise<ReadonlyMap<string, MergedPull>>;
  /**
   * Those of these commits that the forge itself made when it merged pull requests into the base, as far as `mergeTimes` has
   * read: it costs no request. Missing if the forge makes none.
   */
  readonly ownMerges?: (commits: readonly string[]) => Promise<ReadonlyMap<string, MergedPull>>;
  /** The issues of the repository, if the forge has issues. */
  readonly board?: Board;
}

/** The pull request that brought a commit. */
export interface MergedPull {
  /** When it was merged, Unix milliseconds. */
  readonly atMs: number;
  readonly number: number;
}

/** The state of a forge at one moment. */
export interface ForgeView {
  /** The commit of the base branch. */
  readonly base: string;
  /** Whether proposals are pull requests, which can be closed while the branch stays; otherwise they are branches. */
  readonly hasPulls: boolean;
  readonly proposals: readonly Proposal[];
  /** Proposals of others, which this forge leaves alone; in `remote`, else in this clone. */
  readonly elsewhere?: readonly BranchElsewhere[];
}

/** A branch that this forge leaves alone; in `remote`, else in this clone. */
export type BranchElsewhere = Pick<Proposal, "branch" | "tip" | "pull"> & { readonly remote?: string };

/** One proposed change on its own branch. */
export interface Proposal {
  readonly branch: string;
  /** The commit of the branch. */
  readonly tip: string;
  /** `undefined` if only the branch exists: after a kill, or without a forge. */
  readonly pull: { readonly number: number; readonly url: string; readonly isOpen: boolean } | undefined;
  readonly content: BranchContent;
  /** The `ProposalDraft.digest` that the text of its pull request names for this tip. It tells only whose text it is. */
  readonly digest: string | undefined;
  /** A working tree of this clone with the branch checked out: moving the branch would make its files look changed. */
  readonly checkout?: string;
}

/**
 * What a branch changes, by its tree and the tree of the commit where it left the base branch. Decisions depend on this,
 * not on messages and texts, which everyone with write access can copy.
 */
export interface BranchContent {
  /** The texts of the changed and new files of the catalogue, by their path there. */
  readonly files: ReadonlyMap<string, string>;
  /** All other changes, for people: removed files, links, files outside of the catalogue; paths from the top. */
  readonly others: readonly string[];
  /** Whether the base branch still has these files as the branch found them. If not, the branch has to be rebuilt. */
  readonly isCurrent: boolean;
  /** The author of the newest commit, as the commit claims. For people. */
  readonly author: string;
  /**
   * Whether the newest commit claims that this program made it. A commit without the claim is a person's and is not
   * replaced. The claim alone allows nothing.
   */
  readonly isMarked: boolean;
}

/** The desired content of a proposal. */
export interface ProposalDraft {
  readonly branch: string;
  /** The commit that the decision is based on. */
  readonly base: string;
  /** Path relative to the catalogue, to text. */
  readonly files: ReadonlyMap<string, string>;
  /** Subject, body and trailers, as `git commit` takes them. */
  readonly message: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /**
   * The subject, such as `promotion:1.1.0`, a colon, and a SHA-256 of what the text of the pull request tells: with an
   * equal digest, the text needs no update.
   */
  readonly digest: string;
  /** Whether an update may take the place of what the branch holds: only of what this program would write there. */
  readonly mayReplace: (content: BranchContent) => boolean;
  /** Logins, and teams as `@org/team`, to request a review from. */
  readonly reviewers: readonly string[];
  /** Whether it may use the last requests of a rate limit. */
  readonly isUrgent: boolean;
  /** Whether a person asks for it now: then it is reopened even if a person closed it. */
  readonly isAsked: boolean;
}

/** The result of closing a proposal: someone may have merged it first. */
export type CloseOutcome = { readonly kind: "closed" } | { readonly kind: "merged"; readonly commit: string };

/** The result of a merge. */
export type Merge =
  | { readonly kind: "merged"; readonly commit: string }
  /** `why`: half a sentence. */
  | { readonly kind: "waiting"; readonly why: string };

/** The issues in which this program reports to people, and the rights of people in the repository. */
export interface Board {
  /** Every issue with a label, open or closed, oldest first. Labels need the triage right. */
  issues(label: string, run: Run): Promise<readonly BoardIssue[]>;
  /** Opens an issue. Throws FORGE_REFUSED if the label was not set: the issue could not be found again. */
  open(text: IssueText, label: string, run: Run): Promise<BoardIssue>;
  /** Updates the text of an issue. One that a person closed meanwhile stays closed. */
  write(issue: number, text: IssueText, run: Run): Promise<void>;
  /** Updates the text of an issue and closes it. */
  close(issue: number, text: IssueText, run: Run): Promise<void>;
  /** The comments of this program on an issue since `sinceMs` (Unix milliseconds). */
  comments(issue: number, sinceMs: number, run: Run): Promise<readonly string[]>;
  /** Writes a comment once, even if an answer is lost. */
  comment(issue: number, body: string, run: Run): Promise<void>;
  /** The right of a person in the repository; `unknown` if the forge does not tell. */
  rightOf(login: string, run: Run): Promise<"write" | "read" | "unknown">;
}

/** The text of an issue. The body is Markdown. */
export interface IssueText {
  readonly title: string;
  readonly body: string;
}

/** An issue at one moment. */
export interface BoardIssue extends IssueText {
  readonly number: number;
  readonly url: string;
  readonly isOpen: boolean;
  /** The login of the author; empty when that account is gone. */
  readonly author: string;
  /** Whether the account that this program uses now opened it. */
  readonly isOwn: boolean;
}
