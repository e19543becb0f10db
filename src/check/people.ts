import { isTexts } from "../document/fields.ts";
import type { YamlFile } from "../document/yaml/read.ts";

/** Reads the file of `--teams`: a map of `@org/team` to a list of logins. Gives `undefined` for any other content. */
export function readTeams({ value }: YamlFile): ReadonlyMap<string, readonly string[]> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const entries = Object.entries(value).map(
    ([team, logins]: [string, unknown]): [string, readonly string[]] | undefined =>
      /^@[^/\s]+\/[^/\s]+$/.test(team) && isTexts(logins) ? [team, logins] : undefined,
  );
  return entries.includes(undefined) ? undefined : new Map(entries.filter((entry) => entry !== undefined));
}
