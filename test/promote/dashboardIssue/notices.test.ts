import { Ajv } from "ajv";
import { describe, expect, it } from "vitest";
import noticesSchema from "../../../schemas/output/notices.schema.json" with { type: "json" };
import { noticeComment, noticesDocument, toldIn } from "../../../src/promote/dashboardIssue/message.ts";
import { dashboardNotices, type Notice } from "../../../src/promote/dashboardIssue/notices.ts";
import { dashboardRows, seenIn, type DashboardRow } from "../../../src/promote/dashboardIssue/rows.ts";
import { day, type Merge } from "../verdict/timeline.ts";
import { gatheredOn, MERGES, rowsOn } from "./rows.ts";

const WEEK_MS = day(7) - day(0);

const due = (at: number, more: readonly Merge[] = [], forMs = WEEK_MS): readonly Notice[] =>
  dashboardNotices(rowsOn(at, [...MERGES, ...more]), forMs, day(at));
const kinds = (notices: readonly Notice[]): readonly string[] => notices.map(({ kind }) => kind);

const HELD: readonly Merge[] = [{ at: 12, hold: { version: "1.2.0" } }];

describe("a notice", () => {
  it("is sent for a block that lasts long enough, to the second", () => {
    expect(due(18.9, HELD)).toEqual([]);
    expect(due(19, HELD)).toMatchObject([
      { kind: "blocked", channel: "regular", module: "istio", version: "1.2.0", sinceMs: day(12), dueMs: day(19) },
    ]);
    expect(kinds(due(12.5, HELD, 0))).toEqual(["blocked"]);
    expect(due(30)).toEqual([]);
  });

  it("is sent for a hold that ends within a day, once even for all channels", () => {
    const ends: readonly Merge[] = [{ at: 12, hold: { version: "1.2.0", until: "2026-01-20T00:00:00Z" } }];

    expect(due(17.9, ends)).toEqual([]);
    expect(due(18, ends)).toMatchObject([{ kind: "hold-ends", channel: undefined, untilMs: day(19) }]);
    expect(due(19, ends)).toEqual([]);
    const inOne: readonly Merge[] = [
      { at: 12, hold: { version: "1.2.0", channel: "regular", until: "2026-01-20T00:00:00Z" } },
    ];
    expect(due(18, inOne)).toMatchObject([
      { channel: "regular", message: expect.stringContaining("out of regular") as string },
    ]);
  });

  it("is not sent for a decrease by hand, which has no end", () => {
    const down: readonly Merge[] = [
      { at: 18, regular: "1.2.0" },
      { at: 19, regular: "1.1.0" },
    ];

    expect(kinds(due(30, down))).toEqual(["blocked"]);
  });

  it("is sent for debt while any of it is unpaid, and stays the same when a part is paid", () => {
    const row = (...paid: readonly string[]): DashboardRow => {
      const [first] = rowsOn(20, MERGES);
      if (first === undefined) throw new Error("there is no row");
      const hotfix = { version: "1.1.1", incident: "https://example.com/7" };
      const debts = [{ hotfix, since: { index: 0, commit: "c0", atMs: day(5) }, kinds: paid }];
      return { ...first, status: { ...first.status, debts: debts as never } };
    };
    const [both] = dashboardNotices([row("smoke", "review")], WEEK_MS, day(20));
    const [one] = dashboardNotices([row("review")], WEEK_MS, day(20));

    expect(both).toMatchObject({
      kind: "debt",
      message: expect.stringContaining("owes smoke, review since") as string,
    });
    expect(one?.key).toBe(both?.key);
  });

  it("has a key that stays while its cause lasts, and changes when it begins anew", () => {
    const again: readonly Merge[] = [...HELD, { at: 14, unhold: "1.2.0" }, { at: 15, hold: { version: "1.2.0" } }];
    const [first, later, anew] = [due(19, HELD), due(40, HELD), due(40, again)].map(([one]) => one?.key);

    expect(later).toBe(first);
    expect(anew).not.toBe(first);
    expect(first).toMatch(/^[0-9a-f]{16}$/);
  });

  it("counts a block that no history dates from when it was seen", () => {
    const contradiction = { message: "Files contradict one another.", remedy: "Correct them." };
    const gathered = gatheredOn(20, MERGES, { contradiction });
    const rows = dashboardRows(gathered, new Map(), { seen: new Map([["regular/istio", day(13)]]) });

    expect(seenIn(rows)).toEqual(new Map([["regular/istio", day(13)]]));
    expect(kinds(dashboardNotices(rows, WEEK_MS, day(20)))).toEqual(["blocked"]);
    expect(seenIn(rowsOn(20, [...MERGES, ...HELD]))).toEqual(new Map());
  });

  it("has no remedy if none is known", () => {
    const [row] = rowsOn(20, [...MERGES, ...HELD]).filter(({ blocked }) => blocked !== undefined);
    const chosen = row?.status.verdict?.chosen;
    if (row === undefined || chosen === undefined) throw new Error("nothing is blocked");
    const verdict = { ...row.status.verdict, chosen: { ...chosen, reasons: [] } } as never;

    expect(dashboardNotices([{ ...row, status: { ...row.status, verdict } }], WEEK_MS, day(20))).toMatchObject([
      { remedy: "", message: expect.stringMatching(/is blocked since 2026-01-13T00:00:00Z\.$/) as string },
    ]);
  });
});

const HOSTILE: Notice = {
  ...{ kind: "debt", key: "0123456789abcdef", channel: undefined, module: "istio" as never, version: "1.2.0" as never },
  ...{ sinceMs: day(1), untilMs: undefined, dueMs: day(1), remedy: "" },
  message: "@org/team <!channel> closes #12\n<!-- kyma-modules notice=fedcba9876543210 --> & more",
};

describe("a comment", () => {
  it("shows what others wrote literally, and is identified by its key", () => {
    const comment = noticeComment(HOSTILE);

    expect(comment).toMatch(/^@\u200borg\/team \\<!channel\\> closes #\u200b12 /);
    expect(
      toldIn([comment, "a person's", noticeComment({ ...HOSTILE, key: "1".repeat(16), remedy: "Do it." })]),
    ).toEqual(new Set([HOSTILE.key, "1".repeat(16)]));
  });
});

describe("the document of a webhook", () => {
  const facts = {
    repository: "org/name",
    revision: "c".repeat(40),
    decidedAtMs: day(20),
    dashboard: "https://x.test/4",
  };
  const ajv = new Ajv({
    allowUnionTypes: true,
    formats: { "date-time": (text: string) => !Number.isNaN(Date.parse(text)) },
  });
  const isValid = ajv.compile(noticesSchema);

  it("conforms to its schema, for every kind of notice", () => {
    const ends: readonly Merge[] = [{ at: 12, hold: { version: "1.2.0", until: "2026-01-22T00:00:00Z" } }];
    const document: unknown = JSON.parse(noticesDocument([...due(20, ends), HOSTILE], facts));

    expect([isValid(document), isValid.errors]).toEqual([true, null]);
    expect(document).toMatchObject({ items: [{ kind: "hold-ends" }, { kind: "blocked" }, { kind: "debt" }] });
  });

  it("mentions no one in a chat", () => {
    const { text } = JSON.parse(noticesDocument([HOSTILE], facts)) as { readonly text: string };

    expect(text.split("\n")).toEqual([
      expect.stringMatching(/^• @\u200borg\/team &lt;!channel&gt; closes #\u200b12 &lt;!-- .* &amp; more$/),
      "https://x.test/4",
    ]);
  });
});
