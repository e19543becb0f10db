import { describe, expect, it } from "vitest";
import { edit, MODULE, REGULAR_POLICY, SAMPLE, type ExampleFiles } from "../../../../src/check/example.ts";
import { channelCalendar } from "../../../../src/check/rules/channel/calendar.ts";
import { contextOf, said, wholeContext } from "../../contexts.ts";
import { mentions } from "../../../support/mentions.ts";

const inChannel = (line: string): ExampleFiles => ({
  [REGULAR_POLICY]: edit(String(SAMPLE[REGULAR_POLICY]), "promotion:\n", `promotion:\n  ${line}\n`),
});
const inModule = (entry: string): ExampleFiles => ({
  [MODULE]: edit(String(SAMPLE[MODULE]), "ocmComponentName", `policy: { regular: { ${entry} } }\nocmComponentName`),
});
const freeze = (from: string, until: string): string =>
  `freezes: [{ from: "${from}T00:00:00Z", until: "${until}T00:00:00Z", reason: year-end }]`;
const window = (opens: string): string => `windows: [{ opens: "${opens}", for: 8h, timeZone: UTC }]`;

describe("the calendar of a channel", () => {
  it("has no freeze that ends before or when it begins, in the channel or in a module", async () => {
    const refused = (place: string, until: string): unknown =>
      mentions(`${place} error`, "year-end", "2027-01-04T00:00:00Z", `${until}T00:00:00Z`);
    for (const until of ["2026-12-18", "2027-01-04"]) {
      const change = { ...inChannel(freeze("2027-01-04", until)), ...inModule(freeze("2027-01-04", until)) };
      expect(said(channelCalendar, await contextOf({ change }))).toEqual([
        refused(`${REGULAR_POLICY}:5`, until),
        refused(`${MODULE}:3`, until),
      ]);
    }
    const change = {
      ...inChannel(freeze("2026-12-18", "2027-01-04")),
      ...inModule(freeze("2026-12-18", "2027-01-04")),
    };
    expect(said(channelCalendar, await contextOf({ change }))).toEqual([]);
  });

  it("has no window that never opens", async () => {
    expect(said(channelCalendar, await contextOf({ change: inChannel(window("0 8 30 FEB *")) }))).toEqual([
      mentions(`${REGULAR_POLICY}:5 error`, "never opens", '"0 8 30 FEB *"'),
    ]);
    for (const opens of ["0 8 29 2 *", "0 8 30 2 MON", "0 8 31 */2 *", "0 8 * * 1-4"])
      expect(said(channelCalendar, await contextOf({ change: inModule(window(opens)) }))).toEqual([]);
  });

  it("is judged where it changes, and as a whole where there is no base", async () => {
    const base = inChannel(window("0 8 31 4,6 *"));
    expect(said(channelCalendar, await contextOf({ base, change: { "README.md": "about" } }))).toEqual([]);
    expect(said(channelCalendar, await wholeContext(base))).toHaveLength(1);
  });
});
