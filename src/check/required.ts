/** The facts that a gate can require: a required fact that is unknown is an error. */
export const FACT_NAMES = [
  "manifest",
  "validator",
  "component",
  "image",
  "release",
  "server",
  "history",
  "earned",
] as const;

/** One of `FACT_NAMES`. */
export type FactName = (typeof FACT_NAMES)[number];
