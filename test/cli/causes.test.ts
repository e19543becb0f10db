import { describe } from "vitest";
import { testCauses } from "./causes.ts";

// test/long tries every command.
describe("one exit code a cause, in some commands:", () => {
  testCauses((all) => all.filter((_, place) => place % 3 === 0));
});
