import { bumpFile, type BumpOrigin } from "../catalogue/bump.ts";
import { changeHotfixes } from "../catalogue/entries.ts";
import { ServedContentReader } from "../catalogue/history/servedContent.ts";
import type { ModuleName } from "../catalogue/names.ts";
import { hotfixesPath } from "../catalogue/paths.ts";
import { specHash } from "../catalogue/template.ts";
import { servedFile } from "./draft.ts";
import type { Gathered } from "./gather.ts";
import { refuseUsage } from "./intervene.ts";
import { decideHotfix, type HotfixRequest } from "./intervention/hotfix.ts";
import { entryRefusal } from "./intervention/intervention.ts";
import type { Decision } from "./decisions.ts";
import { originOf, templateOf } from "./origin.ts";
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
  const { declaration, passedOver } = verdict;
  refuseUsage(entryRefusal("hotfixes", declaration));
  const text = changeHotfixes(subject.said, {
    // The new declaration replaces an earlier one.
    become: (entry) => (entry.version === version && entry.channel === subject.channel.name ? undefined : entry),
    added: [declaration],
  });
  const files = new Map([[hotfixesPath(module), text]]);
  const origin = verdict.kind === "promote" ? (template ?? originOf(gathered, subject, version)) : undefined;
  if (origin !== undefined) servedFile(verdict, version, origin);
  return { subject, verdict, hotfix: { declaration, passedOver, files, origin } };
}

/** `specHash` of the content that the channel would serve; `undefined` without a valid template. */
function hashIn(
  { module, version, template }: HotfixQuestion,
  { channel }: Subject,
  gathered: Gathered,
): string | undefined {
  if (template === undefined) {
    const known = templateOf(gathered, module, version);
    return known && specHash(known.object);
  }
  const file = bumpFile({ module, version, channel: channel.name }, template);
  if (file.kind === "refused") return undefined;
  const content = { kind: "bytes", bytes: Buffer.from(file.text) } as const;
  return new ServedContentReader(channel.name, module).read(file.path, content)?.hash();
}
