/** What expressions stand for: `github.sha`, `inputs.module`, `steps.approvals.outputs.approved-by`. */
export type Contexts = Readonly<Record<string, string>>;

/** `text` with each expression of GitHub's in it replaced by its value. */
export function fillIn(text: string, contexts: Contexts): string {
  return text.replace(/\$\{\{ (.*?) \}\}/g, (_, expression: string) => evaluate(expression, contexts));
}

/** Whether a step or a job with this `if` runs, when nothing failed before (`passed`) or something did. */
export function isDue(condition: string | undefined, passed: boolean, contexts: Contexts): boolean {
  if (condition === undefined) return passed;
  const expression = /^\$\{\{ (.*) \}\}$/.exec(condition)?.[1] ?? condition;
  return (passed || expression.includes("!cancelled()")) && isTrue(evaluate(expression, contexts));
}

/** The operators that the workflows use, but for names: parentheses, `||` between terms, `&&` within them, `==` and `!=`. */
function evaluate(expression: string, contexts: Contexts): string {
  const [, before = "", inner, after = ""] = /^(.*)\(([^()]+)\)(.*)$/.exec(expression) ?? [];
  if (inner !== undefined) return evaluate(`${before}'${evaluate(inner, contexts)}'${after}`, contexts);
  const values = expression.split(" || ").map((term) => conjunction(term.trim(), contexts));
  return values.find(isTrue) ?? values.at(-1) ?? "";
}

function conjunction(term: string, contexts: Contexts): string {
  const values = term.split(" && ").map((one) => termValue(one.trim(), contexts));
  return values.find((value) => !isTrue(value)) ?? values.at(-1) ?? "";
}

function termValue(term: string, contexts: Contexts): string {
  if (term === "!cancelled()") return "true";
  const sides = term.split(/ [=!]= /);
  const [one = "", other] = sides.map((side) => /^'(.*)'$/.exec(side)?.[1] ?? lookUp(side, contexts));
  return other === undefined ? one : String((one === other) === term.includes(" == "));
}

function isTrue(value: string): boolean {
  return value !== "" && value !== "false";
}

/** What an event, an input, a secret or a step does not have is empty; any other context has to be said. */
function lookUp(name: string, contexts: Contexts): string {
  if (!/^[a-z_]+(\.[\w-]+)+$/.test(name)) throw new Error(`the tests do not evaluate ${name}`);
  const value = contexts[name];
  if (value === undefined && !/^(inputs|secrets|steps|needs|github\.event)\./.test(name))
    throw new Error(`the workflow asks for ${name}`);
  return value ?? "";
}
