/**
 * The claim of a promotion's commit about its decision. A field that the commit leaves out, or that cannot be read, is
 * undefined.
 */
export interface Claim {
  readonly module: string;
  readonly version: string;
  /** The channel that the version came from; a hot-fix names none. */
  readonly follows: string | undefined;
  /** The channel that it came into. */
  readonly channel: string | undefined;
  /** The commit at the head of the base then. */
  readonly decidedOn: string | undefined;
  /** Unix milliseconds. */
  readonly decidedAtMs: number | undefined;
  /** `verdictDigest` of the decision. */
  readonly verdict: string | undefined;
  /** `hashOf` each file of evidence. */
  readonly evidence: readonly string[];
}

/** The person who asked for something, and the reason. */
export interface Statement {
  readonly by: string | undefined;
  readonly reason: string | undefined;
}

type Trailers = ReadonlyMap<string, readonly string[]>;

/**
 * The claims in a commit's message, in order. There are several if a forge squashed commits: the last one about a
 * module and channel counts.
 */
export function claimsIn(message: string): readonly Claim[] {
  return paragraphsWith(message, "Promotes").map((trailers): Claim => {
    const { module, version } = trailerSubject(trailers, "Promotes");
    const decidedAtMs = Date.parse(only(trailers, "Decided-At") ?? "");
    return {
      module,
      version,
      follows: only(trailers, "From-Channel"),
      channel: only(trailers, "To-Channel"),
      decidedOn: only(trailers, "Decided-On"),
      decidedAtMs: Number.isNaN(decidedAtMs) ? undefined : decidedAtMs,
      verdict: only(trailers, "Verdict"),
      evidence: trailers.get("Evidence") ?? [],
    };
  });
}

/**
 * The statement in a message under `word` about a version of a module: `Withdraws: istio@1.2.0`; the last one counts.
 */
export function statementIn(
  message: string,
  word: "Unholds" | "Withdraws",
  about: { readonly module: string; readonly version: string | undefined },
): Statement {
  const trailers = paragraphsWith(message, word).findLast((paragraph) => {
    const { module, version } = trailerSubject(paragraph, word);
    return module === about.module && version === about.version;
  });
  return { by: trailers && only(trailers, "By"), reason: trailers && only(trailers, "Reason") };
}

/** Trailers are at the end of a message, but a forge may add paragraphs, such as co-authors, after them. */
function paragraphsWith(message: string, word: string): readonly Trailers[] {
  return message
    .replaceAll("\r\n", "\n")
    .split(/\n[ \t]*\n/)
    .map(parseTrailers)
    .filter((trailers) => trailers.has(word));
}

function parseTrailers(paragraph: string): Trailers {
  const lines = [...paragraph.matchAll(/^(?<name>[A-Za-z-]+): (?<value>.*)$/gm)].map(({ groups }) => groups);
  const byName = Map.groupBy(lines, (groups) => String(groups?.["name"]));
  return new Map(
    [...byName].map(([name, all]) => [
      name,
      // Disarmed text contains zero-width characters.
      all.map((groups) => String(groups?.["value"]).replaceAll("\u200b", "").trim()),
    ]),
  );
}

function only(trailers: Trailers, name: string): string | undefined {
  return trailers.get(name)?.at(-1);
}

function trailerSubject(trailers: Trailers, word: string): { readonly module: string; readonly version: string } {
  const [module, ...version] = String(only(trailers, word)).split("@");
  return { module: String(module), version: version.join("@") };
}
