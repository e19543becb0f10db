import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { Fault } from "../../src/ports.ts";
import { problemAt, problemText, systemFault } from "../../src/systems/errno.ts";
import { mentions } from "../support/mentions.ts";
import { needControlPlane } from "../support/needControlPlane.ts";

/** Terms of Node that must not appear in messages. */
const RAW = /\bE[A-Z]{3,}\b|\bERR_|spawn|getaddrinfo|Node\.js|--use-system-ca/;

function thrownBy(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error("it threw nothing");
}

/** The error of a failed `fetch`. */
function failureOf(url: string): Promise<unknown> {
  return fetch(url).then(
    () => new Error("it answered"),
    (error: unknown) => error,
  );
}

describe("an error of Node", () => {
  it("is described in words, with its path", () => {
    const error = thrownBy(() => readFileSync("/nowhere/file"));

    expect(problemText(error)).toEqual(mentions("file or folder"));
    expect(problemAt(error)).toBe(`/nowhere/file: ${problemText(error)}`);
  });

  it("for a missing program mentions the program, not a file", async () => {
    const [error] = await once(spawn("kyma-modules-nowhere"), "error").catch((reason: unknown) => [reason]);

    expect(problemText(error)).toEqual(mentions("program", "PATH"));
  });

  it("for a path without a program names the path", async () => {
    const [error] = await once(spawn("/nowhere/etcd"), "error").catch((reason: unknown) => [reason]);

    expect(problemText(error)).toEqual(mentions("program /nowhere/etcd"));
  });

  it("of a library with its own error numbers keeps the library's message", () => {
    const error = thrownBy(() => gunzipSync(Buffer.from("no archive")));

    expect(problemText(error)).toBe("incorrect header check");
  });

  it("of the network is described by its innermost cause", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    server.close();
    await once(server, "close");

    expect(problemText(await failureOf(`http://127.0.0.1:${port}`))).toBe("nothing listens there");
    expect(problemText(await failureOf("http://kyma-modules.invalid"))).toMatch(/\bhost\b|\bname server\b/);
  });

  it("of an untrusted certificate gives no advice about Node", async (context) => {
    const error = await failureOf(needControlPlane(context).server);

    expect(problemText(error)).toEqual(mentions("certificate authority"));
    expect(problemText(error)).not.toMatch(RAW);
  });

  it("of a server without TLS says so", async () => {
    const server = createServer((socket) => socket.end("hello\r\n\r\n")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const error = await failureOf(`https://127.0.0.1:${port}`);
    server.close();

    expect(problemText(error)).toEqual(mentions("TLS"));
  });

  it("without a text of its own has that of the operating system", () => {
    const error = Object.assign(new Error("EXDEV: cross-device link not permitted, link"), {
      code: "EXDEV",
      errno: -18,
    });

    expect(problemText(error)).toBe("cross-device link not permitted");
    expect(problemText(new Error("it is odd"))).toBe("it is odd");
    expect(problemText("odd")).toBe("odd");
    expect(problemText(new AggregateError([error]))).not.toMatch(RAW);
  });

  it("of the operating system becomes a fault, and a bug does not", () => {
    const fault = systemFault(thrownBy(() => readFileSync("/")));

    expect(fault).toBeInstanceOf(Fault);
    expect(fault).toMatchObject({
      code: "FILE_UNREADABLE",
      message: mentions("read", "folder"),
    });
    const full = Object.assign(new Error("ENOSPC: no space left"), { code: "ENOSPC", errno: -28, syscall: "write" });
    expect(systemFault(full)).toMatchObject({ code: "DISK_FULL" });
    expect(systemFault(new TypeError("a bug"))).toBeUndefined();
  });
});
