import { age, instant, instantBeside } from "../format.ts";
import { html, type Html } from "../html.ts";
import { commitLink, type ForgePlace } from "../source.ts";
import type { LandscapeStatus } from "../../sync/landscapeStatus.ts";

/** What a landscape serves, held against the commit that is shown. */
export function revisionText({ serves, isNewer }: LandscapeStatus, place: ForgePlace): Html {
  if (serves === undefined) return html`Nothing was synced to it yet.`;
  const served = commitLink(serves, place);
  if (serves === place.revision) return html`It serves ${served}, the commit that these pages are of.`;
  const shown = commitLink(place.revision, place);
  return isNewer
    ? html`It serves ${served}, which is newer than ${shown}, the commit that these pages are of: nothing is said of
      what is wanted.`
    : html`It serves ${served}; these pages are of ${shown}.`;
}

/** Who writes to a landscape, and what the controller said last. */
export function keeperFacts({ lease, controller }: LandscapeStatus, place: ForgePlace, nowMs: number): Html {
  const said = controller?.sinceMs;
  return html`<dl class="keeper">
    <div>
      <dt>Lease</dt>
      <dd>${leaseText(lease, nowMs)}</dd>
    </div>
    <div>
      <dt>Controller</dt>
      <dd>
        ${
          controller === undefined
            ? "none has kept this landscape"
            : html`serves ${controller.revision === "" ? "nothing" : commitLink(controller.revision, place)}`
        }
      </dd>
    </div>
    <div>
      <dt>Its status</dt>
      <dd>${said === undefined ? "not known" : html`is of ${instantBeside(said, nowMs)}`}</dd>
    </div>
  </dl>`;
}

function leaseText(lease: LandscapeStatus["lease"], nowMs: number): Html {
  if (lease === undefined) return html`nobody holds it`;
  const { holder, sinceMs, renewedMs, isExpired } = lease;
  // Another client may write a Lease without times.
  if (isExpired)
    return html`${holder} held
    it${Number.isNaN(renewedMs) ? "" : html`, and renewed it last at ${instant(renewedMs, nowMs)}`}`;
  return html`${holder} holds it${Number.isNaN(sinceMs) ? "" : html` for ${age(sinceMs, nowMs)}`}`;
}
