import { describe } from "vitest";
import { testCauses } from "../cli/causes.ts";

describe("one exit code per cause, in every command:", () => {
  testCauses((all) => all);
});
