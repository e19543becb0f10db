import { describe, expect, it } from "vitest";
import { parseGitHubName } from "../../../src/catalogue/init/settings.ts";

describe("a repository of GitHub", () => {
  it.each(["org/name", "a/b", "My-Org9/.github", "org/a.b_c-d"])("is %s", (text) => {
    const [organization, name] = text.split("/");

    expect(parseGitHubName(text)).toEqual({ organization, name });
  });

  it.each([
    ...["", "name", "org/", "/name", "org/name/more", "-org/name", "org-/name", "or_g/name", "org/na me", "org/.."],
    ...["org/.", "org/name.git", "https://github.com/org/name", `${"o".repeat(40)}/name`, "@org/name", "org/name\n"],
  ])("is not %j", (text) => {
    expect(parseGitHubName(text)).toBeUndefined();
  });
});
