import { html, type Html } from "./html.ts";

/** A command to run, with a button that copies it if scripts run. */
export function commandBox(command: string): Html {
  return html`<div class="cmd">
    <code>${command}</code><button type="button" class="live-only" aria-label="Copy: ${command}">Copy</button>
  </div>`;
}
