import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { Fault, type Run } from "../../ports.ts";
import type { Variables } from "../environment.ts";
import { DEADLINE_MS, noAnswer, notStarted } from "./git.ts";

/** For how long a process waits for another request. It also ends with this program, which closes its input then. */
const IDLE_MS = 1_000;

/**
 * Reads the objects of a repository with a process of Git that stays for the next request: a command reads several
 * revisions in turn, and to start a process takes longer than to read a catalogue from it.
 */
export class ObjectReader {
  readonly #directory: string;
  readonly #variables: Variables;
  #process: BatchProcess | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(directory: string, variables: Variables) {
    this.#directory = directory;
    this.#variables = variables;
  }

  /** The content of the blobs with these names; an abort ends the process. Throws GIT_FAILED. */
  async blobs(names: readonly string[], run: Run): Promise<ReadonlyMap<string, Buffer>> {
    const wanted = [...new Set(names)];
    if (wanted.length === 0) return new Map();
    const turn = this.#turn.then(() => this.#readInTime(wanted, run));
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #readInTime(names: readonly string[], run: Run): Promise<ReadonlyMap<string, Buffer>> {
    const late = AbortSignal.timeout(DEADLINE_MS);
    try {
      return await this.#read(names, AbortSignal.any([run.signal, late]));
    } catch (error) {
      run.signal.throwIfAborted();
      throw late.aborted ? noAnswer({ ms: DEADLINE_MS, who: "git", fault: "GIT_FAILED" }) : error;
    }
  }

  async #read(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Buffer>> {
    // It may have ended since the last request, by Ctrl-C for example. If it failed, a new process tells why.
    const blobs = await this.#process?.read(names, signal).catch(() => undefined);
    if (blobs !== undefined) return blobs;
    signal.throwIfAborted();
    this.#process = new BatchProcess(this.#directory, this.#variables);
    return this.#process.read(names, signal);
  }
}

/** `git cat-file --batch`, which answers requests until its input ends. */
class BatchProcess {
  readonly #directory: string;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #output: AsyncIterator<Buffer>;
  readonly #ended: Promise<Fault>;
  /** Output that is not yet read. */
  #rest: Buffer = Buffer.of();
  #idle: NodeJS.Timeout | undefined;

  constructor(directory: string, variables: Variables) {
    this.#directory = directory;
    this.#child = spawn("git", ["cat-file", "--batch"], { cwd: directory, env: { ...variables } });
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

  /** The blobs with these names, each of which is asked once. Ends the process if it fails. Throws GIT_FAILED. */
  async read(names: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, Buffer>> {
    signal.addEventListener("abort", this.end);
    this.#hold();
    try {
      this.#child.stdin.write(`${names.join("\n")}\n`);
      const blobs = new Map<string, Buffer>();
      for (const name of names) blobs.set(name, await this.#blob());
      this.#release();
      return blobs;
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof Fault)) throw await this.#ended;
      this.end();
      throw error;
    } finally {
      signal.removeEventListener("abort", this.end);
    }
  }

  async #blob(): Promise<Buffer> {
    const [name = "", kind = "", size = "0"] = (await this.#line()).split(" ");
    if (kind !== "blob")
      throw new Fault("GIT_FAILED", `git cat-file: ${name} is ${kind}. The clone is not complete: git fetch.`);
    return (await this.#take(Number(size) + 1)).subarray(0, -1);
  }

  async #line(): Promise<string> {
    let end = this.#rest.indexOf("\n");
    for (; end < 0; end = this.#rest.indexOf("\n")) this.#rest = Buffer.concat([this.#rest, await this.#more()]);
    return (await this.#take(end + 1)).toString("utf8", 0, end);
  }

  async #take(size: number): Promise<Buffer> {
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
      return new Fault("GIT_FAILED", `git cat-file --batch failed (${String(code)}): ${said}`);
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
