import type { Channel } from "../../catalogue/catalogue.ts";
import { LEVELS } from "../../catalogue/policy.ts";

/** A number of a policy that can be tried. */
export interface PolicyField {
  /** What it is called in the query. */
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  /** Where it stands in the file. */
  readonly path: readonly (string | number)[];
  /** As the file says it; empty where it does not. */
  readonly said: string;
}

/** The numbers that a replay depends on, in the order of the file. */
export function fieldsOf({
  promotion: { soak = {}, windows = [] },
}: Pick<Channel, "promotion">): readonly PolicyField[] {
  const soaks = LEVELS.map((level) => ({
    name: `soak.${level}`,
    label: `Soak of ${level === "first" ? "a first version" : `a ${level} step`}`,
    hint: "Such as 12h or 7d; empty: no time is needed",
    path: ["promotion", "soak", level],
    said: soak[level] ?? "",
  }));
  const openings = windows.flatMap(({ opens, for: length, timeZone }, place) => [
    {
      name: `windows.${place}.opens`,
      label: `Window ${place + 1} opens`,
      hint: `As cron writes it, in ${timeZone}`,
      path: ["promotion", "windows", place, "opens"],
      said: opens,
    },
    {
      name: `windows.${place}.for`,
      label: `Window ${place + 1} stays open for`,
      hint: "Such as 8h",
      path: ["promotion", "windows", place, "for"],
      said: length,
    },
  ]);
  return [...soaks, ...openings];
}
