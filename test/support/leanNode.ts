/**
 * Options of Node for a process that runs much code a few times, and starts many others. What it wrote to since it
 * started the last one is copied page by page: less of it where the space for short-lived objects is small. And a tenth
 * of its time went into code that was optimized and then hardly ran.
 */
export const LEAN_NODE: readonly string[] = ["--max-semi-space-size=2", "--no-opt"];
