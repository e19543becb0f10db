import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { DashboardState, LandscapeSight } from "../../../src/dashboard/state.ts";
import { NO_USERS, type KnownUsers } from "../../../src/fleet/users.ts";
import type { EntryClusters } from "../../../src/sync/entryClusters.ts";
import type { EntryStatus, StatusInput } from "../../../src/sync/landscapeStatus.ts";
import { moduleUser } from "../../fleet/moduleUser.ts";
import { catalogueOf } from "../../sync/catalogueFiles.ts";
import {
  clustersOf,
  entryOf,
  fleetSight,
  pageAt,
  sentencesOf,
  sightOf,
  stateOf,
  textAt,
  wordsOf,
} from "../landscapeState.ts";
import { mentions } from "../../support/mentions.ts";
import { cluster, fleetOf, NOW, served } from "./fleetOf.ts";

const HOSTILE = `<img src=x onerror=alert(1)>"'&`;
const FLEET = fleetOf(
  [
    cluster("a", "1.17.1"),
    cluster("b", "1.16.2", { isWaiting: true, sinceMs: NOW - 3_600_000 }),
    cluster("c", "1.17.1", { state: "Error", cause: `no space ${HOSTILE}`, sinceMs: NOW - 60_000 }),
    cluster("d", "1.17.1", { leftOut: "unmanaged" }),
    cluster(HOSTILE, HOSTILE),
  ],
  { a: "eu10", b: HOSTILE, c: "us10" },
);

function stateWith(...sights: readonly LandscapeSight[]): DashboardState {
  return stateOf(sights, NOW + 2_000);
}

/** Of two Kymas, one has a Manifest of telemetry. */
const EVERYWHERE: KnownUsers = {
  ...NO_USERS,
  kymas: new Set(["a", "b"]),
  modules: new Map([["telemetry", [moduleUser({ name: "Manifest m", installed: "1.17.1" }, { channels: [] })]]]),
};

const PROD = stateWith(fleetSight("prod", FLEET));
const at = (address: string, state = PROD): string => wordsOf(textAt(address, state));

