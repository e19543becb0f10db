import { shortCommit } from "../../../document/printable.ts";
import { allTemplates, newestFirst } from "../../../catalogue/lookup.ts";
import { specHash, type Template } from "../../../catalogue/template.ts";
import type { Context } from "../../context.ts";
import { BUMP, edit, FAST, templateText } from "../../example.ts";
import { inTemplate, unjudged, type Complaint, type Rule } from "../../rule.ts";
import type { Outcomes } from "../steps.ts";

/** A version that fast left by a manual decrease comes back only with the approval of a release manager. */
const BOSS = { approvedBy: ["boss"], teams: new Map([["@sample/release-managers", ["boss"]]]) };
const BUMPED = templateText("fast", "1.2.0");

/** A version is never reused with other content. */
export const versionReused: Rule = {
  id: "version-reused",
  group: "version",
  severity: "error",
  waivable: false,
  demand: "A version that any channel ever served comes back only with the same content.",
  rationale:
    "Clusters that had the version before keep what they have, since lifecycle-manager reads an artifact once; other clusters get the new content under the same name, and the two cannot be told apart.",
  source: "https://github.com/kyma-project/kyma-modules/blob/main/.github/docs/formats.md#the-repository",
  judge: reuses,
  bad: {
    history: [{ [FAST]: edit(BUMPED, "replicas: 1", "replicas: 2") }],
    change: BUMP,
    people: BOSS,
    at: { file: FAST, line: "version: 1.2.0" },
  },
  good: { history: [{ [FAST]: BUMPED }], change: BUMP, people: BOSS },
};

/** Judges templates that the base does not have in the same form. */
function* reuses(context: Context): Outcomes {
  const inBase = context.base === undefined ? [] : allTemplates(context.base);
  const brought = context.templates.filter(
    ({ file }) => !inBase.some((before) => before.file.path === file.path && before.file.text === file.text),
  );
  const { history } = context.facts;
  if (history.kind === "unknown" && brought.length > 0) yield unjudged(history.why);
  for (const template of brought) {
    const complaint = reuseComplaint(context, template, inBase);
    if (complaint !== undefined) yield inTemplate(template, ["spec", "version"], complaint);
  }
}

function reuseComplaint(
  { facts: { history } }: Context,
  template: Template,
  inBase: readonly Template[],
): Complaint | undefined {
  const { module, version } = template;
  const hash = (): string => specHash(template.object);
  const served = history.kind === "known" ? history.value.get(module) : undefined;
  const earlier =
    served &&
    newestFirst(served).find(
      (state) => state.version === version && state.template() !== template && state.hash() !== hash(),
    );
  const other = inBase.find(
    (one) => one.module === module && one.version === version && specHash(one.object) !== hash(),
  );
  const where = earlier
    ? `in ${earlier.channel} (commit ${shortCommit(earlier.revision.commit)})`
    : other && `in ${other.file.path}`;
  if (where === undefined) return undefined;
  const message = `${module} ${version} existed before with other content, ${where}.`;
  return { message, remedy: "A version never changes: release a new one." };
}
