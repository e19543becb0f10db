import type { ListrTask } from "listr2";

/** An item that is in progress. */
interface LiveItem<K> {
  readonly key: K;
  readonly title: string;
  /** Items of one group run one after the other. */
  readonly group: string;
}

/** A list on a terminal that is redrawn as its items progress. */
interface LiveList<K> {
  /** Shows the progress of an item below it. */
  says(key: K, text: string): void;
  /** Ends an item. `failure` replaces its title when it failed. */
  ends(key: K, failure?: string): void;
  /** Ends the remaining items, and clears the list. */
  close(): Promise<void>;
}

/** Shows a list on the terminal of stderr, with up to `concurrency` groups in progress. Other output comes after it. */
export async function openLiveList<K>(items: readonly LiveItem<K>[], concurrency: number): Promise<LiveList<K>> {
  const { DefaultRenderer, Listr, ListrLogger, ProcessOutput } = await import("listr2");
  class Renderer extends DefaultRenderer {
    // stdout may be redirected to a file while stderr is a terminal.
    static override nonTTY = true;
  }
  const logger = new ListrLogger({ processOutput: new ProcessOutput(process.stderr, process.stdout) });
  const rows = new Map(items.map(({ key }) => [key, new LiveRow()]));
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

/** A shown item. It may progress, or end, before it has a line. */
class LiveRow {
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
