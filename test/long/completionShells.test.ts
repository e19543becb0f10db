import { describe } from "vitest";
import { testTyping } from "../cli/typing.ts";

describe("completion", () => {
  testTyping((lines) => lines);
});
