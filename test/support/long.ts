import { it, type TestContext } from "vitest";
import { LONG } from "../house/longTag.ts";

/** A test that `npm test` leaves out: it takes long, and a shorter one beside it or below it has the same subject. */
export function long(name: string, test: (context: TestContext) => unknown): void {
  it(name, { tags: LONG }, test);
}
