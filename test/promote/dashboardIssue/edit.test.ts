import { describe, expect, it } from "vitest";
import { boxLine } from "../../../src/promote/dashboardIssue/boxes.ts";
import { decideEdit, readEdit, type EditDecision, type EditFacts } from "../../../src/promote/dashboardIssue/edit.ts";
import { complete } from "../../systems/github/doubleSample.ts";
import { ISTIO, REGULAR } from "../verdict/timeline.ts";

const WISH = { kind: "apply", channel: REGULAR, module: ISTIO } as const;
const BEFORE = boxLine(WISH, "Apply now");
const AFTER = BEFORE.replace("[ ]", "[x]");
const ISSUE = { number: 4, url: "", title: "", body: AFTER, isOpen: true, isOwn: true, author: "release-train" };

/** GitHub's event, according to its description. */
function event(more: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  return complete("webhook-issues-edited", {
    action: "edited",
    changes: { body: { from: BEFORE } },
    issue: { number: 4, body: AFTER },
    repository: { full_name: "Org/name" },
    sender: { login: "octocat", type: "User" },
    ...more,
  });
}

const FACTS: EditFacts = {
  ...{ repository: "org/name", right: "write", startedBy: "octocat" },
  place: { kind: "open", issue: ISSUE, others: [] },
};

function asked(facts: Partial<EditFacts> = {}, more: Readonly<Record<string, unknown>> = {}): EditDecision {
  const edit = readEdit(event(more));
  if (edit === undefined) throw new Error("the event was not read");
  return decideEdit(edit, { ...FACTS, ...facts });
}

describe("an edit", () => {
  it("asks for the ticked boxes", () => {
    expect(asked()).toEqual({ kind: "wishes", wishes: [WISH] });
    expect(asked({ startedBy: "" })).toEqual({ kind: "wishes", wishes: [WISH] });
  });

  it.each<[string, Partial<EditFacts>, object, EditDecision["kind"]]>([
    ["of another repository", { repository: "org/other" }, {}, "refused"],
    ["of a program", {}, { sender: { login: "a[bot]", type: "Bot" } }, "nothing"],
    ["of what has no type", {}, { sender: { login: "a" } }, "nothing"],
    ["of another issue", {}, { issue: { number: 5, body: AFTER } }, "nothing"],
    ["of a dashboard that is closed", { place: { kind: "closed", issue: ISSUE } }, {}, "nothing"],
    ["of the title alone", {}, { changes: { title: { from: "a" } } }, "nothing"],
    ["that removes all text", {}, { issue: { number: 4, body: null } }, "nothing"],
    ["by a person who may only read", { right: "read" }, {}, "refused"],
    ["by a person with unknown permission", { right: "unknown" }, {}, "refused"],
    ["that someone else runs again", { startedBy: "hubot" }, {}, "refused"],
  ])("%s asks for nothing", (_, facts, more, kind) => {
    expect(asked(facts, { ...more }).kind).toBe(kind);
  });

  it.each([
    ["text", "edited"],
    ["nothing", null],
    ["another event", event({ action: "opened" })],
    ["an event without an issue", event({ issue: undefined })],
    ["an event without a sender", event({ sender: null })],
    ["an event without a repository", event({ repository: {} })],
  ])("is not read from %s", (_, given) => {
    expect(readEdit(given)).toBeUndefined();
  });
});
