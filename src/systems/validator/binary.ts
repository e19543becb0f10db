import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";
import { Fault } from "../../ports.ts";
import { problemText } from "../errno.ts";

const FOLDER = join(import.meta.dirname, "..", "..", "kubernetes", "validator");

const decompress = promisify(brotliDecompress);

let compiled: Promise<WebAssembly.Module> | undefined;

/** The validator, compiled once per process on threads of the engine. Throws FILE_UNREADABLE. */
export function validatorModule(): Promise<WebAssembly.Module> {
  compiled ??= readable("validator.wasm.br", async (content) => WebAssembly.compile(await decompress(content)));
  return compiled;
}

/** The SHA-256 of the validator, in hexadecimal. Verdicts depend on it and on the request only. */
export function validatorDigest(): Promise<string> {
  return readable("validator.wasm.sha256", (content) => Promise.resolve(content.toString().trim()));
}

async function readable<T>(name: string, use: (content: Buffer<ArrayBuffer>) => Promise<T>): Promise<T> {
  try {
    return await use(await readFile(join(FOLDER, name)));
  } catch (cause) {
    throw new Fault(
      "FILE_UNREADABLE",
      `${name}, a part of kyma-modules, cannot be read: ${problemText(cause)}. Install kyma-modules again.`,
      { cause },
    );
  }
}
