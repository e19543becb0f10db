import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { json } from "node:stream/consumers";
import { COMPILE_CACHE } from "../support/compileCache.ts";
import { LEAN_NODE } from "../support/leanNode.ts";
import type { Ended, Job } from "./program.ts";

const HOST = join(import.meta.dirname, "programHost.ts");
const KILLED: Ended = { code: null, stdout: "", stderr: "" };

/**
 * Processes that have the program loaded, and run it once for each request; as many as there are requests at a time. To
 * start a program takes longer than most commands of the tests do.
 */
export class ProgramPool {
  /** The Unix socket that takes jobs, over HTTP. */
  readonly address: string;
  readonly #folder = mkdtempSync(join(tmpdir(), "kyma-modules-test-"));
  readonly #idle: ChildProcess[] = [];
  readonly #all = new Set<ChildProcess>();
  readonly #server = createServer((request, response) => {
    void json(request).then((job) => this.#answer(job as Job, response));
  });

  private constructor() {
    this.address = join(this.#folder, "programs");
  }

  static async open(): Promise<ProgramPool> {
    const pool = new ProgramPool();
    pool.#server.listen(pool.address);
    await once(pool.#server, "listening");
    return pool;
  }

  close(): void {
    this.#server.close();
    for (const host of this.#all) host.kill("SIGKILL");
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #answer(job: Job, response: ServerResponse): Promise<void> {
    const host = this.#idle.pop() ?? this.#startHost();
    // The client does not wait any more.
    response.once("close", () => {
      if (!response.writableEnded) host.kill("SIGKILL");
    });
    const heard = new AbortController();
    const answered = once(host, "message", heard).then(([ended]) => ended as Ended);
    const gone = once(host, "exit", heard).then(() => KILLED);
    host.send(job);
    const ended = await Promise.race([answered, gone]);
    heard.abort();
    if (ended !== KILLED) this.#idle.push(host);
    response.end(JSON.stringify(ended));
  }

  #startHost(): ChildProcess {
    const env = { ...process.env, ...COMPILE_CACHE, NODE_V8_COVERAGE: "" };
    const host = fork(HOST, {
      env,
      execArgv: [...LEAN_NODE],
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    this.#all.add(host);
    host.once("exit", () => this.#all.delete(host));
    return host;
  }
}
