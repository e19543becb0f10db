import type { Generation } from "../../../src/catalogue/settings.ts";
import type { Action, HandEdit, Wanted } from "./actions.ts";
import { PLAIN_SYNC } from "./scenario.ts";

/** One step of a history, and its actions. */
export interface Step {
  readonly name: string;
  readonly actions: readonly Action[];
  /** The only generation in which it is possible. */
  readonly only?: Generation;
}

/** The artifacts that are missing when the history begins. */
export const MISSING: readonly string[] = ["istio@2.0.0", "audit@2.0.0"];

const plainly: Action = { kind: "sync", ...PLAIN_SYNC };
const pruning: Action = { kind: "sync", ...PLAIN_SYNC, prune: true };

function wants(wanted: Partial<Wanted>): Action {
  return { kind: "repository", wanted };
}

function byHand(what: HandEdit, version = ""): Action {
  return { kind: "hand", what, version };
}

function moves(cluster: number, channel: "fast" | "regular"): Action {
  return { kind: "user", cluster, channel };
}

const metas = { only: "version-templates" } as const;

/**
 * Every known way in which a program that writes templates and release metas made lifecycle-manager lower or uninstall
 * a module. The script makes `sync` try each of them. At first fast 1.1.0, regular 1.0.0 and mandatory 1.0.0 are
 * served.
 */
export const SCRIPT: readonly Step[] = [
  { name: "a version without an artifact", actions: [wants({ fast: "2.0.0" }), plainly] },
  { name: "it is served by hand in fast", actions: [byHand("set fast", "2.0.0")] },
  { name: "it is withdrawn to a lower one", actions: [wants({ fast: "1.0.0" }), plainly] },
  { name: "a higher one is released", actions: [wants({ fast: "1.2.0" }), plainly] },
  { name: "it is withdrawn: the clusters are protected", actions: [wants({ fast: "1.1.0" }), plainly] },
  { name: "the template is deleted by hand", actions: [byHand("delete template", "1.1.0")] },
  { name: "a sync that would restore it", actions: [plainly] },
  { name: "the higher version again", actions: [wants({ fast: "1.2.0" }), plainly] },
  { name: "a user in skew", actions: [moves(0, "regular")] },
  { name: "the module is removed from their channel", actions: [wants({ regular: undefined }), pruning] },
  { name: "the user goes back", actions: [moves(0, "fast"), wants({ regular: "1.0.0" }), plainly] },
  { name: "the user's template is deleted by hand", actions: [byHand("delete template", "1.2.0")] },
  { name: "it is withdrawn meanwhile", actions: [wants({ fast: "1.1.0" }), plainly] },
  { name: "the withdrawal is reverted", actions: [wants({ fast: "1.2.0" }), plainly] },
  { name: "mandatory goes up", actions: [wants({ mandatory: "1.1.0" }), plainly] },
  { name: "mandatory goes down", actions: [wants({ mandatory: "1.0.0" }), plainly] },
  { name: "mandatory is removed", actions: [wants({ mandatory: undefined }), pruning] },
  { name: "mandatory goes up again", actions: [wants({ mandatory: "1.2.0" }), plainly] },
  { name: "mandatory without an artifact", actions: [wants({ mandatory: "2.0.0" }), plainly], ...metas },
  { name: "it is served by hand", actions: [byHand("set mandatory", "2.0.0")], ...metas },
  {
    name: "the version that was never installed is withdrawn",
    actions: [wants({ mandatory: "1.2.0" }), plainly],
    ...metas,
  },
  { name: "mandatory is lowered by hand", actions: [byHand("set mandatory", "1.1.0"), plainly] },
  { name: "a module becomes mandatory", actions: [wants({ isFlipped: true }), pruning] },
  { name: "and is no longer mandatory", actions: [wants({ isFlipped: false }), plainly] },
  { name: "a module gets a selector", actions: [wants({ isSelective: true }), plainly], ...metas },
  {
    name: "the selector is added by hand",
    actions: [wants({ isSelective: false }), byHand("selector on release meta")],
    ...metas,
  },
  { name: "a sync does not touch it", actions: [plainly], ...metas },
  { name: "the release meta is deleted by hand", actions: [byHand("delete release meta")], ...metas },
  { name: "a sync writes it as it was applied", actions: [plainly], ...metas },
  { name: "another component", actions: [wants({ component: "example.com/other/istio" }), plainly], ...metas },
  { name: "the component as it was", actions: [wants({ component: "example.com/module/istio" }), plainly], ...metas },
  { name: "an entry is removed by hand", actions: [byHand("remove fast")], ...metas },
  { name: "it is then withdrawn", actions: [wants({ fast: "1.0.0" }), plainly], ...metas },
  { name: "it is restored", actions: [wants({ fast: "1.2.0" }), plainly], ...metas },
  { name: "the records are deleted", actions: [byHand("delete records"), plainly] },
  { name: "an entry is lowered by hand", actions: [byHand("set fast", "1.0.0"), plainly] },
  {
    name: "the artifact is published",
    actions: [{ kind: "artifact", key: "istio@2.0.0" }, wants({ fast: "2.0.0" }), plainly],
  },
  { name: "a template for beta clusters only", actions: [wants({ fast: "2.1.0" }), plainly] },
  { name: "other users", actions: [wants({ fast: "2.0.0" }), moves(1, "fast"), plainly] },
];
