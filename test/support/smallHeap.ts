/**
 * Options of Node for a process that starts many others. What it wrote to since it started the last one is copied page
 * by page: less of it where the space for short-lived objects is small.
 */
export const SMALL_HEAP: readonly string[] = ["--max-semi-space-size=2"];
