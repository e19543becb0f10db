import type { Template } from "../../catalogue/template.ts";
import type { Fact } from "../facts.ts";
import { unjudged, type Unjudged, type Violation } from "../rule.ts";

/**
 * Judges every template whose fact is known, and reports that the others were not judged. If all of several facts are
 * unknown for the same reason, this is reported once.
 */
export function* eachKnown<T>(
  templates: readonly Template[],
  factFor: (template: Template) => Fact<T>,
  judge: (template: Template, value: T) => Iterable<Violation | Unjudged>,
): Generator<Violation | Unjudged> {
  const facts = templates.map((template) => ({ template, fact: factFor(template) }));
  const [why, ...others] = new Set(facts.map(({ fact }) => (fact.kind === "unknown" ? fact.why : undefined)));
  if (facts.length > 1 && why !== undefined && others.length === 0) yield unjudged(why);
  else
    for (const { template, fact } of facts) {
      if (fact.kind === "unknown") yield unjudged(fact.why, template);
      else yield* judge(template, fact.value);
    }
}
