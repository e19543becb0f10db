import type { Evidence } from "../../../src/catalogue/evidence/evidence.ts";
import type { ModuleName } from "../../../src/catalogue/names.ts";
import type { DashboardState } from "../../../src/dashboard/state.ts";
import type { EntryTimes } from "../../../src/fleet/readyTimes.ts";
import { NO_USERS, type ModuleUser, type Users } from "../../../src/fleet/users.ts";
import type { Records } from "../../../src/sync/plan/records.ts";
import { channelTemplate } from "../../catalogue/repository.ts";
import { moduleUser } from "../../fleet/moduleUser.ts";
import { day, DAY_MS, instant, version } from "../../promote/verdict/timeline.ts";
import { sightOf, stateAfter, type Told } from "../story.ts";

/** Hostile text that people may write as a reason. */
export const HOSTILE = `<script>alert("1")</script> & 'x' \u202e`;

const SETTINGS = JSON.stringify({
  format: 1,
  landscapes: [
    { name: "dev", controlPlane: { context: "kcp-dev" } },
    {
      name: "prod",
      controlPlane: { context: "kcp-prod" },
      after: { landscape: "dev", shortSoakReason: "it is a test" },
    },
  ],
});

/** The policy of regular, with a comment, and a map in flow style. */
export const POLICY = `# What regular takes
format: 1
follows: fast
landscapes: [dev, prod]
promotion:
  soak: { first: 0d, major: 30d, minor: 7d, patch: 1d } # by level
  windows:
    - { opens: "0 0 * * *", for: 24h, timeZone: UTC }
`;

const fast = (text: string): Told["files"] => ({ "channels/fast/istio.yaml": channelTemplate("fast", "istio", text) });
const regular = (text: string): Told["files"] => ({
  "channels/regular/istio.yaml": channelTemplate("regular", "istio", text),
});
const holds = (...versions: readonly string[]): Told["files"] => ({
  "modules/istio/holds.yaml": JSON.stringify({
    format: 1,
    holds: versions.map((held) => ({ version: held, reason: HOSTILE, by: "octocat", since: instant(12) })),
  }),
});

/** 1.1.0 is promoted, 1.1.1 comes as a hot-fix, 1.2.0 is held, and 1.2.1 waits for its soak. */
export const STORY: readonly Told[] = [
  {
    atMs: day(0),
    files: {
      "kyma-modules.yaml": SETTINGS,
      "channels/fast.yaml": JSON.stringify({ format: 1, landscapes: ["dev", "prod"] }),
      "channels/regular.yaml": POLICY,
      "modules/istio/module.yaml": JSON.stringify({
        format: 1,
        owners: ["@org/mesh"],
        links: { repository: "https://example.com/istio", documentation: "https://example.com/docs" },
      }),
      ...fast("1.0.0"),
      ...regular("1.0.0"),
    },
  },
  { atMs: day(2), files: fast("1.1.0"), author: HOSTILE, subject: `${HOSTILE} (#7)` },
  { atMs: day(10), files: regular("1.1.0") },
  { atMs: day(11), files: fast("1.2.0") },
  { atMs: day(12), files: holds("1.2.0") },
  {
    atMs: day(13),
    files: {
      ...regular("1.1.1"),
      "modules/istio/hotfixes.yaml": JSON.stringify({
        format: 1,
        hotfixes: [
          {
            ...{ version: "1.1.1", channel: "regular", incident: "https://example.com/incident/7", by: "octocat" },
            ...{ at: instant(13), alsoFixedIn: ["1.2.1"], debt: [{ kind: "review" }] },
          },
        ],
      }),
    },
  },
  { atMs: day(14), files: fast("1.2.1") },
];

/** The content of a version in fast. */
export function hashIn({ gathered }: DashboardState, text: string): string {
  const states = [...gathered.histories.of("istio" as ModuleName).served.values()].flat();
  return states.find((state) => state.version === text)?.hash() ?? "";
}

/** The state on day 16. */
export async function istio(more: Partial<DashboardState> = {}): Promise<DashboardState> {
  return stateAfter(STORY, day(16), more);
}

/** Ten clusters of prod: eight have 1.1.1, one fails with a hostile message, one waits for its window. */
export const USERS: Users = {
  ...NO_USERS,
  kymas: new Set(Array.from({ length: 10 }, (_, place) => String(place))),
  modules: new Map([
    [
      "istio",
      [
        ...Array.from({ length: 8 }, (_, place) => clusterOf(`Kyma ${String(place)}`, "1.1.1")),
        clusterOf("Kyma <b>8</b>", "1.1.1", { state: "Error", cause: HOSTILE }),
        clusterOf("Kyma 9", "1.1.0", { isWaiting: true }),
      ],
    ],
  ]),
};

function clusterOf(name: string, text: string, condition: Parameters<typeof moduleUser>[1] = {}): ModuleUser {
  return moduleUser(
    { name, version: text, installed: text, channels: ["regular"] },
    { channels: ["regular"], sinceMs: day(14), ...condition },
  );
}

/** Prod serves 1.1.1 in regular since day 14, and served 1.1.0 before. */
export const RECORDS: Records = {
  kind: "known",
  entries: new Map([
    [
      "regular/istio",
      {
        current: {
          version: "1.1.1",
          specHash: "",
          sinceMs: day(14) - DAY_MS / 2,
          accepted: [],
          now: undefined,
          baseline: 0.05,
        },
        next: undefined,
        previous: [{ version: "1.1.0", specHash: "", fromMs: day(10), untilMs: day(14) - DAY_MS / 2, soakedMs: 0 }],
        terms: undefined,
      },
    ],
  ]),
};

/** Five clusters had 1.1.1 within a minute, eight within six; 1.1.0 came to four of them, all within six. */
const TIMES: ReadonlyMap<string, EntryTimes> = new Map([
  [
    "regular/istio",
    {
      current: { version: "1.1.1", appliedMs: day(14) - DAY_MS / 2, counts: countsAt([7, 5], [12, 3]) },
      replaced: { version: "1.1.0", appliedMs: day(10), counts: countsAt([12, 4]) },
    },
  ],
]);

/** Numbers of clusters within these bounds. */
function countsAt(...some: readonly (readonly [bound: number, clusters: number])[]): readonly number[] {
  const counts = new Map(some);
  return Array.from({ length: Math.max(...counts.keys()) + 1 }, (_, bound) => counts.get(bound) ?? 0);
}

/** The same with prod, which was last seen `daysAgo` if that is set. */
export async function istioOnProd(daysAgo?: number): Promise<DashboardState> {
  const state = await istio();
  const sight = sightOf(state, "prod", { users: USERS, records: RECORDS, times: TIMES });
  if (daysAgo === undefined) return { ...state, landscapes: [sight] };
  const sinceMs = state.nowMs - daysAgo * DAY_MS;
  return { ...state, landscapes: [{ ...sight, seenMs: sinceMs, blind: { sinceMs, because: HOSTILE } }] };
}

/** One observation of 1.2.1. */
export function observed(specHash: string, more: Partial<Evidence>): Evidence {
  const about = { module: "istio" as ModuleName, version: version("1.2.1"), specHash, observedAt: instant(15) };
  return { ...about, source: "https://example.com/run/1", kind: "served", ...more } as Evidence;
}
