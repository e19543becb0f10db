import { describe } from "vitest";
import { isShort, testExamples } from "../cli/examples.ts";

describe("the other examples in the help", () => {
  testExamples((command, example) => !isShort(command, example));
});
