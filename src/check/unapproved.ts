import type { Module } from "../catalogue/catalogue.ts";
import type { YamlFile } from "../document/yaml/read.ts";
import { approvalMissing, entryCounts } from "./authority.ts";
import type { Context } from "./context.ts";
import { violation, type Complaint, type Violation } from "./rule.ts";

/** A list of entries in a file of a module, each of which needs the approval of a release manager. */
export interface EntryList<T> {
  /** The key of the list. */
  readonly key: string;
  /** The file that holds the list; `undefined` for a module without one. */
  readonly fileOf: (module: Module) => YamlFile | undefined;
  /** The entries that need the approval, in the order of the file. */
  readonly entriesOf: (module: Module) => readonly T[];
  /** A full sentence that says what the entry is for, and that it does not count. */
  readonly messageOf: (entry: T, module: Module) => string;
  /** Remedy and severity of an entry; `undefined` for the default (`approvalMissing`). */
  readonly missingOf?: (entry: T, module: Module, context: Context) => MissingApproval | undefined;
}

type MissingApproval = Pick<Complaint, "remedy" | "severity">;

/** One violation for each entry that the change adds and no release manager approved. */
export function unapproved<T>(list: EntryList<T>, context: Context): readonly Violation[] {
  const { key, fileOf, entriesOf, messageOf, missingOf } = list;
  const missing = approvalMissing(context);
  return [...context.head.modules.values()].flatMap((module) => {
    const file = fileOf(module);
    if (file === undefined) return [];
    const before = context.base?.modules.get(module.name);
    const inBase = before && entriesOf(before);
    return entriesOf(module).flatMap((entry, index) =>
      entryCounts(context, entry, inBase)
        ? []
        : [
            violation(file, [key, index], {
              message: messageOf(entry, module),
              ...(missingOf?.(entry, module, context) ?? missing),
            }),
          ],
    );
  });
}
