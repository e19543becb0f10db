import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { Fault, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import { DEADLINE_MS, noAnswer, notStarted } from "./git.ts";

/** For how long a process waits for another request. It also ends with this program, which closes its input then. */
const IDLE_MS = 1_000;

/** A Git command that answers one request after the other until its input ends. */
export class BatchProcess {
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
  }

  /** Ends the process, without waiting for it: a helper that it started may keep its pipes. */
  readonly end = (): void => {
    clearTimeout(this.#idle);
    this.#child.kill();
    for (const stream of [this.#child.stdin, this.#child.stdout, this.#child.stderr]) stream.destroy();
  };

  /**
   * Writes a request and reads its answer, for one caller at a time. An abort ends the process. Throws GIT_FAILED with
   * the message of Git if it ends before it has answered.
   */
  async ask<Answer>(request: string | Buffer, answer: () => Promise<Answer>, run: Run): Promise<Answer> {
    run.signal.throwIfAborted();
    const late = AbortSignal.timeout(DEADLINE_MS);
    const over = AbortSignal.any([run.signal, late]);
    over.addEventListener("abort", this.end);
    this.#hold();
    try {
      this.#child.stdin.write(request);
      const answered = await answer();
      this.#release();
      return answered;
    } catch {
      run.signal.throwIfAborted();
      if (late.aborted) throw noAnswer({ ms: DEADLINE_MS, who: "git", fault: "GIT_FAILED" });
      throw await this.#ended;
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
    const next = await this.#output.next();
    if (next.done === true) throw new Error("the output has ended");
    return next.value;
  }

  /** The reason why the process ended. */
  async #end(): Promise<Fault> {
    const errors: Buffer[] = [];
    this.#child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
    try {
      const [code] = (await once(this.#child, "close")) as [number | null];
      const said = Buffer.concat(errors).toString().trim();
      return new Fault("GIT_FAILED", `git ${this.#args.join(" ")} failed (${String(code)}): ${said}`);
    } catch (cause) {
      return notStarted(this.#directory, "GIT_FAILED", cause);
    }
  }

  /** Keeps this program alive until the answer is there. */
  #hold(): void {
    clearTimeout(this.#idle);
    for (const one of this.#handles()) one.ref();
  }

  #release(): void {
    for (const one of this.#handles()) one.unref();
    this.#idle = setTimeout(this.end, IDLE_MS).unref();
  }

  /** All that would keep this program alive. The pipes of a child are sockets. */
  #handles(): readonly { ref: () => unknown; unref: () => unknown }[] {
    const { stdin, stdout, stderr } = this.#child;
    return [this.#child, ...[stdin, stdout, stderr].filter((stream) => stream instanceof Socket)];
  }
}
