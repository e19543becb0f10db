import type { Severity } from "../../../document/finding.ts";
import { isUnknown, type Grant } from "../../../kubernetes/rbac.ts";
import { rightsText } from "../../../kubernetes/rightsText.ts";
import { namedObject } from "../../../kubernetes/workload.ts";
import type { Context } from "../../context.ts";
import { unjudged, type Unjudged, type Violation } from "../../rule.ts";
import { inManifest } from "../manifest/place.ts";
import { eachChange, gainedByObject } from "./gain.ts";

/** A kind of dangerous rights. */
interface Danger {
  /** Whether a gained right is one of them. */
  readonly isDangerous: (grant: Grant) => boolean;
  /** The consequence, as the end of a sentence. */
  readonly what: string;
  readonly remedy: string;
}

/** Reports every gained right that is dangerous, once for each object that grants some. */
export function dangerous(context: Context, { isDangerous, what, remedy }: Danger): Generator<Violation | Unjudged> {
  return eachChange(context, function* (compared) {
    const severity = servedSeverity(compared.served);
    for (const grants of gainedByObject(compared)) {
      const unknown = grants.filter(isUnknown);
      if (unknown.length > 0)
        yield unjudged(`${namedObject(grants[0].object)} gains ${rightsText(unknown)}`, compared.template);
      const [first, ...others] = grants.filter(isDangerous);
      if (first === undefined) continue;
      const message = `${namedObject(first.object)} gains ${rightsText([first, ...others])}: ${what}.`;
      yield inManifest(compared, first.object, first.path, { message, remedy, ...severity });
    }
  });
}

/** A note for a module that no channel serves yet: its owners and a human review it anyway. */
export function servedSeverity(served: readonly unknown[]): { readonly severity?: Severity } {
  return served.length === 0 ? { severity: "note" } : {};
}
