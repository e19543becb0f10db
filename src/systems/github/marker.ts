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

/** `body` with an end that people do not see: the branch's commit when this was written, and what it says. */
export function withMarker(body: string, tip: string, digest: string): string {
  const text = body.length > MOST_CHARACTERS ? `${body.slice(0, MOST_CHARACTERS)}…` : body.trimEnd();
  return `${text}\n\n<!-- kyma-modules: ${JSON.stringify({ head: tip, digest })} -->`;
}

/** The digest in the marker of a body that was written for the commit `tip`; `undefined` where there is none. */
export function markedDigest(body: string | null, tip: string): string | undefined {
  // Lines end as the browser of whoever edited the body has them.
  const marker = /<!-- kyma-modules: \{"head":"([0-9a-f]+)","digest":"([^"\\]*)"\} -->\s*$/.exec(body ?? "");
  return marker?.[1] === tip ? marker[2] : undefined;
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
