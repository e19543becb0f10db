import type { StepResult } from "../path.ts";

/** What there is to say of a failed step: the object and the last words, what to do, and the events. */
export function troubleLines({ object, said = "", remedy = "", events = [] }: StepResult): readonly string[] {
  const about = object === undefined ? "" : `${object}: `;
  return [`${about}${said}`, remedy, ...events.map((event) => `event: ${event}`)].filter((text) => text !== "");
}
