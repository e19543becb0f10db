import { appendFileSync } from "node:fs";
import { withGate, type PromotionPorts } from "../../src/cli/compose/promotion.ts";
import type { CheckPorts } from "../../src/cli/compose/compose.ts";
import type { OpenCheckWorld } from "../../src/check/gather/gather.ts";
import type { Forge, History, Run, Source } from "../../src/ports.ts";

/** Notes each moment before and after an awaited call, and kills this process with kill -9 at one of them. */
export interface Mortality {
  /** The same call, with a moment before it and, where it does not fail, one after it. */
  readonly awaited: <Given extends unknown[], Got>(
    name: string,
    call: (...given: Given) => Promise<Got>,
  ) => (...given: Given) => Promise<Got>;
}

/** The mortality of this process: moments, numbered from 1, go to the file `log`; it does not live past moment `at`. */
export function mortality(log: string, at: number): Mortality {
  let moments = 0;
  const moment = (what: string): void => {
    moments += 1;
    appendFileSync(log, `${what}\n`);
    if (moments === at) process.kill(process.pid, "SIGKILL");
  };
  return {
    awaited:
      (name, call) =>
      async (...given) => {
        moment(`before ${name}`);
        const got = await call(...given);
        moment(`after ${name}`);
        return got;
      },
  };
}

/** Everything that promotion asks of the world, each awaited call of it mortal. */
export function mortalPorts(ports: PromotionPorts, mortality: Mortality): PromotionPorts {
  const { world, diff, openWebhook } = ports;
  const { awaited } = mortality;
  const check = mortalCheck(ports.check, mortality);
  return {
    check,
    withGate: (gathered, work) => withGate(check, gathered, work),
    world: {
      clock: world.clock,
      history: mortalHistory(world.history, mortality),
      source: (revision) => mortalSource("head", world.source(revision), mortality),
      resolve: awaited("resolve", (revision, run) => world.resolve(revision, run)),
      openForge: awaited("openForge", async (settings, run) => {
        const forge = await world.openForge(settings, run);
        return forge && mortalForge(forge, mortality);
      }),
      namedFiles: check.namedFiles,
      uncommitted: awaited("uncommitted", (run) => world.uncommitted(run)),
      evidenceTips: awaited("evidenceTips", (run) => world.evidenceTips(run)),
      login: awaited("login", (run) => world.login(run)),
    },
    diff: awaited("diff", diff),
    openWebhook,
  };
}

function mortalForge(forge: Forge, { awaited }: Mortality): Forge {
  return {
    look: awaited("look", (prefixes, run) => forge.look(prefixes, run)),
    propose: awaited("propose", (draft, known, run) => forge.propose(draft, known, run)),
    close: awaited("close", (proposal, why, run) => forge.close(proposal, why, run)),
    merge: awaited("merge", (proposal, draft, run) => forge.merge(proposal, draft, run)),
    mergeTimes: awaited("mergeTimes", (commits, run) => forge.mergeTimes(commits, run)),
  };
}

function mortalSource(name: string, source: Source, { awaited }: Mortality): Source {
  return { snapshot: awaited(`snapshot of ${name}`, (wants, run) => source.snapshot(wants, run)) };
}

function mortalCheck(check: CheckPorts, mortality: Mortality): CheckPorts {
  const { awaited } = mortality;
  return {
    ...check,
    openRevision: (revision) => mortalSource("base", check.openRevision(revision), mortality),
    namedFiles: {
      ...check.namedFiles,
      readOne: awaited("readOne", (path, run) => check.namedFiles.readOne(path, run)),
    },
    openWorld: awaited("openWorld", async (options, run: Run) =>
      mortalWorld(await check.openWorld(options, run), mortality),
    ),
  };
}

function mortalHistory(history: History, { awaited }: Mortality): History {
  return {
    read: awaited("read", (revision, scope, run) => history.read(revision, scope, run)),
    brought: awaited("brought", (line, run) => history.brought(line, run)),
    contents: awaited("contents", (commits, paths, run) => history.contents(commits, paths, run)),
  };
}

function mortalWorld(world: OpenCheckWorld, mortality: Mortality): OpenCheckWorld {
  const { awaited } = mortality;
  const { clock, validator, outside } = world;
  return {
    ...{ clock, outside },
    validator: {
      judge: awaited("judge", (requests, run) => validator.judge(requests, run)),
      close: () => validator.close(),
    },
    history: mortalHistory(world.history, mortality),
    close: awaited("close of the gate", () => world.close()),
  };
}
