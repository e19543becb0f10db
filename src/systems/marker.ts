/** What a commit of a proposal says of itself. */
export interface ProposedCommit {
  readonly message: string;
  /** Its tree. */
  readonly tree: string;
}

const TREE = "Proposed-Tree";
const DIGEST = "Proposal";

/** GitHub takes 65,536 characters, and closing adds a sentence. */
const MOST_CHARACTERS = 60_000;

/** What a pull request says of itself, at the end of its text, where people do not see it. */
export interface ProposalMarker {
  /** The commit of the branch when this was written. */
  readonly head: string;
  /** What it proposes. */
  readonly digest: string;
  /** Whether this program closed it; otherwise a person did. */
  readonly isClosed: boolean;
}

/** `body` with `marker` at its end. */
export function withMarker(body: string, { head, digest, isClosed }: ProposalMarker): string {
  const text = body.length > MOST_CHARACTERS ? `${body.slice(0, MOST_CHARACTERS)}…` : body.trimEnd();
  return `${text}\n\n<!-- kyma-modules: ${JSON.stringify({ head, digest, ...(isClosed && { closed: true }) })} -->`;
}

const MARKER = /\s*<!-- kyma-modules: \{"head":"([0-9a-f]+)","digest":"([^"\\]*)"(,"closed":true)?\} -->/g;

/** The last marker of a text; `undefined` where there is none. People may write behind it. */
export function readMarker(body: string | null): ProposalMarker | undefined {
  const [, head, digest, closed] = [...(body ?? "").matchAll(MARKER)].at(-1) ?? [];
  return head === undefined || digest === undefined ? undefined : { head, digest, isClosed: closed !== undefined };
}

/** A text that says on top why this program closed it, at the commit `head`; its marker says that it did. */
export function closedBody(body: string, why: string, head: string): string {
  const marker = readMarker(body) ?? { head, digest: "" };
  return withMarker(`${why}\n\n${body.replaceAll(MARKER, "")}`, { ...marker, isClosed: true });
}

/** `message` with the trailers by which its commit is known as ours, and as untouched. */
export function withTrailers(message: string, tree: string, digest: string): string {
  const text = message.trimEnd();
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? "") : "";
  const isTrailers = last !== "" && last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${text}${isTrailers ? "\n" : "\n\n"}${TREE}: ${tree}\n${DIGEST}: ${digest}\n`;
}

/** What a commit proposes; `undefined` when it is not ours, or not as it was made. */
export function proposedDigest({ message, tree }: ProposedCommit): string | undefined {
  return trailer(message, TREE) === tree ? trailer(message, DIGEST) : undefined;
}

/** The last one of the name: text before it may say anything. */
function trailer(message: string, name: string): string | undefined {
  return [...message.matchAll(new RegExp(`^${name}: (\\S+)\\s*$`, "gm"))].at(-1)?.[1];
}
