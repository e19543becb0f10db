import { bumpFile, type BumpOrigin } from "../catalogue/bump.ts";
import { changeHotfixes } from "../catalogue/entries.ts";
import { ServedContentReader } from "../catalogue/history/servedContent.ts";
import type { ModuleName } from "../catalogue/names.ts";
import { hotfixesPath } from "../catalogue/paths.ts";
import { specHash } from "../catalogue/template.ts";
import type { Hotfix } from "../catalogue/policy.ts";
import { standingProposal } from "./change.ts";
import { promotionBranch, servedFile } from "./draft.ts";
import { instantsIn } from "./proposed.ts";
import type { Verdict } from "./verdict/verdict.ts";
import type { Gathered } from "./gather.ts";
import { refuseUsage } from "./intervene.ts";
import { decideHotfix, type HotfixRequest } from "./intervention/hotfix.ts";
import { entryRefusal } from "./intervention/intervention.ts";
import type { Decision } from "./decisions.ts";
import { bumpOrigin, knownTemplate } from "./origin.ts";
import { oneSubject } from "./subjects.ts";
import type { Subject } from "./verdict/subject.ts";

/** A person's request for a hot-fix. */
interface HotfixQuestion extends Omit<HotfixRequest, "specHash"> {
  readonly module: ModuleName;
  /** Optional if only one channel can get it. */
  readonly channel: string | undefined;
  /** The template of the version; looked up in the repository if undefined. */
  readonly template: BumpOrigin | undefined;
}

/**
 * The verdict on a hot-fix, with everything to carry it out. Throws CONFIGURATION for an invalid request, and if no
 * template of the version can be served: a person who reads "promote now" must not learn that only later.
 */
export function decideOnHotfix(question: HotfixQuestion, gathered: Gathered): Decision {
  const { module, channel, version, template } = question;
  const subject = oneSubject(module, channel, gathered);
  const request = { ...question, specHash: hashIn(question, subject, gathered) };
  const verdict = decideHotfix(subject, request, gathered.factsOf(subject));
  const { passedOver } = verdict;
  refuseUsage(entryRefusal("hotfixes", verdict.declaration));
  const { declaration, text } = declared(subject, verdict.declaration, proposedText(verdict, gathered));
  const files = new Map([[hotfixesPath(module), text]]);
  const origin = verdict.kind === "promote" ? (template ?? bumpOrigin(gathered, subject, version)) : undefined;
  if (origin !== undefined) servedFile(verdict, version, origin);
  return { subject, verdict, hotfix: { declaration, passedOver, files, origin } };
}

interface Declared {
  readonly declaration: Hotfix;
  /** The file with it. */
  readonly text: string;
}

/** The file with a declaration. A repeated request has the instant of the one in `there`, the file on its branch. */
function declared(subject: Subject, declaration: Hotfix, there: string | undefined): Declared {
  const at = (instant: string): Declared => {
    const dated = { ...declaration, at: instant };
    const text = changeHotfixes(subject.said, {
      // The new declaration replaces an earlier one.
      become: (entry) => (entry.version === dated.version && entry.channel === dated.channel ? undefined : entry),
      added: [dated],
    });
    return { declaration: dated, text };
  };
  return (
    instantsIn(there, "at")
      .map(at)
      .find(({ text }) => text === there) ?? at(declaration.at)
  );
}

/** The declarations on the branch of a promotion. */
function proposedText(verdict: Verdict, { view }: Gathered): string | undefined {
  const there = view && standingProposal(promotionBranch(verdict), view);
  return there?.content.files.get(hotfixesPath(verdict.module));
}

/** `specHash` of the content that the channel would serve; `undefined` without a valid template. */
function hashIn(
  { module, version, template }: HotfixQuestion,
  { channel }: Subject,
  gathered: Gathered,
): string | undefined {
  if (template === undefined) {
    const known = knownTemplate(gathered, module, version);
    return known && specHash(known.object);
  }
  const file = bumpFile({ module, version, channel: channel.name }, template);
  if (file.kind === "refused") return undefined;
  const content = { kind: "bytes", bytes: Buffer.from(file.text) } as const;
  return new ServedContentReader(channel.name, module).read(file.path, content)?.hash();
}
