/** A commit that may be of this program. */
export interface ClaimingCommit {
  readonly message: string;
  /** Its tree. */
  readonly tree: string;
}

const TREE = "Proposed-Tree";

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

/** The start and the end of a warning at the top of a text. */
const [WARNING, END] = ["<!-- kyma-modules: warning -->", "<!-- kyma-modules: end of the warning -->"];

/**
 * `body` with a warning on top, in place of an earlier one. Its marker then names no commit, so that the text is written
 * anew once the branch is right again.
 */
export function withWarning(body: string, why: string): string {
  const before = body.startsWith(WARNING) && body.includes(END) ? body.slice(body.indexOf(END) + END.length) : body;
  const marker = readMarker(before);
  const text = `${WARNING}\n> [!CAUTION]\n> ${why}\n\n${END}\n\n${before.replaceAll(MARKER, "").trimStart()}`;
  return marker === undefined ? text : withMarker(text, { ...marker, head: "0" });
}

/** The text of a pull request that this program closes at the commit `head`: `why` on top, and a marker for it. */
export function closedBody(body: string, why: string, head: string): string {
  const marker = readMarker(body) ?? { head, digest: "" };
  return withMarker(`${why}\n\n${body.replaceAll(MARKER, "")}`, { ...marker, isClosed: true });
}

/** `message` with a trailer that names the tree of its commit: a person who changes the commit changes its tree. */
export function withTrailer(message: string, tree: string): string {
  const text = message.trimEnd();
  const paragraphs = text.split(/\n[ \t]*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? "") : "";
  const isTrailers = last !== "" && last.split("\n").every((line) => /^[A-Za-z0-9-]+: \S/.test(line));
  return `${text}${isTrailers ? "\n" : "\n\n"}${TREE}: ${tree}\n`;
}

/**
 * Whether a commit claims that this program made it and nobody changed it since. Everyone can write that: it may keep this
 * program from replacing a commit, and allows nothing.
 */
export function isMarked({ message, tree }: ClaimingCommit): boolean {
  // The last trailer of the name: the text before it is free.
  return [...message.matchAll(new RegExp(`^${TREE}: (\\S+)\\s*$`, "gm"))].at(-1)?.[1] === tree;
}
