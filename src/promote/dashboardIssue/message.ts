import { plain, uncalled } from "../body.ts";
import { instantText } from "../../document/times.ts";
import type { Notice } from "./notices.ts";

/** A comment about a notice. It ends with the notice's key, hidden from people. Markdown. */
export function noticeComment({ key, message, remedy }: Notice): string {
  return `${[plain(message), plain(remedy)].filter((one) => one !== "").join("\n\n")}\n\n<!-- kyma-modules notice=${key} -->`;
}

/** The keys at the end of this program's comments. */
export function toldIn(comments: readonly string[]): ReadonlySet<string> {
  return new Set(comments.flatMap((text) => /<!-- kyma-modules notice=([0-9a-f]{16}) -->\s*$/.exec(text)?.[1] ?? []));
}

/** The facts that all notices share. */
interface NoticeFacts {
  readonly repository: string;
  /** The commit. */
  readonly revision: string;
  /** Unix milliseconds. */
  readonly decidedAtMs: number;
  /** The address of the dashboard. */
  readonly dashboard: string;
}

/**
 * The document to post, according to schemas/output/notices.schema.json. Chat tools show `text`, which mentions no one.
 */
export function noticesDocument(
  notices: readonly Notice[],
  { repository, revision, decidedAtMs, dashboard }: NoticeFacts,
): string {
  const lines = notices.map(({ message, remedy }) => {
    const line = `${message} ${remedy}`.trim().replace(/[\p{Cc}\p{Cf}\s]+/gu, " ");
    // Chat tools mention people by `@name` and `<!channel>`.
    return `• ${uncalled(line.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"))}`;
  });
  return JSON.stringify({
    text: [...lines, dashboard].join("\n"),
    kind: "Notices",
    format: 1,
    revision,
    decidedAt: instantText(decidedAtMs),
    repository,
    dashboard,
    items: notices.map(({ kind, key, channel, module, version, sinceMs, untilMs, message, remedy }) => ({
      ...{ kind, key, channel: channel ?? null, module, version },
      since: instantText(sinceMs),
      until: untilMs === undefined ? null : instantText(untilMs),
      ...{ message, remedy },
    })),
  });
}
