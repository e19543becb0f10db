import type { Landscape } from "../../catalogue/settings.ts";
import { asFault, Fault, type Clock, type Run } from "../../ports.ts";
import type { ControllerReport } from "./controller.ts";
import type { HeldRevision } from "./revisions.ts";
import { REOPEN_MS } from "./supervisor.ts";
import { Wake } from "./wake.ts";

/** The landscapes in the settings of a commit. */
interface SettingsAt {
  readonly commit: string;
  readonly landscapes: readonly Landscape[];
}

/** Where settings come from, and who follows them. */
export interface FollowedSettingsWorld {
  readonly clock: Clock;
  /**
   * The settings to follow once the branch is at `tip`: those of `tip` if it may be served after `before`, else those of
   * `before`; at the start, when `before` is `undefined`, those of the newest commit that may be served by itself.
   * Otherwise why there are none.
   */
  readonly settingsAt: (tip: string, before: string | undefined, run: Run) => Promise<SettingsAt | HeldRevision>;
  /** Keeps exactly these landscapes. `isFirst`: nothing was followed before. */
  readonly keep: (settings: SettingsAt, isFirst: boolean) => Promise<void>;
  /** Hears of a failure of `settingsAt` or `keep`, which is tried again. */
  readonly onFault: (fault: Fault) => void;
}

/**
 * The settings that a controller follows. A commit that may not be served must not change them either: the
 * current settings stay in force.
 */
export class FollowedSettings {
  readonly #world: FollowedSettingsWorld;
  readonly #changed: Wake;
  /** Ends when the last call of `#follow` does: they come one after the other. */
  #following: Promise<unknown> = Promise.resolve();
  /** The current commit of the branch, once its settings are followed. */
  tip: string | undefined;
  /** The commit whose settings are followed. */
  commit: string | undefined;

  constructor(world: FollowedSettingsWorld) {
    this.#world = world;
    this.#changed = new Wake(world.clock);
  }

  /** Follows the branch, which is at another commit. Throws CONFIGURATION if no settings may be followed. */
  async moved(tip: string, run: Run): Promise<void> {
    await this.#follow(tip, true, run);
  }

  /**
   * Hears what a landscape serves. The settings follow a landscape that does not trust their commit, as after a restart
   * beside a rewritten branch; and one that a person rewound to the tip.
   */
  hear(report: ControllerReport): void {
    if (report.kind !== "passed") return;
    const { serves, held } = report.choice;
    if (serves === undefined || serves.commit === this.commit) return;
    const isDistrusted = held !== undefined && held.commit === this.commit;
    if (!isDistrusted && !(report.isRewind && serves.commit === this.tip)) return;
    this.commit = serves.commit;
    this.#changed.raise();
  }

  /** Carries out what was heard, until `run` is aborted. */
  async keepUp(run: Run): Promise<never> {
    for (;;) {
      await this.#changed.wait(Infinity, run);
      try {
        if (this.commit !== undefined) await this.#follow(this.commit, false, run);
      } catch (error) {
        run.signal.throwIfAborted();
        this.#world.onFault(asFault(error));
        await this.#world.clock.pause(REOPEN_MS, run);
        this.#changed.raise();
      }
    }
  }

  #follow(commit: string, isTip: boolean, run: Run): Promise<void> {
    const next = this.#following.then(() => this.#followNow(commit, isTip, run));
    this.#following = next.catch(() => undefined);
    return next;
  }

  async #followNow(commit: string, isTip: boolean, run: Run): Promise<void> {
    const found = await this.#world.settingsAt(commit, this.commit, run);
    if ("reason" in found) throw new Fault("CONFIGURATION", `${found.reason} ${found.remedy}`.trim());
    const isFirst = this.commit === undefined;
    this.commit = found.commit;
    // Right before `keep` stops the landscapes whose settings changed: none of them may serve the new commit.
    if (isTip) this.tip = commit;
    await this.#world.keep(found, isFirst);
  }
}
