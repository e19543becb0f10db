import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { withoutPasswords } from "../../document/printable.ts";
import { Fault, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import { DEADLINE_MS, noAnswer, notStarted } from "./git.ts";

/** For how long a process waits for another request. It also ends with this program, which closes its input then. */
const IDLE_MS = 1_000;

/**
 * A Git command that answers one request after the other, with a process that stays for the next one. The requests change
 * nothing if they are repeated: where the process has ended since the last one, a new one is asked.
 */
export class BatchCommand {
  readonly #start: () => BatchProcess;
  #process: BatchProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(directory: string, variables: Variables, args: readonly string[]) {
    this.#start = () => new BatchProcess(directory, variables, args);
  }

  /**
   * Writes `request` and reads its answer; requests wait for each other. An abort ends the process. Throws GIT_FAILED with
   * the message of Git if it ends before it has answered.
   */
  async ask<Answer>(
    request: string | Buffer,
    read: (output: BatchOutput) => Promise<Answer>,
    run: Run,
  ): Promise<Answer> {
    const turn = this.#turn.then(async () => {
      try {
        if (this.#process !== undefined) return await this.#process.ask(request, read, run);
      } catch (error) {
        // It may have ended since the last request, by Ctrl-C for example. If it failed, a new process tells why.
        this.end();
        run.signal.throwIfAborted();
        if (error instanceof Fault && error.retry) throw error;
      }
      run.signal.throwIfAborted();
      this.#process = this.#start();
      return this.#process.ask(request, read, run);
    });
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Ends the process; the next request starts a new one. */
  end(): void {
    this.#process?.end();
    this.#process = undefined;
  }
}

/** What a command prints. */
export type BatchOutput = Pick<BatchProcess, "line" | "take">;

class BatchProcess {
  readonly #directory: string;
  readonly #args: readonly string[];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #output: AsyncIterator<Buffer>;
  readonly #ended: Promise<Fault>;
  /** Output that is not yet read. */
  #rest: Buffer = Buffer.of();
  #idle: NodeJS.Timeout | undefined;

  constructor(directory: string, variables: Variables, args: readonly string[]) {
    this.#directory = directory;
    this.#args = args;
    this.#child = spawn("git", args, { cwd: directory, env: { ...variables } });
    this.#output = this.#child.stdout[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    this.#ended = this.#end();
    // A process that ends before it has read its input closes the pipe: its end tells why.
    this.#child.stdin.on("error", () => undefined);
    this.#hold(false);
  }

  /** Ends the process, without waiting for it: a helper that it started may keep its pipes. */
  readonly end = (): void => {
    clearTimeout(this.#idle);
    this.#child.kill();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  };

  /** Writes a request and reads its answer, for one caller at a time. */
  async ask<Answer>(
    request: string | Buffer,
    read: (output: BatchOutput) => Promise<Answer>,
    run: Run,
  ): Promise<Answer> {
    run.signal.throwIfAborted();
    const late = AbortSignal.timeout(DEADLINE_MS);
    const over = AbortSignal.any([run.signal, late]);
    const refuse = (): void => {
      run.signal.throwIfAborted();
      if (late.aborted) throw noAnswer({ ms: DEADLINE_MS, who: "git", fault: "GIT_FAILED" });
    };
    over.addEventListener("abort", this.end);
    this.#hold(true);
    try {
      this.#child.stdin.write(request);
      const answered = await read(this);
      this.#hold(false);
      return answered;
    } catch (error) {
      // Nothing else would end a process whose answer was not understood.
      if (error !== OUTPUT_ENDED) this.end();
      refuse();
      const reason = error === OUTPUT_ENDED ? await this.#ended : error;
      refuse();
      throw reason;
    } finally {
      over.removeEventListener("abort", this.end);
    }
  }

  /** The next line of the output. */
  async line(): Promise<string> {
    let end = this.#rest.indexOf("\n");
    for (; end < 0; end = this.#rest.indexOf("\n")) this.#rest = Buffer.concat([this.#rest, await this.#more()]);
    return (await this.take(end + 1)).toString("utf8", 0, end);
  }

  /** The next `size` bytes of the output. */
  async take(size: number): Promise<Buffer> {
    const parts = [this.#rest];
    for (let length = this.#rest.length; length < size; length += parts.at(-1)?.length ?? 0)
      parts.push(await this.#more());
    const bytes = parts.length === 1 ? this.#rest : Buffer.concat(parts);
    this.#rest = bytes.subarray(size);
    return bytes.subarray(0, size);
  }

  async #more(): Promise<Buffer> {
    // A stream that is destroyed fails.
    const next = await this.#output.next().catch(() => undefined);
    if (next === undefined || next.done === true) throw OUTPUT_ENDED;
    return next.value;
  }

  /** The reason why the process ended. */
  async #end(): Promise<Fault> {
    const errors: Buffer[] = [];
    this.#child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    try {
      const [code] = (await once(this.#child, "close")) as [number | null];
      const said = Buffer.concat(errors).toString().trim();
      const message = `git ${this.#args.join(" ")} failed (${String(code)}): ${said}`;
      return new Fault("GIT_FAILED", withoutPasswords(message));
    } catch (cause) {
      return notStarted(this.#directory, "GIT_FAILED", cause);
    }
  }

  /** Keeps this program alive until the answer is there; then ends the process after a while. */
  #hold(isBusy: boolean): void {
    clearTimeout(this.#idle);
    const { stdin, stdout, stderr } = this.#child;
    // The pipes of a child are sockets.
    for (const one of [this.#child, ...[stdin, stdout, stderr].filter((stream) => stream instanceof Socket)]) {
      if (isBusy) one.ref();
      else one.unref();
    }
    if (!isBusy) this.#idle = setTimeout(this.end, IDLE_MS).unref();
  }
}

const OUTPUT_ENDED = new Error("the output has ended");
