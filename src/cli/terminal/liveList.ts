import type { ListrTask } from "listr2";

/** One thing that is under way. */
export interface LiveItem<K> {
  readonly key: K;
  readonly title: string;
  /** Those of a group go on one after the other. */
  readonly group: string;
}

/** A list that a terminal shows anew as its items go on. */
export interface LiveList<K> {
  /** Says below an item where it is. */
  says(key: K, text: string): void;
  /** Ends an item; with a text that takes the place of its title where it failed. */
  ends(key: K, failure?: string): void;
  /** Ends what has not ended, and clears the list. */
  close(): Promise<void>;
}

/** Shows a list on the terminal of stderr, with so many groups under way at once. What others say meanwhile comes after it. */
export async function openLiveList<K>(items: readonly LiveItem<K>[], concurrency: number): Promise<LiveList<K>> {
  const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import("listr2");
  class Renderer extends DefaultRenderer {
    // A report may go from stdout into a file while its reader watches.
    static override nonTTY = true;
  }
  const logger = new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stdout) });
  const rows = new Map(items.map(({ key }) => [key, new Row()]));
  const rowTask = ({ key, title }: LiveItem<K>): ListrTask => ({ title, task: (_, line) => rows.get(key)?.run(line) });
  const options = { exitOnError: false, registerSignalListeners: false } as const;
  const groups = [...Map.groupBy(items, ({ group }) => group)].map(([title, own]): ListrTask => ({
    title,
    task: (_, task) => task.newListr(own.map(rowTask), { ...options, concurrent: false }),
  }));
  const rendererOptions = { clearOutput: true, logger };
  const ended = new Listr(groups, { ...options, concurrent: concurrency, renderer: Renderer, rendererOptions }).run();
  return {
    says: (key, text) => rows.get(key)?.says(text),
    ends: (key, failure) => rows.get(key)?.ends(failure),
    close: async () => {
      for (const row of rows.values()) row.ends("stopped");
      await ended;
    },
  };
}

/** An item as it is shown. What becomes of it may be known before it has a line. */
class Row {
  readonly #ended = Promise.withResolvers<undefined>();
  #line: { output: string } | undefined;
  #text = "";

  constructor() {
    this.#ended.promise.catch(() => undefined);
  }

  run(line: { output: string }): Promise<undefined> {
    this.#line = line;
    this.says(this.#text);
    return this.#ended.promise;
  }

  says(text: string): void {
    this.#text = text;
    if (this.#line !== undefined) this.#line.output = text;
  }

  ends(failure: string | undefined): void {
    if (failure === undefined) this.#ended.resolve(undefined);
    else this.#ended.reject(new Error(failure));
  }
}
