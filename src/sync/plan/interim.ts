import type { ChannelEntry } from "../../catalogue/compile.ts";
import { countedHolds } from "../../catalogue/holdStrength.ts";
import { isHeld } from "../../catalogue/policy.ts";
import { compareVersions, parseVersion, type ModuleVersion } from "../../catalogue/version.ts";
import type { EntryMoveRequest } from "./cases.ts";
import { earlierFor, type EntryGate, type GateInput } from "./gate.ts";
import { entriesIn, entryKey, type EntryRecord } from "./records.ts";
import { judgeSoak } from "./wave.ts";

/** A version to which an entry moves while the wanted version is not due yet. */
export interface Interim {
  readonly wanted: ChannelEntry;
  readonly version: ModuleVersion;
  /** The `specHash` of that version in the earlier landscape. */
  readonly specHash: string;
}

/**
 * For each entry whose version is not due yet: the newest version above the live one that has soaked in the earlier
 * landscape and is not held. Without interim versions, a module with a patch every day would never advance.
 */
export function interimsOf(
  moves: readonly EntryMoveRequest[],
  { waves }: Pick<EntryGate, "waves">,
  input: GateInput,
): readonly Interim[] {
  return moves.flatMap((move) => {
    const live = parseVersion(move.from ?? "");
    // A new entry starts with the wanted version.
    if (!waves.has(entryKey(move)) || live === undefined) return [];
    const [newest] = candidatesFor(move, input)
      .filter(({ version }) => compareVersions(version, live) > 0 && compareVersions(version, move.version) < 0)
      .toSorted((a, b) => compareVersions(b.version, a.version));
    return newest === undefined ? [] : [{ wanted: move, ...newest }];
  });
}

type InterimCandidate = Omit<Interim, "wanted">;

function candidatesFor(move: EntryMoveRequest, input: GateInput): readonly InterimCandidate[] {
  const { catalogue, landscape, earlier, decreases, nowMs } = input;
  const holds = countedHolds(catalogue, move.module);
  const before = earlierFor(move, landscape, catalogue);
  const records = before && earlier.get(before.name);
  const record = records && entriesIn(records).get(entryKey(move));
  return servedIn(record).flatMap(({ version: text, specHash, hasSoaked }) => {
    const version = parseVersion(text);
    // A hot-fix soaks for less time.
    const step = version && earlierFor({ ...move, version }, landscape, catalogue);
    if (version === undefined || step === undefined || !hasSoaked(step.soakMs, nowMs)) return [];
    const isKept =
      isHeld(holds, version, move.channel, nowMs) ||
      decreases.some((one) => one.module === move.module && one.version === version);
    return isKept ? [] : [{ version, specHash }];
  });
}

interface Served {
  readonly version: string;
  readonly specHash: string;
  readonly hasSoaked: (soakMs: number, nowMs: number) => boolean;
}

/** The current and the past versions of an entry in the earlier landscape. */
function servedIn(record: EntryRecord | undefined): readonly Served[] {
  if (record === undefined) return [];
  const { current, previous } = record;
  const past = previous.map(({ version, specHash, soakedMs }) => {
    return { version, specHash, hasSoaked: (soakMs: number) => soakedMs >= soakMs };
  });
  if (current === undefined) return past;
  const hasSoaked: Served["hasSoaked"] = (soakMs, nowMs) => judgeSoak(current, soakMs, nowMs).kind === "soaked";
  return [{ version: current.version, specHash: current.specHash, hasSoaked }, ...past];
}
