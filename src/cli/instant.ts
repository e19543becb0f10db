import { InvalidArgumentError } from "@commander-js/extra-typings";
import { isInstant } from "../document/schema/formats.ts";

/** Parses an ISO 8601 instant with seconds and time zone. Returns Unix milliseconds. */
export function parseInstant(text: string): number {
  if (!isInstant(text)) throw new InvalidArgumentError("It must be an instant such as 2026-12-18T08:30:00Z.");
  return Date.parse(text);
}
