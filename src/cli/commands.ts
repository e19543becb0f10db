import { bump } from "./bump/bump.ts";
import { check } from "./check/check.ts";
import type { CliCommand } from "./command.ts";
import { complete, completion } from "./completion/completion.ts";
import { dashboard } from "./dashboard/dashboard.ts";
import { demo } from "./demo/demo.ts";
import { evidence } from "./evidence/evidence.ts";
import { history } from "./history/history.ts";
import { importing } from "./import/import.ts";
import { init } from "./init/init.ts";
import { install } from "./install/install.ts";
import { hold, unhold, withdraw } from "./intervene/intervene.ts";
import { observe } from "./observe/observe.ts";
import { promote } from "./promote/promote.ts";
import { render } from "./render/render.ts";
import { rollout } from "./rollout/rollout.ts";
import { simulate } from "./simulate/simulate.ts";
import { smoke } from "./smoke/smoke.ts";
import { status } from "./status/status.ts";
import { plan, sync } from "./sync/sync.ts";
import { ticked } from "./ticked/ticked.ts";

/** Every command, in the order of the help. */
export const COMMANDS: readonly CliCommand[] = [
  init,
  check,
  bump,
  smoke,
  promote,
  evidence,
  simulate,
  hold,
  unhold,
  withdraw,
  ticked,
  status,
  history,
  plan,
  sync,
  rollout,
  observe,
  dashboard,
  render,
  install,
  importing,
  demo,
  completion,
  complete,
];
