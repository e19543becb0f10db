import type { Context } from "../../../src/check/context.ts";
import type { Example } from "../../../src/check/example.ts";
import type { CustomResources } from "../../../src/check/facts.ts";
import type { Rule } from "../../../src/check/rule.ts";
import { unanswered, type ValidationVerdict } from "../../../src/kubernetes/validation.ts";
import type { Validator } from "../../../src/ports.ts";
import { openValidator } from "../../../src/systems/validator.ts";
import { said } from "../contexts.ts";
import { judgeExample } from "../exampleWorld.ts";

// Ends with the process: its threads keep nothing alive.
const validator = openValidator();

/** What the rules see of a change, with the verdicts of Kubernetes' validation. */
export async function judgedContext(example: Example): Promise<Context> {
  return (await judgeExample(example, [], validator)).context;
}

/** What a rule says of a change, with the verdicts of Kubernetes' validation. */
export async function saidOf(rule: Rule, example: Example): Promise<readonly string[]> {
  return said(rule, await judgedContext(example));
}

/** The same, where the validator does not answer for some objects. */
export function partlyAnswered(
  example: Example,
  isAnswered: (definition: string, object: string) => boolean,
  why: string,
): Promise<Context> {
  const judge: Validator["judge"] = async (requests, run) =>
    (await validator.judge(requests, run)).map((validation, place) => {
      const { definition, creates = [] } = requests[place] ?? {};
      const answer = (verdict: ValidationVerdict, index: number): ValidationVerdict =>
        isAnswered(JSON.stringify(definition), JSON.stringify(creates[index])) ? verdict : unanswered(why);
      return { ...validation, creates: validation.creates.map(answer) };
    });
  return judgeExample(example, [], { judge, close: () => Promise.resolve() }).then(({ context }) => context);
}

/** `context`, with other facts about the custom resources of `sample 1.2.0`. */
export function withResources(context: Context, resources: Partial<CustomResources>): Context {
  const none: CustomResources = { definitions: new Map(), defaultCr: undefined, samples: [], against: [] };
  const fact = { kind: "known", value: { ...none, ...resources } } as const;
  return { ...context, facts: { ...context.facts, customResources: new Map([["sample 1.2.0", fact]]) } };
}

/** `context`, without any facts about custom resources. */
export function withoutResources(context: Context): Context {
  return { ...context, facts: { ...context.facts, customResources: new Map() } };
}
