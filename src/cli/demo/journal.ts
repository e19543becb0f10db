/** Something that is so until it changes: a refusal, a mistake in a file, a control plane that does not answer. */
export interface Condition {
  /** Lines; the first one names it. */
  readonly text: string;
  /** Whether it keeps its subject from being as the repository says. */
  readonly isAmiss: boolean;
}

/** What one look at one subject found. */
export interface LookAccount {
  /** A landscape, or the files. */
  readonly subject: string;
  /** What was done; lines, of which the first one names it. */
  readonly did: readonly string[];
  readonly standing: readonly Condition[];
}

/** What people do not know yet of one subject. */
export interface News {
  readonly subject: string;
  readonly texts: readonly string[];
}

/** What a look at everything comes to. */
export interface JournalLook {
  /** Only of subjects that have any. */
  readonly news: readonly News[];
  /** The subjects that are not as the repository says, whether people know it or not. */
  readonly amiss: readonly string[];
  /** Whether anything was amiss before this look. */
  readonly wasAmiss: boolean;
}

/** Remembers what was told, so that it is told once; and again when it changed, or came back. */
export class Journal {
  readonly #standing = new Map<string, readonly Condition[]>();

  /** Takes down what a look found. A subject without an account is as it was. */
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
