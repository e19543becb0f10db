import type { ChannelEntry } from "../../catalogue/compile.ts";
import { MANDATORY } from "../../catalogue/names.ts";
import { namedEntries } from "../../kubernetes/releaseMeta.ts";
import type { PlanInput } from "./input.ts";
import type { EntryMoveRequest } from "./gate.ts";
import type { EntryStep } from "./item.ts";
import { liveEntries, type ModuleInput, moduleInput } from "./moduleInput.ts";
import { appliedVersion, entryKey, placeOfKey } from "./records.ts";
import { isAbove } from "./refusals.ts";
import { unsettledSlices } from "./settled.ts";

/** One entry as the repository wants it, as we applied it, and as it is live. */
export interface EntryCase {
  readonly step: EntryStep;
  readonly wanted: ChannelEntry | undefined;
  readonly applied: string | undefined;
}

/** The entries whose wanted version differs from the live one, whether they may move or not. */
export function movesOf(input: PlanInput): readonly EntryMoveRequest[] {
  return unsettledSlices(input).flatMap((slice) => movesIn(moduleInput(slice, input)));
}

/** The same for one module. */
export function movesIn(module: ModuleInput): readonly EntryMoveRequest[] {
  return casesOf(module).flatMap((one) => {
    const { step, wanted } = one;
    if (wanted === undefined || isServed(one, wanted)) return [];
    const hadBefore = hasHad(wanted.version, module);
    return [{ ...wanted, from: step.from, isLower: isLower(one, wanted), hadBefore }];
  });
}

/** Whether the landscape served a version before. Without records, named versions count. */
export function hasHad(version: string, { module, meta, namedElsewhere, recorded, input }: ModuleInput): boolean {
  if (input.live.records.kind === "none")
    return (
      (meta !== undefined && namedEntries(meta).some((named) => named.version === version)) ||
      namedElsewhere.has(`${module}-${version}`)
    );
  return [...recorded.values()].some(({ current, previous }) =>
    [...(current ? [current] : []), ...previous].some((served) => served.version === version),
  );
}

/** All entries that are wanted, live or applied, in the order of their keys. */
export function casesOf(module: ModuleInput): readonly EntryCase[] {
  const { wanted, input } = module;
  const live = new Map(
    liveEntries(module).map((entry) => [entryKey({ ...entry, module: module.module }), entry] as const),
  );
  const entries = new Map(wanted.map((entry) => [entryKey(entry), entry]));
  const keys = new Set([...entries.keys(), ...live.keys(), ...module.recorded.keys()]);
  return [...keys].sort().map((key): EntryCase => {
    const entry = entries.get(key);
    const now = live.get(key);
    const { channel, mandatory } = entry ?? now ?? placeOf(key, input);
    const step = { module: module.module, channel, mandatory, from: now?.version, to: entry?.version };
    return { step, wanted: entry, applied: appliedVersion(input.live.records, key, now?.version) };
  });
}

function placeOf(key: string, { desired }: PlanInput): { readonly channel: string; readonly mandatory: boolean } {
  const { channel } = placeOfKey(key);
  const mandatory = channel === MANDATORY;
  return { channel: mandatory ? (desired.mandatoryChannel ?? channel) : channel, mandatory };
}

/** Whether an entry serves the wanted version because we applied it. What another client wrote has passed no gate. */
export function isServed({ step, applied }: EntryCase, { version }: ChannelEntry): boolean {
  return step.from === version && applied === version;
}

/** Whether the version of an entry goes down. */
function isLower({ step, applied }: EntryCase, wanted: ChannelEntry): boolean {
  const before = applied ?? step.from;
  return before !== undefined && before !== "" && isAbove(before, wanted.version);
}
