/** The facts that a gate may require, so that what could not be had is an error. */
export const FACT_NAMES = ["manifest", "component", "image", "release", "server", "history", "earned"] as const;

/** One of `FACT_NAMES`. */
export type FactName = (typeof FACT_NAMES)[number];
