/** What the commit of a promotion says that it was decided on; whatever it leaves out, or nobody can read, is not there. */
export interface Claim {
  readonly module: string;
  readonly version: string;
  /** The channel that the version came from; a hot-fix names none. */
  readonly follows: string | undefined;
  /** The channel that it came into. */
  readonly channel: string | undefined;
  /** The commit that was the head of the base. */
  readonly decidedOn: string | undefined;
  /** Unix milliseconds. */
  readonly decidedAtMs: number | undefined;
  /** `verdictDigest` of what was decided. */
  readonly verdict: string | undefined;
  /** `hashOf` each file of evidence. */
  readonly evidence: readonly string[];
}

/** Who asked for something, and why. */
export interface Statement {
  readonly by: string | undefined;
  readonly reason: string | undefined;
}

type Trailers = ReadonlyMap<string, readonly string[]>;

/**
 * The claims of a commit's message, in order. More than one stands there where a forge squashed several commits: of
 * those about one module and channel the last one counts.
 */
export function claimsIn(message: string): readonly Claim[] {
  return paragraphsWith(message, "Promotes").map((trailers): Claim => {
    const { module, version } = subjectOf(trailers, "Promotes");
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

/** What a message says under `word` of a version of a module: `Withdraws: istio@1.2.0`; the last one counts. */
export function statementIn(
  message: string,
  word: "Unholds" | "Withdraws",
  about: { readonly module: string; readonly version: string | undefined },
): Statement {
  const trailers = paragraphsWith(message, word).findLast((paragraph) => {
    const { module, version } = subjectOf(paragraph, word);
    return module === about.module && version === about.version;
  });
  return { by: trailers && only(trailers, "By"), reason: trailers && only(trailers, "Reason") };
}

/** Trailers end a message, but a forge adds paragraphs behind them: those who wrote with the author, for instance. */
function paragraphsWith(message: string, word: string): readonly Trailers[] {
  return message
    .replaceAll("\r\n", "\n")
    .split(/\n[ \t]*\n/)
    .map(trailersOf)
    .filter((trailers) => trailers.has(word));
}

function trailersOf(paragraph: string): Trailers {
  const lines = [...paragraph.matchAll(/^(?<name>[A-Za-z-]+): (?<value>.*)$/gm)].map(({ groups }) => groups);
  const byName = Map.groupBy(lines, (groups) => String(groups?.["name"]));
  // Text that calls nobody has characters of no width in it.
  const textOf = (value: unknown): string => String(value).replaceAll("\u200b", "").trim();
  return new Map([...byName].map(([name, all]) => [name, all.map((groups) => textOf(groups?.["value"]))]));
}

function only(trailers: Trailers, name: string): string | undefined {
  return trailers.get(name)?.at(-1);
}

function subjectOf(trailers: Trailers, word: string): { readonly module: string; readonly version: string } {
  const [module, ...version] = String(only(trailers, word)).split("@");
  return { module: String(module), version: version.join("@") };
}
