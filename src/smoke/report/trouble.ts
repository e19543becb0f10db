import type { StepResult } from "../path.ts";

/** The description of a failed step: the object and the message, the remedy, and the events. */
export function troubleLines({ object, said = "", remedy = "", events = [] }: StepResult): readonly string[] {
  const about = object === undefined ? "" : `${object}: `;
  return [`${about}${said}`, remedy, ...events.map((event) => `event: ${event}`)].filter((text) => text !== "");
}
