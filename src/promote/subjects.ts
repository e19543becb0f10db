import { policyPath } from "../catalogue/paths.ts";
import { Fault } from "../ports.ts";
import type { Gathered } from "./gather.ts";
import type { Subject } from "./verdict/subject.ts";

/** Where the subjects of a command come from. */
type SubjectSources = Pick<Gathered, "subjects" | "catalogue">;

/**
 * The subjects that a person named, or all of them. Throws CONFIGURATION for a module or a channel without anything to
 * decide.
 */
export function chosenSubjects(
  modules: readonly string[],
  channel: string | undefined,
  known: SubjectSources,
): readonly Subject[] {
  if (channel !== undefined) refuseChannel(channel, known);
  const there = known.subjects.filter((subject) => channel === undefined || subject.channel.name === channel);
  const unknown = modules.find((name) => !there.some(({ module }) => module === name));
  if (unknown !== undefined) {
    const names = [...new Set(there.map(({ module }) => module))].join(", ");
    const where = channel ?? "any channel that follows another";
    const remedy = names === "" ? "There is no module there at all." : `Name one of ${names}.`;
    throw new Fault(
      "CONFIGURATION",
      `There is nothing to decide about ${unknown} in ${where}: neither it nor the channel that it follows serves the module. ${remedy}`,
    );
  }
  return there.filter(({ module }) => modules.length === 0 || modules.includes(module));
}

function refuseChannel(name: string, { catalogue: { channels } }: SubjectSources): void {
  const channel = [...channels.values()].find((one) => one.name === name);
  if (channel?.follows !== undefined) return;
  const following = [...channels.values()].filter(({ follows }) => follows !== undefined).map((one) => one.name);
  const what =
    channel === undefined
      ? `There is no channel ${name}.`
      : `${name} follows no channel: versions are submitted to it.`;
  const remedy =
    following.length === 0 ? `Set \`follows\` in ${policyPath(name)}.` : `Name one of ${following.join(", ")}.`;
  throw new Fault("CONFIGURATION", `${what} ${remedy}`);
}

/** The only subject of a module in a channel. Throws CONFIGURATION if there is none, or more than one. */
export function oneSubject(module: string, channel: string | undefined, known: SubjectSources): Subject {
  const [subject, ...others] = chosenSubjects([module], channel, known);
  if (subject !== undefined && others.length === 0) return subject;
  const names = [subject, ...others].map((one) => one?.channel.name).join(", ");
  throw new Fault(
    "CONFIGURATION",
    `Several channels can get a hot-fix of ${module}: ${names}. Name one: --channel NAME.`,
  );
}
