import { html, type Html } from "../html.ts";
import { icon } from "../icons.ts";

/** What the marks mean. */
export const legendView: Html = html`<dl class="legend" aria-label="Legend">
  <div>
    <dt><span class="v sw">1.2.0</span></dt>
    <dd>served and in order</dd>
  </div>
  <div>
    <dt><span class="v sw go">1.2.0 ${icon("move")}</span></dt>
    <dd>on its way</dd>
  </div>
  <div>
    <dt><span class="v sw old">1.1.0</span></dt>
    <dd>not reached yet</dd>
  </div>
  <div>
    <dt><span class="v sw halt">1.2.0 ${icon("block")}</span></dt>
    <dd>wave halted</dd>
  </div>
  <div>
    <dt><span class="v sw fixv">1.2.0 ${icon("fix")}</span></dt>
    <dd>hot-fix</dd>
  </div>
  <div>
    <dt class="c-fix">${icon("debt")}</dt>
    <dd>debt</dd>
  </div>
  <div>
    <dt class="c-stop">${icon("hold")}</dt>
    <dd>hold</dd>
  </div>
  <div>
    <dt class="c-wait">${icon("drift")}</dt>
    <dd>drift</dd>
  </div>
  <div>
    <dt class="c-stop">${icon("refused")}</dt>
    <dd>refused</dd>
  </div>
  <div>
    <dt class="c-stop">${icon("contested")}</dt>
    <dd>contested</dd>
  </div>
  <div>
    <dt class="muted">${icon("blind")}</dt>
    <dd>not seen since</dd>
  </div>
</dl>`;
