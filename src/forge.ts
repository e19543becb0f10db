import type { Run } from "./run.ts";

/** The pull requests of the repository, or, where no forge is, the branches of a clone. */
export interface Forge {
  /**
   * What is proposed on branches that begin with a prefix (`promote/`, `hold/`), and the commit that proposals start
   * from. A forge with pull requests also shows branches without one only for the first prefix: for the others `propose`
   * finds them.
   */
  look(prefixes: readonly string[], run: Run): Promise<ForgeView>;
  /**
   * Opens what is proposed, or makes an open proposal say what `draft` says; reopens one that was closed. What a person
   * closed stays closed, and is given as it is, unless the draft says another thing, or a person asks (`isAsked`). May be
   * called again after a kill at any point. Throws FORGE_CONFLICT when another run or a person holds the branch, or the
   * base moved; FORGE_REFUSED for a protected branch.
   */
  propose(draft: ProposalDraft, known: Proposal | undefined, run: Run): Promise<Proposal>;
  /**
   * Closes a proposal, which says `why` then. The branch of a pull request stays: it can be reopened; where a branch is
   * all, that goes. One that is not open is left, but for the branch that a kill left after a merge, which goes.
   */
  close(proposal: Proposal, why: string, run: Run): Promise<CloseOutcome>;
  /** Merges exactly what `proposal.tip` is, when the forge has all checks green; says otherwise what it waits for. */
  merge(proposal: Proposal, draft: ProposalDraft, run: Run): Promise<Merge>;
  /**
   * When the forge merged these commits into the base, Unix milliseconds. A commit that came by no pull request has no
   * answer. Remembered: a commit is asked for once.
   */
  mergeTimes(commits: readonly string[], run: Run): Promise<ReadonlyMap<string, MergedPull>>;
  /** The issues of the repository, where the forge has any. */
  readonly board?: Board;
}

/** The pull request by which a commit came. */
export interface MergedPull {
  readonly atMs: number;
  readonly number: number;
}

/** What a forge has, at one moment. */
export interface ForgeView {
  /** The commit that the base branch is at. */
  readonly base: string;
  /** Whether a proposal is a pull request, which can be closed while its branch stays; otherwise the branch is all. */
  readonly hasPulls: boolean;
  readonly proposals: readonly Proposal[];
  /** Branches that others proposed, which this way of proposing leaves alone; `remote` has them, else this clone. */
  readonly elsewhere?: readonly (Proposal & { readonly remote?: string })[];
}

/** One change that waits on a branch of its own. */
export interface Proposal {
  readonly branch: string;
  /** The commit of the branch. */
  readonly tip: string;
  /** `undefined`: only the branch is there, as after a kill, or where there is no forge. */
  readonly pull: { readonly number: number; readonly url: string; readonly isOpen: boolean } | undefined;
  /** `ProposalDraft.digest` of what it says; `undefined` when the branch is not as this program left it. */
  readonly digest: string | undefined;
  /** The working tree of this clone that stands on the branch: moving the branch would make its files look changed. */
  readonly checkout?: string;
  /** What it said before someone else changed the branch, where that is known. */
  readonly former?: string;
}

/** What a proposal is to say. */
export interface ProposalDraft {
  readonly branch: string;
  /** The commit that it was decided on. */
  readonly base: string;
  /** Path relative to the catalogue to text. */
  readonly files: ReadonlyMap<string, string>;
  /** Subject, body and trailers, as `git commit` takes them. */
  readonly message: string;
  readonly title: string;
  /** Markdown. */
  readonly body: string;
  /** Its subject, as `promotion:1.1.0`, a colon, and a SHA-256 over all that matters: equal digests need no update. */
  readonly digest: string;
  /** Logins, and teams as `@org/team`, that are asked for a review. */
  readonly reviewers: readonly string[];
  /** Whether the last requests of a rate limit may be spent on it. */
  readonly isUrgent: boolean;
  /** Whether a person asks for it just now: then it is opened again also where a person closed it. */
  readonly isAsked: boolean;
}

/** What became of a closing: somebody may have merged first. */
export type CloseOutcome = { readonly kind: "closed" } | { readonly kind: "merged"; readonly commit: string };

/** What became of a merge. */
export type Merge =
  | { readonly kind: "merged"; readonly commit: string }
  /** `why`: half a sentence. */
  | { readonly kind: "waiting"; readonly why: string };

/** The issues by which this program tells people how things stand, and what people may do to them. */
export interface Board {
  /** Every issue with a label, open or closed, oldest first. Only those who may triage give an issue a label. */
  issues(label: string, run: Run): Promise<readonly BoardIssue[]>;
  /** Opens an issue. Throws FORGE_REFUSED where the label does not stick: it could not be found again. */
  open(text: IssueText, label: string, run: Run): Promise<BoardIssue>;
  /** Makes an issue say `text`. One that a person closed meanwhile stays closed. */
  write(issue: number, text: IssueText, run: Run): Promise<void>;
  /** Closes an issue, which says `text` then. */
  close(issue: number, text: IssueText, run: Run): Promise<void>;
  /** What this program wrote below an issue since then (Unix milliseconds). */
  comments(issue: number, sinceMs: number, run: Run): Promise<readonly string[]>;
  /** Writes a comment, once, even where an answer gets lost. */
  comment(issue: number, body: string, run: Run): Promise<void>;
  /** What a person may do to the repository; `unknown` where the forge does not tell us. */
  rightOf(login: string, run: Run): Promise<"write" | "read" | "unknown">;
}

/** What an issue says. The body is Markdown. */
export interface IssueText {
  readonly title: string;
  readonly body: string;
}

/** An issue at one moment. */
export interface BoardIssue extends IssueText {
  readonly number: number;
  readonly url: string;
  readonly isOpen: boolean;
  /** Who opened it; empty when that account is gone. */
  readonly author: string;
  /** Whether this program opened it, as whom it acts now. */
  readonly isOwn: boolean;
}
