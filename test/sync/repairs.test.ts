import { describe, expect, it } from "vitest";
import { compare, fieldText } from "../../src/kubernetes/compare.ts";
import type { ItemOf, PlanItem } from "../../src/sync/plan/item.ts";
import { judgeRepair, REPAIRS_ANNOTATION } from "../../src/sync/plan/difference.ts";
import { desiredOf, inputOf, liveOf, marked, NOTHING, NOW, respecified } from "./planning.ts";

const desired = desiredOf({ channels: { fast: { istio: "1.3.0" } } });
const [template, ...rest] = liveOf(desired).templates;
if (template === undefined || rest.length > 0) throw new Error("one template");
const wanted = desired.templates[0] ?? template;
const drifted = respecified(template, { info: null });
const differences = compare(wanted, drifted);
const fields = differences.map(({ path }) => fieldText(path)).join(" ");
const at = new Date(NOW - 60_000).toISOString();

/** Judges drift with this annotation of repairs. */
function judge(said: string | undefined, cause: "drift" | "repository" = "drift"): PlanItem {
  const live = marked(drifted, { annotations: said === undefined ? {} : { [REPAIRS_ANNOTATION]: said } });
  const object = { kind: live.kind, name: live.metadata.name };
  const change: ItemOf<"change"> = { kind: "change", object, desired: wanted, live, cause, differences, by: ["other"] };
  return judgeRepair(change, inputOf(desired, NOTHING));
}

function countIn(item: PlanItem): unknown {
  const text = item.kind === "change" ? item.desired.metadata.annotations?.[REPAIRS_ANNOTATION] : undefined;
  return text === undefined ? undefined : (JSON.parse(text) as { readonly count: number }).count;
}

describe("a repair", () => {
  it("is the first if none is counted", () => {
    expect(countIn(judge(undefined))).toBe(1);
  });

  it("is one more if the same fields were repaired within the hour", () => {
    expect(countIn(judge(JSON.stringify({ fields, count: 2, at })))).toBe(3);
  });

  it("is contested after the third, and names the other client", () => {
    expect(judge(JSON.stringify({ fields, count: 3, at }))).toMatchObject({
      kind: "contested",
      by: ["other"],
      fields: differences,
    });
  });

  it.each([
    { fields: "spec.other", count: 3, at },
    { fields, count: 3, at: new Date(NOW - 3_600_000).toISOString() },
    { fields, count: 3, at: new Date(NOW + 1).toISOString() },
    { fields, count: 3, at: "soon" },
    { fields, count: "3", at },
    { fields, count: 3, at: 3 },
    null,
    [],
    "text",
  ])("is the first if the annotation is %j", (said) => {
    expect(countIn(judge(JSON.stringify(said)))).toBe(1);
  });

  it.each(["", "{"])("is the first if the annotation is %j, which is not JSON", (said) => {
    expect(countIn(judge(said))).toBe(1);
  });

  it("does not include changes by the repository, which are not counted", () => {
    expect(countIn(judge(JSON.stringify({ fields, count: 3, at }), "repository"))).toBeUndefined();
  });
});
