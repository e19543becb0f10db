import type { ChannelName } from "./names.ts";
import type { ModuleVersion } from "./version.ts";

/** The versions that a channel takes: `x.y.z` only, one pre-release identifier only, or all. */
export type VersionsRule = "release" | "any" | `prerelease:${string}`;

/** Semver distance of a step, smallest first; *first* means that the channel never had the module. */
export type Level = "patch" | "minor" | "major" | "first";

/** All levels, in display order. */
export const LEVELS: readonly Level[] = ["first", "patch", "minor", "major"];

/** The demands on a version before its promotion, as in a file. Durations `90s 30m 12h 7d`, instants ISO 8601. */
export interface PromotionFile {
  readonly soak?: Readonly<Partial<Record<Level, string>>>;
  readonly needs?: readonly ("smoke" | "approval")[];
  readonly exposure?: { readonly clusters?: number; readonly healthyHours?: number };
  readonly health?: { readonly notWorseBy: string };
  readonly lines?: "any" | "previous-first";
  readonly windows?: readonly { readonly opens: string; readonly for: string; readonly timeZone: string }[];
  readonly freezes?: readonly { readonly from: string; readonly until: string; readonly reason: string }[];
  readonly merge?: "automatic" | "review";
  /** For channels only. */
  readonly limits?: { readonly perWindow?: number; readonly together?: readonly (readonly string[])[] };
}

/** One entry of `modules/<module>/holds.yaml`. Without `channel` it applies to all channels. */
export interface Hold {
  readonly version: ModuleVersion;
  readonly channel?: ChannelName;
  readonly reason: string;
  readonly by: string;
  readonly since: string;
  readonly until?: string;
}

/** One entry of `modules/<module>/hotfixes.yaml`. */
export interface Hotfix {
  readonly version: ModuleVersion;
  readonly channel: ChannelName;
  readonly incident: string;
  readonly by: string;
  readonly at: string;
  readonly alsoFixedIn?: readonly ModuleVersion[];
  readonly debt?: readonly { readonly kind: "backfill" | "smoke" | "review"; readonly paidBy?: string }[];
}

/** A request of a module's owners to overlook one finding until an instant. */
export interface Waiver {
  readonly rule: string;
  readonly version: ModuleVersion;
  readonly reason: string;
  readonly until: string;
}

/** A request of a module's owners to allow one refused step until an instant: of an entry, or of a field. */
export type Acceptance = {
  readonly refusal: string;
  readonly reason: string;
  readonly until: string;
} &
  /** `from` is null for an entry that is added, `to` for one that is removed. */
  (
    | {
        readonly channel: ChannelName;
        readonly field?: undefined;
        readonly from: ModuleVersion | null;
        readonly to: ModuleVersion | null;
      }
    /** `from` and `to` are the values of the field; null when it is unset. */
    | { readonly channel?: undefined; readonly field: AcceptedField; readonly from: unknown; readonly to: unknown }
  );

/** A field of a module that is the same in every channel, and whose change may be accepted. */
export type AcceptedField = "ocmComponentName" | "kymaSelector" | "beta" | "internal";

/** An API that a module needs on the cluster. */
export interface RequiredApi {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `30m` in milliseconds. Takes a text that the schemas accept. */
export function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * Number(UNIT_MS[text.slice(-1)]);
}

/** Whether one of `holds` keeps `version` out of `channel` at `nowMs`. */
export function isHeld(holds: readonly Hold[], version: ModuleVersion, channel: ChannelName, nowMs: number): boolean {
  return holds.some(
    (hold) =>
      hold.version === version &&
      (hold.channel === undefined || hold.channel === channel) &&
      (hold.until === undefined || Date.parse(hold.until) > nowMs),
  );
}

/**
 * The steps of an entry that an acceptance is for, as the versions before and after; null for none. One version as both
 * is also for adding or removing the entry.
 */
export function acceptedSteps<Version extends string | null>({
  from,
  to,
}: {
  readonly from: Version;
  readonly to: Version;
}): readonly (readonly [from: Version | null, to: Version | null])[] {
  return [
    [from, to],
    ...(from === to
      ? ([
          [null, to],
          [from, null],
        ] as const)
      : []),
  ];
}
