import { beforeEach, describe, it } from "vitest";
import { publishAtOnce } from "../cli/evidencing.ts";
import { forgetIdentity } from "../cli/promoting.ts";

beforeEach(forgetIdentity);

describe("evidence publish", () => {
  it("loses nothing when several publish at once", async () => {
    await publishAtOnce(5);
  });
});
