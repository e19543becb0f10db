import { describe, expect, test } from "vitest";
import { userBody } from "./doubleBodies.ts";
import { component, findOperation, requestFaults, responseFaults, type Operation } from "./doubleDescription.ts";
import { complete } from "./doubleSample.ts";
import { doubleTown } from "./doubleClient.ts";

function operation(method: string, path: string): Operation {
  const found = findOperation(method, path);
  if (found === undefined) throw new Error(`no operation ${method} ${path}`);
  return found;
}

describe("what GitHub's description forbids", () => {
  test("a field that the description does not know is a violation", async () => {
    const { double, ask } = await doubleTown();
    const got = await ask<string>("POST", "git/blobs", { content: "text", colour: "red" });
    expect(got.status).toBe(500);
    expect(got.body).toContain("colour");
    expect(double.takeViolations()).toEqual([expect.stringContaining("additional properties: colour")]);
  });

  test.each([
    ["a body of another type", "POST", "git/trees", { tree: "all of it" }, "/tree must be array"],
    ["a missing body", "POST", "git/refs", undefined, "the body is missing"],
    ["a missing field", "POST", "git/refs", { ref: "refs/heads/x" }, "must have required property 'sha'"],
    ["a value outside the list", "PUT", "pulls/1/merge", { merge_method: "octopus" }, "must be equal to one of"],
    ["a null where none may be", "POST", "git/blobs", { content: null }, "must be string"],
    ["an unknown query parameter", "GET", "pulls?colour=red", undefined, "no query parameter colour"],
    ["a query parameter of another type", "GET", "pulls?per_page=many", undefined, "must be integer"],
    ["a body where none belongs", "DELETE", "git/refs/heads/x", { force: true }, "knows no body here"],
    ["an unknown path", "GET", "train-times", undefined, "no such operation"],
    ["an operation that the double has not", "GET", "branches", undefined, "does not carry out"],
  ])("%s is a violation", async (_, method, path, body, sentence) => {
    const { double, ask } = await doubleTown();
    expect((await ask(method, path, body)).status).toBe(500);
    expect(double.takeViolations()).toEqual([expect.stringContaining(sentence)]);
  });

  test("an answer that GitHub would not give is a violation of the double itself", async () => {
    const { double, ask, push } = await doubleTown();
    push("promote/x", { "a.txt": "a\n" });
    double.open("promote/x");
    const wrong = double.pulls()[0];
    if (wrong !== undefined) Object.assign(wrong, { title: 12 });
    expect((await ask("GET", "pulls/1")).status).toBe(500);
    expect(double.takeViolations()).toEqual([expect.stringContaining("answer 200 /title must be string")]);
  });

  test("a null is allowed where the description says so", async () => {
    const { ask } = await doubleTown();
    const main = await ask<{ object: { sha: string } }>("GET", "git/ref/heads/main");
    const tree = [{ path: "README.md", mode: "100644", type: "blob", sha: null }];
    expect((await ask("POST", "git/trees", { base_tree: main.body.object.sha, tree })).status).toBe(201);
  });
});

describe("the description as rules", () => {
  test("the more specific of two paths is meant, and a ref may have slashes, escaped or not", () => {
    expect(operation("GET", "/repos/o/r/git/ref/heads%2Fpromote%2Fa").path).toEqual({
      owner: "o",
      repo: "r",
      ref: "heads/promote/a",
    });
    expect(operation("GET", "/repos/o/r/commits/promote/a/check-runs").path["ref"]).toBe("promote/a");
    expect(operation("GET", "/repos/o/r/pulls/comments").name).toBe("GET /repos/{owner}/{repo}/pulls/comments");
    expect(findOperation("PATCH", "/rate_limit")).toBeUndefined();
  });

  test.each([
    ["a date that is none", { created_at: "yesterday" }, "/created_at must match format"],
    ["an address that is none", { url: "there" }, "/url must match format"],
    ["a null that may not be", { title: null }, "/title must be string"],
    ["a field of our own", { colour: "red" }, "additional properties: colour"],
    [
      "a field of our own deep down",
      { user: { ...userBody("rita"), colour: "red" } },
      "/user must NOT have additional",
    ],
    ["a state outside the list", { state: "merged" }, "/state must be equal to one of"],
  ])("%s is found in an answer", (_, wrong, where) => {
    const right = complete("pull-request", {});
    const judge = (body: object): readonly string[] =>
      responseFaults(operation("GET", "/repos/o/r/pulls/1"), 200, body);
    expect(judge(right)).toEqual([]);
    expect(judge({ ...right, ...wrong })).toEqual([expect.stringContaining(where)]);
  });

  test("a null that may be, and a missing field that need not be, are fine; a missing one that must be is not", () => {
    const read = operation("GET", "/repos/o/r/pulls/1");
    const { body: _, ...without } = complete("pull-request", {});
    expect(responseFaults(read, 200, { ...without, body: null, draft: true })).toEqual([]);
    expect(responseFaults(read, 200, without)).toEqual([expect.stringContaining("required property 'body'")]);
  });

  test("an answer that is not listed is none, and a refusal that is not listed has the form of all", () => {
    const read = operation("GET", "/repos/o/r/pulls/1");
    expect(responseFaults(read, 299, {})).toEqual(["the description knows no answer 299"]);
    expect(responseFaults(read, 451, { message: "no", documentation_url: "https://docs.github.com" })).toEqual([]);
    expect(responseFaults(read, 451, { reason: "no" })).toEqual([expect.stringContaining("reason")]);
    expect(responseFaults(operation("DELETE", "/repos/o/r/git/refs/heads/a"), 204, {})).toHaveLength(1);
  });

  test("a body that may be null may be, and formats hold in requests", () => {
    const merge = operation("PUT", "/repos/o/r/pulls/1/merge");
    expect(requestFaults(merge, new URLSearchParams(), null)).toEqual([]);
    const commit = { message: "m", tree: "t", author: { name: "n", email: "e", date: "today" } };
    const found = requestFaults(operation("POST", "/repos/o/r/git/commits"), new URLSearchParams(), commit);
    expect(found).toEqual([expect.stringContaining('/author/date must match format "date-time"')]);
  });

  test("there is no component that the description does not name", () => {
    expect(() => component("pull-request-train")).toThrow("no schema pull-request-train");
  });
});
