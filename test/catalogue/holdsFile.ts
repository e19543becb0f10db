import type { Module } from "../../src/catalogue/catalogue.ts";
import { conform } from "../../src/catalogue/conform.ts";
import { changeHolds, type EntryChange } from "../../src/catalogue/entries.ts";
import { parseModuleName } from "../../src/catalogue/names.ts";
import type { Hold } from "../../src/catalogue/policy.ts";
import { parseVersion, type ModuleVersion } from "../../src/catalogue/version.ts";
import { readYaml } from "../../src/document/yaml/read.ts";

/** A version that is one. */
export function version(text: string): ModuleVersion {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new Error(`${text} is not a version`);
  return parsed;
}

const name = parseModuleName("istio");
if (name === undefined) throw new Error("istio is a name");
/** A module of which no file says anything. */
export const EMPTY: Module = {
  name,
  ocmComponentName: undefined,
  owners: [],
  says: {},
  holds: [],
  hotfixes: [],
  files: { module: undefined, holds: undefined, hotfixes: undefined },
  templates: new Map(),
};

/** The holds that a text stands for. */
export function holdsIn(text: string): readonly Hold[] {
  const reading = readYaml("holds.yaml", { kind: "bytes", bytes: Buffer.from(text) });
  if (reading.kind === "refused") throw new Error(reading.findings.map(({ message }) => message).join(" "));
  const { value, findings } = conform("holds", reading.file);
  if (value === undefined) throw new Error(findings.map(({ message }) => message).join(" "));
  return value.holds;
}

/** A module with that `holds.yaml`. */
export function withHolds(text: string, holds: readonly Hold[] = holdsIn(text)): Module {
  return { ...EMPTY, holds, files: { ...EMPTY.files, holds: { path: "holds.yaml", text, value: undefined } } };
}

/** What a text becomes. */
export function edited(text: string, change: EntryChange<Hold>): string {
  return changeHolds(withHolds(text), change);
}

/** A hold that most tests add. */
export const HOLD: Hold = {
  version: version("1.2.0"),
  reason: "leaks memory",
  by: "boss",
  since: "2026-11-20T00:00:00Z",
};
/** Takes out the holds on these versions. */
export const without: (...gone: readonly string[]) => (hold: Hold) => Hold | undefined =
  (...gone: readonly string[]) =>
  (hold: Hold): Hold | undefined =>
    gone.includes(hold.version) ? undefined : hold;

/** A file as a person writes it. */
export const WRITTEN = `# yaml-language-server: $schema=../../schemas/holds.schema.json
# Ask in #releases first.
format: 1
holds:   # newest last
  # INC-1
  # see there
  - version: 1.0.5   # was in fast
    reason: >-
      loses data
      on upgrade
    by: boss
    since: "2026-01-01T00:00:00Z"   # a Thursday

  # INC-2
  - version: 1.1.0
    channel: regular
    reason: 'leaks'
    by: boss
    since: 2026-01-02T00:00:00Z
# the end
`;
