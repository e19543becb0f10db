import { InvalidArgumentError } from "@commander-js/extra-typings";
import { isInstant } from "../document/schema/formats.ts";

/** An instant as ISO 8601 writes it, with seconds and zone. Gives Unix milliseconds. */
export function parseInstant(text: string): number {
  if (!isInstant(text)) throw new InvalidArgumentError("It must be an instant such as 2026-12-18T08:30:00Z.");
  return Date.parse(text);
}
