import { tmpdir } from "node:os";
import { join } from "node:path";

/** The compile cache that the program's own shim switches on: it halves the time of a start. For a child's environment. */
export const COMPILE_CACHE: Readonly<Record<"NODE_COMPILE_CACHE", string>> = {
  NODE_COMPILE_CACHE: join(tmpdir(), "node-compile-cache"),
};
