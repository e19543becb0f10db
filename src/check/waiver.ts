import { locate } from "../document/yaml/read.ts";
import type { Waiver } from "../catalogue/policy.ts";
import { entryCounts } from "./authority.ts";
import type { Context } from "./context.ts";
import type { WaivedFinding } from "./result.ts";
import type { VersionSubject } from "./subject.ts";

/**
 * The waiver of `rule` for a version, with its place in `modules/<module>/module.yaml`. It must count and must not have
 * expired. `undefined` if there is none, and for a finding without a version.
 */
export function waiverFor(
  rule: string,
  subject: VersionSubject | undefined,
  context: Context,
): WaivedFinding["waiver"] | undefined {
  if (subject === undefined) return undefined;
  const module = context.head.modules.get(subject.module);
  const file = module?.files.module;
  if (module === undefined || file === undefined) return undefined;
  const inBase = context.base?.modules.get(module.name)?.says.waivers;
  const { waivers = [] } = module.says;
  const index = waivers.findIndex(
    (waiver) =>
      waiver.rule === rule &&
      waiver.version === subject.version &&
      !isExpired(waiver, context.nowMs) &&
      entryCounts(context, waiver, inBase),
  );
  const waiver = waivers[index];
  if (waiver === undefined) return undefined;
  const { line } = locate(file, ["waivers", index]);
  return { reason: waiver.reason, until: waiver.until, file: file.path, line };
}

/** Whether an entry has expired at `nowMs`. */
export function isExpired({ until }: Pick<Waiver, "until">, nowMs: number): boolean {
  return Date.parse(until) <= nowMs;
}
