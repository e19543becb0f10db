import { BUMP, edit, manifestPath, manifestText, REGULAR, templateText } from "../../src/check/example.ts";

const SIZE = "size: { type: string, enum: [small, large] }";

/** A definition with a pattern beside so many CEL rules, each of a field of its own. */
function manifestWith(version: string, pattern: string, rules: number): string {
  const fields = Array.from({ length: rules }, (_, index) => {
    const name = `field${String(index).padStart(5, "0")}`;
    return `                    ${name}: { type: string, maxLength: 20, x-kubernetes-validations: [{ rule: "self != '${name}'" }] }\n`;
  });
  const many = `\n                many:\n                  type: object\n                  properties:\n${fields.join("")}`;
  return edit(manifestText(version), SIZE, `size: { type: string, pattern: "${pattern}" }${many.trimEnd()}`);
}

type TextFiles = Readonly<Record<string, string>>;

/** A version in service with that many CEL rules, and a bump to one whose pattern accepts less. */
export function narrowedBesideRules(rules: number): { readonly base: TextFiles; readonly change: TextFiles } {
  return {
    base: {
      [REGULAR]: templateText("regular", "1.1.0"),
      [manifestPath("1.1.0")]: manifestWith("1.1.0", "^[a-z]{1,40}$", rules),
    },
    change: { ...BUMP, [manifestPath("1.2.0")]: manifestWith("1.2.0", "^[a-z]{1,33}$", rules) },
  };
}
