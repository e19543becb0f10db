/** An image reference, completed with the defaults of clients. */
export interface Image {
  /** Host with optional port; `docker.io` when the reference has none. */
  readonly registry: string;
  /** Path in the registry. */
  readonly repository: string;
  readonly tag: string | undefined;
  /** Algorithm and lower-case hexadecimal digits: `sha256:…`. */
  readonly digest: string | undefined;
}

/** The registry of references without one. */
export const DEFAULT_REGISTRY = "docker.io";

/** Longer than any valid reference, and short enough for every pattern below. Characters. */
const MAX_LENGTH = 1_024;
const MAX_NAME_LENGTH = 255;

const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?";
const HOST = String.raw`(?:${LABEL}(?:\.${LABEL})*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?`;
const STEP = "[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*";
const DIGEST = "sha256:[a-f0-9]{64}|sha384:[a-f0-9]{96}|sha512:[a-f0-9]{128}";
const REFERENCE = new RegExp(
  String.raw`^(?<registry>${HOST})/(?<repository>${STEP}(?:/${STEP})*)(?::(?<tag>\w[\w.-]{0,127}))?(?:@(?<digest>${DIGEST}))?$`,
);

/**
 * Reads an image reference; `undefined` when the text is not valid. Does not add the default tag `latest`.
 *
 * Source: github.com/distribution/reference, ParseNormalizedNamed and go-digest.
 */
export function parseImage(text: string): Image | undefined {
  // Clients read 64 hexadecimal digits as the id of an image.
  if (text.length > MAX_LENGTH || /^[a-f0-9]{64}$/.test(text)) return undefined;
  const { registry = "", repository = "", tag, digest } = REFERENCE.exec(completed(text))?.groups ?? {};
  if (repository === "" || repository.length > MAX_NAME_LENGTH) return undefined;
  return { registry, repository, tag, digest };
}

/** The reference with its registry, and with `library/` for the official images of Docker Hub. */
function completed(text: string): string {
  const slash = text.indexOf("/");
  const first = text.slice(0, Math.max(slash, 0));
  const isHost = first === "localhost" || /[.:]|[A-Z]/.test(first);
  const host = isHost && first !== "index.docker.io" ? first : DEFAULT_REGISTRY;
  const path = isHost ? text.slice(slash + 1) : text;
  return host === DEFAULT_REGISTRY && !path.includes("/") ? `${host}/library/${path}` : `${host}/${path}`;
}
