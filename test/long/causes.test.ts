import { describe } from "vitest";
import { testCauses } from "../cli/causes.ts";

describe("one exit code a cause, in every command:", () => {
  testCauses((all) => all);
});
