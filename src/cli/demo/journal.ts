import type { Fault } from "../../ports.ts";
import type { SyncResult } from "../../sync/sync.ts";

/** The outcome of a pass over a landscape. */
type DemoOutcome = { readonly result: SyncResult } | { readonly fault: Fault };

/** A pass of a keeper, and its duration in milliseconds. */
export interface DemoDeed {
  readonly outcome: DemoOutcome;
  readonly tookMs: number;
}

/** A lasting condition: a refusal, an error in a file, a control plane that does not answer. */
export interface Condition {
  /** Lines; the first one names it. */
  readonly text: string;
  /** Whether it keeps its subject out of sync with the repository. */
  readonly isAmiss: boolean;
}

/** The findings of one look at one subject. */
export interface LookAccount {
  /** The name of a landscape, or `files`. */
  readonly subject: string;
  /** The actions since the last look. The first line of each names it. */
  readonly did: readonly string[];
  readonly standing: readonly Condition[];
}

/** The unreported findings about one subject. */
interface News {
  readonly subject: string;
  readonly texts: readonly string[];
}

/** The result of a look at all subjects. */
export interface JournalLook {
  /** News of the subjects that have any. */
  readonly news: readonly News[];
  /** The subjects that are out of sync, reported or not. */
  readonly amiss: readonly string[];
  /** Whether anything was amiss before this look. */
  readonly wasAmiss: boolean;
}

/** Remembers what was reported, so that it is reported once, and again when it changes or comes back. */
export class Journal {
  readonly #standing = new Map<string, readonly Condition[]>();

  /** Records the findings of a look. A subject without an account is unchanged. */
  look(accounts: readonly LookAccount[]): JournalLook {
    const wasAmiss = this.#amiss().length > 0;
    const news = accounts.map((account) => ({ subject: account.subject, texts: this.#newsOf(account) }));
    for (const { subject, standing } of accounts) this.#standing.set(subject, standing);
    return { news: news.filter(({ texts }) => texts.length > 0), amiss: this.#amiss(), wasAmiss };
  }

  #newsOf({ subject, did, standing }: LookAccount): readonly string[] {
    const before = this.#standing.get(subject) ?? [];
    const told = new Set(before.map(({ text }) => text));
    const found = new Set(standing.map(({ text }) => text));
    const gone = before.filter(({ text, isAmiss }) => isAmiss && !found.has(text));
    return [
      ...did,
      ...gone.map(({ text }) => `no longer: ${text.split("\n", 1).join("")}`),
      ...[...found].filter((text) => !told.has(text)),
    ];
  }

  #amiss(): readonly string[] {
    return [...this.#standing].flatMap(([subject, standing]) =>
      standing.some(({ isAmiss }) => isAmiss) ? [subject] : [],
    );
  }
}
