import { fieldText } from "../../kubernetes/compare.ts";
import type { EntryStatus, LandscapeStatus } from "../../sync/landscapeStatus.ts";
import { EVERYTHING } from "../../sync/plan/controls.ts";
import { printableJson } from "../../document/printable.ts";
import type { LandscapeLook } from "./landscapeReport.ts";
import { type DocumentFacts, jsonDocument } from "../terminal/output.ts";

/** schemas/output/landscape-status.schema.json. */
export function landscapesJson(looks: readonly LandscapeLook[], facts: DocumentFacts): string {
  const items = looks.map((look) => ("status" in look ? landscapeItem(look.status) : { ...UNSEEN, ...look }));
  return printableJson(jsonDocument("LandscapeStatus", facts, items));
}

/** The item for a landscape that could not be read. */
const UNSEEN = {
  ...{ serves: null, isNewer: false, lease: null, controller: null },
  ...{ pauses: [], entries: [], objects: [], notes: [] },
};

function landscapeItem(status: LandscapeStatus): object {
  const { landscape, serves = null, isNewer, lease, controller, pauses, entries, objects, notes } = status;
  return {
    ...{ landscape, serves, isNewer },
    lease: lease === undefined ? null : leaseItem(lease),
    controller: controller === undefined ? null : controllerItem(controller),
    pauses: [...pauses].map(([module, { by, reason, atMs }]) => {
      return { module: module === EVERYTHING ? null : module, by, since: instant(atMs), reason };
    }),
    entries: entries.map(entryItem),
    objects: objects.map(({ kind, object, by, fields, reason, remedy }) => {
      const paths = fields.map(({ path }) => fieldText(path));
      return { kind, object, by, fields: paths, reason: reason ?? null, remedy: remedy ?? null };
    }),
    notes,
    unknown: null,
  };
}

function leaseItem({ holder, sinceMs, renewedMs, isExpired }: NonNullable<LandscapeStatus["lease"]>): object {
  return { holder, since: instant(sinceMs), renewed: instant(renewedMs), isExpired };
}

function controllerItem(controller: NonNullable<LandscapeStatus["controller"]>): object {
  const { sinceMs, revision, held, failures, withheld, isStale } = controller;
  return { since: instant(sinceMs), revision, held: held ?? null, failures, withheld, isStale };
}

function entryItem({ channel, module, mandatory, version, ...entry }: EntryStatus): object {
  const { sinceMs, wanted, isWantedKnown, users, clusters, wave, soaks } = entry;
  return {
    ...{ channel, module, mandatory, version: version ?? null, since: instant(sinceMs) },
    wanted: wanted === undefined ? null : wantedItem(wanted),
    isWantedKnown,
    users: users ?? null,
    clusters: clusters === undefined ? null : clustersItem(clusters),
    wave: wave === undefined ? null : waveItem(wave),
    soaks: soaks.map(({ landscape, soaked }) => {
      return { landscape, state: soaked.kind, until: soaked.kind === "soaking" ? instant(soaked.untilMs) : null };
    }),
  };
}

function clustersItem({ asked, have, worst, counts }: NonNullable<EntryStatus["clusters"]>): object {
  return { asked, have, pending: counts.pending, failing: counts.failing.count, worst: worst ?? null };
}

function wantedItem({ kind, version, reason, remedy, untilMs }: NonNullable<EntryStatus["wanted"]>): object {
  return { kind, version: version ?? null, reason: reason ?? null, remedy: remedy ?? null, until: instant(untilMs) };
}

function waveItem({ inOrder, pending, failing, countedMs, halt }: NonNullable<EntryStatus["wave"]>): object {
  const halted = halt === undefined ? null : { since: instant(halt.sinceMs), reason: halt.reason };
  return { inOrder, pending, failing, counted: instant(countedMs), halted };
}

/** An instant for JSON; `null` for a missing or invalid time. */
export function instant(ms: number | undefined): string | null {
  return ms === undefined || Number.isNaN(ms) ? null : new Date(ms).toISOString();
}
