import { fieldAt } from "../../../document/fields.ts";
import type { Template } from "../../../catalogue/template.ts";
import type { YamlPath } from "../../../document/yaml/tree.ts";
import { BUMP, bumpTemplate, FAST } from "../../example.ts";
import { inTemplate, type Rule } from "../../rule.ts";

/** Links of a template are https addresses. */
export const templateLinks: Rule = {
  id: "template-links",
  group: "template",
  severity: "error",
  waivable: true,
  demand: "Links to the repository, the documentation, icons and resources are https addresses.",
  rationale:
    "People follow these links, and machines install what they find there. Without https, anyone between them and the server decides what that is.",
  source: "modulectl, module-config.yaml",
  judge: ({ templates }) =>
    templates.flatMap((template) =>
      linkedAddresses(template)
        .filter(({ link }) => !/^https:\/\/[^/\s]/.test(link))
        .map(({ path, link }) => {
          const message = `${path.join(".")} is not an https address: ${link}.`;
          return inTemplate(template, path, { message, remedy: "Give an address that begins with https://." });
        }),
    ),
  bad: {
    change: bumpTemplate("repository: https:", "repository: http:"),
    at: { file: FAST, line: "repository: http:" },
  },
  good: { change: BUMP },
};

interface Link {
  readonly path: YamlPath;
  readonly link: string;
}

/** The links of a template; `template-info` reports missing ones. */
function linkedAddresses({ object }: Template): readonly Link[] {
  const info = ["repository", "documentation"].map((key) => ["spec", "info", key]);
  const lists = [
    ["spec", "info", "icons"],
    ["spec", "resources"],
  ];
  const single = info.map((path) => ({ path, link: fieldAt(object, path) }));
  const listed = lists.flatMap((path) => {
    const items = fieldAt(object, path);
    return (Array.isArray(items) ? items : []).map((item: unknown, index) => {
      return { path: [...path, index, "link"], link: fieldAt(item, ["link"]) };
    });
  });
  return [...single, ...listed].flatMap(({ path, link }) =>
    typeof link === "string" && link !== "" ? [{ path, link }] : [],
  );
}
