import { describe } from "vitest";
import { lastExamples, testExamples } from "../cli/examples.ts";

describe("the other examples in the help", () => {
  testExamples((command, example) => lastExamples.get(command) !== example);
});
