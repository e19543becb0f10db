import { fieldText } from "../../kubernetes/compare.ts";
import type { Fault } from "../../ports.ts";
import type { ObjectOutcome } from "../../sync/apply.ts";
import {
  planEntries,
  planItems,
  type ObjectChange,
  type EntryItem,
  type EntryUsers,
  type Plan,
  type PlanItem,
  type SetBack,
} from "../../sync/plan/item.ts";
import type { EntryOutcome } from "../../sync/record.ts";

/** A landscape that could not be planned or synced, as JSON; schemas/output/plan.schema.json. */
export function failureJson(landscape: string, { code, message }: Fault): object {
  return { landscape, kind: "failed", fault: { code, message } };
}

/** A landscape that already serves a newer commit, as JSON. */
export function supersededJson(landscape: string, by: string): object {
  return { landscape, kind: "superseded", by };
}

/** All objects and entries of a plan as JSON; schemas/output/plan.schema.json. */
export function planJson(plan: Plan): readonly object[] {
  return [
    ...planItems(plan).map((item) => itemJson(plan.landscape, item)),
    ...planEntries(plan).map((entry) => entryJson(plan.landscape, entry)),
  ];
}

/** The outcome of an object as JSON; schemas/output/sync.schema.json. */
export function outcomeJson(landscape: string, outcome: ObjectOutcome): object {
  const json = { ...itemJson(landscape, outcome.item), result: outcome.result };
  return outcome.result === "contested" ? { ...json, contestedBy: outcome.by } : { ...json, ...whyJson(outcome) };
}

/** The outcome of an entry as JSON; schemas/output/sync.schema.json. */
export function entryOutcomeJson(landscape: string, outcome: EntryOutcome): object {
  return { ...entryJson(landscape, outcome.entry), result: outcome.result, ...whyJson(outcome) };
}

function whyJson(outcome: ObjectOutcome | EntryOutcome): object {
  switch (outcome.result) {
    case "done":
    case "left":
    case "contested":
      return {};
    case "failed":
      return { fault: { code: outcome.fault.code, message: outcome.fault.message } };
    case "skipped":
      return { skippedBecause: outcome.because };
  }
}

function itemJson(landscape: string, item: PlanItem): object {
  return { landscape, kind: item.kind, object: item.object, ...detailsJson(item) };
}

function detailsJson(item: PlanItem): object {
  switch (item.kind) {
    case "create":
      return { missedBy: item.missedBy };
    case "change":
      return changeJson(item);
    case "retained":
      return { because: item.because, repair: item.repair && changeJson(item.repair) };
    case "prune":
      return { carriedOut: item.carriedOut };
    case "refused":
      return { refusal: item.refusal, reason: item.reason, remedy: item.remedy };
    case "contested":
      return { by: item.by, fields: item.fields.map(fieldJson) };
    case "waiting":
      return { reason: item.reason };
    case "unchanged":
      return {};
  }
}

function changeJson({ cause, by, differences, warning }: ObjectChange): object {
  return { cause, by, fields: differences.map(fieldJson), warning };
}

function fieldJson({ path, kind, wanted, found }: ObjectChange["differences"][number]): object {
  return { path: fieldText(path), kind, wanted, found };
}

/** An entry of a plan as JSON. */
export function entryJson(landscape: string, entry: EntryItem): object {
  const { kind, module, channel, mandatory, from, to } = entry;
  return { landscape, kind, entry: { channel, module, mandatory }, from, to, ...entryDetailsJson(entry) };
}

function entryDetailsJson(entry: EntryItem): object {
  switch (entry.kind) {
    case "unchanged":
      return {};
    case "create":
    case "raise":
    case "lower":
      return moveJson(entry);
    case "remove":
      return { cause: entry.cause, carriedOut: entry.carriedOut, ...setBackJson(entry) };
    case "refused": {
      const { refusal, reason, remedy, users } = entry;
      return { refusal, reason, remedy, users: users && usersJson(users), ...setBackJson(entry) };
    }
    case "waiting": {
      const { reason, untilMs, isUnknown: unknown } = entry;
      const until = untilMs === undefined ? undefined : new Date(untilMs).toISOString();
      return { reason, until, unknown, ...setBackJson(entry) };
    }
  }
}

function moveJson({
  cause,
  passed,
  users,
  accepted,
}: Extract<EntryItem, { kind: "create" | "raise" | "lower" }>): object {
  const accepts = accepted.length > 0 ? { accepted } : {};
  return { cause, passed, users: users && usersJson(users), ...accepts };
}

function setBackJson({ setBack }: { readonly setBack?: SetBack }): object {
  return setBack === undefined
    ? {}
    : { setBack: { version: setBack.version, users: setBack.users && usersJson(setBack.users) } };
}

function usersJson({ protected: kept, endangered, behind }: EntryUsers): object {
  return { protected: kept, endangered, behind };
}
