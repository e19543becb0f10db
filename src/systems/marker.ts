/** A commit of a proposal. */
export interface ProposedCommit {
  readonly message: string;
  /** Its tree. */
  readonly tree: string;
}

const TREE = "Proposed-Tree";
const DIGEST = "Proposal";

/** GitHub takes 65,536 characters, and closing adds a sentence. */
const MOST_CHARACTERS = 60_000;

/** The hidden marker at the end of a pull request's text. */
interface ProposalMarker {
  /** The commit of the branch when the marker was written. */
  readonly head: string;
  /** The digest of the proposal. */
  readonly digest: string;
  /** Whether this program closed the pull request; otherwise a person did. */
  readonly isClosed: boolean;
}

/** `body` with `marker` at its end. */
export function withMarker(body: string, { head, digest, isClosed }: ProposalMarker): string {
  const text = body.length > MOST_CHARACTERS ? `${body.slice(0, MOST_CHARACTERS)}…` : body.trimEnd();
  return `${text}\n\n<!-- kyma-modules: ${JSON.stringify({ head, digest, ...(isClosed && { closed: true }) })} -->`;
}

const MARKER = /\s*<!-- kyma-modules: \{"head":"([0-9a-f]+)","digest":"([^"\\]*)"(,"closed":true)?\} -->/g;

/** The last marker of a text; `undefined` if there is none. People may add text after it. */
export function readMarker(body: string | null): ProposalMarker | undefined {
  const [, head, digest, closed] = [...(body ?? "").matchAll(MARKER)].at(-1) ?? [];
  return head === undefined || digest === undefined ? undefined : { head, digest, isClosed: closed !== undefined };
}

/** The text of a pull request that this program closes at the commit `head`: `why` on top, and a marker for it. */
export function closedBody(body: string, why: string, head: string): string {
  const marker = readMarker(body) ?? { head, digest: "" };
  return withMarker(`${why}\n\n${body.replaceAll(MARKER, "")}`, { ...marker, isClosed: true });
}

/** `message` with trailers that identify its commit as written by this program and unchanged. */
export function withTrailers(message: string, tree: string, digest: string): string {
  const text = message.trimEnd();
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? "") : "";
  const isTrailers = last !== "" && last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${text}${isTrailers ? "\n" : "\n\n"}${TREE}: ${tree}\n${DIGEST}: ${digest}\n`;
}

/** The digest in a commit; `undefined` if this program did not write the commit, or someone changed it. */
export function proposedDigest({ message, tree }: ProposedCommit): string | undefined {
  return trailer(message, TREE) === tree ? trailer(message, DIGEST) : undefined;
}

/** The last trailer of the name: the text before it is free. */
function trailer(message: string, name: string): string | undefined {
  return [...message.matchAll(new RegExp(`^${name}: (\\S+)\\s*$`, "gm"))].at(-1)?.[1];
}
