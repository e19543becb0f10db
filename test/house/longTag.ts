/** The tag of a test that `npm test` leaves out, because it takes long and a shorter one beside it has the same subject. */
export const LONG = "long";

/** Its definition, for the settings of vitest, which cannot import what imports `it`. */
export const LONG_TAG: { readonly name: string; readonly description: string } = {
  name: LONG,
  description: "left out of `npm test`; `npm run test:long` runs it",
};