describe("the page of a fleet", () => {
  it("starts with the number of clusters that have the served version, and the time of the observation", () => {
    const sentences = sentencesOf(textAt("/fleet", PROD));

    expect(sentences).toContainEqual(mentions("telemetry 1.17.1", "1 of 5 clusters", "regular", "20 %"));
    expect(sentences).toContainEqual(mentions("4", "not on it", "1", "Error", "Warning"));
    expect(sentences).toContainEqual(mentions("5 clusters", "prod", "seen 2 s ago", "10 s"));
    expect(sentences).toContainEqual(mentions("module CR", "Error"));
  });

  it("counts the versions, regions and causes that it does not list", () => {
    const users = Array.from({ length: 40 }, (_, index) =>
      cluster(`c${index}`, `1.0.${index}`, { state: "Error", cause: `cause ${"x".repeat(index)}` }),
    );
    const regions = Object.fromEntries(users.map(({ kyma = "" }) => [kyma, `region ${kyma}`]));
    const page = at("/fleet", stateWith(fleetSight("prod", fleetOf(users, regions))));

    expect(page).toMatch(/28 others/);
    expect(page).toMatch(/and 10 more regions with 10 clusters/);
    expect(page).toMatch(/and 20 more causes on 20 clusters/);
  });

  it("shows the module that fails on most clusters, unless the address names another", () => {
    const entry = (module: string, clusters: EntryClusters): EntryStatus =>
      entryOf({ channel: "regular", module, version: "1.17.1", clusters });
    const entries = [
      entry("keda", clustersOf({ inOrder: 5, pending: 4 }, "maintenance")),
      entry("istio", clustersOf({ inOrder: 8, failing: 1 }, "error")),
      entry("telemetry", clustersOf({ inOrder: 1, failing: 4 }, "warning")),
    ];
    const state = stateWith(sightOf("dev", FLEET.users, { entries }, NOW), fleetSight("prod", FLEET));

    expect(at("/fleet", state)).toContain("5 clusters of dev");
    expect(at("/fleet", state)).toContain("telemetry 1.17.1 is on");
    expect(at("/fleet?module=telemetry", state)).toContain("5 clusters of prod");
    expect(at("/fleet?landscape=dev&module=keda", state)).toContain("keda");
  });

  it("counts a mandatory module on every Kyma", () => {
    const catalogue = catalogueOf({ channels: { must: { telemetry: "1.17.1" } }, mandatory: ["must"] });
    const entries = [served("must", "1.17.1", { mandatory: true })];
    const sight = fleetSight("prod", { ...FLEET, entries });
    const state = stateWith({ ...sight, input: { ...sight.input, catalogue, users: EVERYWHERE } as StatusInput });

    expect(at("/fleet", state)).toContain("telemetry 1.17.1 is on 1 of 2 clusters of must, 50 %.");
    expect(at("/fleet/prod/b", state)).toContain("telemetry");
  });

  it("links each number to the clusters that it counts, also without JavaScript", () => {
    const text = textAt("/fleet", PROD);

    expect(text).toContain('<form class="fleet-filters scripts-only" action="/fleet"');
    for (const query of ["version=1.17.1&amp;state=Error", "region=us10", "cause=maintenance+1.16.2", "version=-"])
      expect(text).toContain(`href="/fleet?landscape=prod&amp;module=telemetry&amp;${query}"`);
    expect(text).toContain('href="/fleet/prod/c"');
  });

  it("shows why clusters lack a version, and which causes are not failures", () => {
    const words = at("/fleet");

    expect(words).toContain("4 clusters, 4 causes;");
    expect(words).toMatch(/maintenance window, \w+ 1\.16\.2 [^.]*\bnot\b[^.]*\bfailure\./);
    expect(words).toMatch(/Unmanaged [^.]*\bversion\b[^.]*\bnot known/);
  });

  it("shows that a filter is set, and how to clear it", () => {
    expect(at("/fleet?landscape=prod&module=telemetry&state=Error")).toContain(
      "Filtered to 1 of 5 clusters: telemetry 1.17.1 is on 0 of 1 cluster of regular, 0 %.",
    );
    expect(at("/fleet?module=telemetry&q=nothing")).toContain(
      "No cluster matches. 5 without the filter: clear the filter.",
    );
  });

  it("keeps the values of an address in its form, even if they do not occur", () => {
    const text = textAt("/fleet?module=telemetry&version=9.9.9&q=a%22b", PROD);

    expect(text).toContain('<option value="9.9.9" selected>9.9.9</option>');
    expect(text).toContain('value="a&quot;b"');
  });

  it("names the landscape of an empty fleet, and a module that no cluster has", () => {
    const empty = stateWith(sightOf("dev", NO_USERS, {}, NOW));

    expect(at("/fleet", empty)).toContain("No cluster of dev has a module.");
    expect(at("/fleet?module=keda", PROD)).toContain("No cluster of prod has keda.");
    expect(sentencesOf(textAt("/fleet", stateWith()))).toContainEqual(mentions("No control plane"));
  });

  it("never shows old data as current", () => {
    const blind = { sinceMs: NOW, because: "It does not answer." };
    const seen = { ...fleetSight("prod", FLEET), blind };
    const unseen = { name: "dev", input: undefined, status: undefined, seenMs: undefined, blind };
    const secret = sightOf("stage", { kind: "unknown", because: "kymas are forbidden" }, {}, NOW);

    expect(at("/fleet", stateWith(seen))).toContain("5 clusters of prod · as of 12:00Z");
    expect(at("/fleet", stateWith(unseen))).toEqual(mentions("dev", "seen yet", blind.because));
    expect(sentencesOf(textAt("/fleet?landscape=stage", stateWith(secret)))).toContainEqual(
      mentions("users", "stage", "not known", "kymas are forbidden"),
    );
  });

  it("starts with the last landscape that has clusters", () => {
    const state = stateWith(fleetSight("stage", FLEET), sightOf("prod", NO_USERS, {}, NOW));

    expect(at("/fleet", state)).toContain("5 clusters of stage");
    expect(at("/fleet", state)).toContain("stage 5prod 0");
    expect(at("/fleet?landscape=nowhere", state)).toContain("Page not found");
  });

  it.each(["/fleet", "/fleet?q=%3Cimg", `/fleet/prod/${encodeURIComponent(HOSTILE)}`])(
    "shows names, versions, regions and messages as text at %s",
    (address) => {
      const text = textAt(address, PROD);

      expect(text).toContain("&lt;img src=x onerror=alert(1)&gt;");
      expect(text).not.toContain("<img");
      expect(text).not.toMatch(/style=/);
    },
  );

  it("stays small with ten thousand clusters", () => {
    const users = Array.from({ length: 10_000 }, (_, index) =>
      cluster(`c-${String(index)}`, ["1.16.2", "1.17.1", "1.18.0"][index % 3], {
        state: index % 50 === 0 ? "Error" : "Ready",
        cause: `cause ${String(index % 7)}`,
      }),
    );
    const regions = Object.fromEntries(users.map((_, index) => [`c-${String(index)}`, `r${String(index % 12)}`]));
    const text = textAt("/fleet", stateWith(fleetSight("prod", fleetOf(users, regions))));

    expect(text.match(/<use\s+href="#s-/g)?.length).toBeLessThanOrEqual(406);
    expect(gzipSync(text).length).toBeLessThan(40_000);
  });
});

describe("the page of a cluster", () => {
  it("shows the version and age of each module, and what the cluster waits for", () => {
    const text = textAt("/fleet/prod/b", PROD);
    const words = wordsOf(text);

    expect(sentencesOf(text)).toContainEqual(mentions("0 of 1 module"));
    expect(words).toMatch(/telemetry 1\.17\.1: [^:.]*maintenance window, \w+ 1\.16\.2\. [^.]*\bnot\b[^.]*\bfailure\./);
    expect(words).toContain("telemetry regular 1.16.2 1.17.1 Ready 1 h");
    expect(words).toContain("kubectl -n kcp-system get kyma b -o yaml");
  });

  it("shows why no version of a module is wanted, with the message of lifecycle-manager", () => {
    const users = [
      cluster("e", "1.17.1", { channels: ["rapid"], state: "Error", cause: "no template" }),
      cluster("f", "1.17.1", { channels: [], state: "Error", cause: "no space" }),
      moduleUser({ name: "Manifest m", kyma: "g", installed: "1.17.1" }, { channels: [] }),
    ];
    const state = stateWith(fleetSight("prod", fleetOf(users)));

    const asked = sentencesOf(textAt("/fleet/prod/e", state));
    expect(asked).toContainEqual(mentions("channel", "not serve", "no template"));
    expect(at("/fleet/prod/f", state)).toMatch(/telemetry: channel not known: no space.*telemetry not known .* Error/);
    expect(at("/fleet/prod/g", state)).toMatch(/telemetry: no Kyma .*telemetry none 1\.17\.1/);
  });

  it("quotes names from the cluster in its commands", () => {
    const module = "x;touch PWNED #";
    const modules = new Map([[module, [cluster("a b", "1.0.0")]]]);
    const users = { ...FLEET.users, modules, kymas: new Set(["a b"]) };
    const text = textAt("/fleet/prod/a%20b", stateWith(fleetSight("prod", { ...FLEET, users })));

    expect(text).toContain("<code>kyma-modules rollout &#39;x;touch PWNED #&#39; --landscape prod</code>");
    expect(text).toContain("<code>kubectl -n kcp-system get kyma &#39;a b&#39; -o yaml</code>");
  });

  it("does not know the version of an unmanaged module", () => {
    expect(at("/fleet/prod/d")).toContain("telemetry regular not known 1.17.1 Unmanaged");
  });

  it("is in a drawer if the address names both", () => {
    const text = textAt("/fleet?landscape=prod&cluster=b", PROD);

    expect(sentencesOf(text)).toContainEqual(mentions("0 of 1 module"));
    expect(text).toContain('id="by-version"');
    const unknown = textAt("/fleet?landscape=prod&cluster=zzz", PROD);
    expect(sentencesOf(unknown)).toContainEqual(mentions("prod", "no cluster"));
  });

  it("says that the cluster uses no module", () => {
    const users = { ...FLEET.users, kymas: new Set(["empty"]) };

    const text = textAt("/fleet/prod/empty", stateWith(fleetSight("prod", { ...FLEET, users })));
    expect(sentencesOf(text)).toContainEqual(mentions("no module"));
  });

  it("is not found if the cluster or the landscape does not exist", () => {
    expect(sentencesOf(textAt("/fleet/prod/zzz", PROD))).toContainEqual(mentions("prod", "no cluster"));
    expect(at("/fleet/nowhere/a")).toContain("Page not found");
    const statuses = ["/fleet/prod/a", "/fleet/prod/zzz", "/fleet/nowhere/a"].map((one) => pageAt(one, PROD).status);
    expect(statuses).toEqual([200, 404, 404]);
  });
});
