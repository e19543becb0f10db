import { describe } from "vitest";
import { testCauses } from "./causes.ts";

// test/long tries every command.
describe("each cause has one exit code, in some commands:", () => {
  testCauses((all) => all.filter((_, place) => place % 3 === 0));
});
