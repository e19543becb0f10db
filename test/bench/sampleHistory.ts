import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { letters } from "./sampleCatalogue.ts";
import { gitIn } from "./sampleRepository.ts";
import { sampleTemplate } from "./sampleTemplate.ts";

/** How large a history is to be. The same `seed` gives the same commits. */
export interface HistorySize {
  readonly modules: number;
  /** First-parent commits. */
  readonly commits: number;
  readonly seed: number;
}

/** When the sample histories begin; Unix seconds. */
const BEGIN_S = Date.UTC(2023, 0, 2, 8) / 1000;
/** Between two commits on average; seconds. */
const PACE_S = 9_500;
/** Every so many commits is the merge of a branch of two commits, and every so many changes nothing of the catalogue. */
const [MERGE_EVERY, OTHER_EVERY] = [10, 25];

/**
 * Makes `folder` a packed repository whose branch `main` moves modules from `fast` to `regular` for years, with holds and
 * hot-fixes now and then. Its head is a valid catalogue; nothing is checked out.
 */
export async function writeSampleHistory(folder: string, size: HistorySize, signal: AbortSignal): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const git = gitIn(folder, signal);
  await git("init", "--quiet", "--initial-branch=main");
  const child = spawn("git", ["fast-import", "--quiet"], { cwd: folder, signal, stdio: ["pipe", "ignore", "inherit"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on("error", reject).on("close", resolve);
  });
  await pipeline(Readable.from(new SampleHistory(size).stream()), child.stdin);
  const code = await ended;
  if (code !== 0) throw new Error(`git fast-import ended with ${String(code)}`);
  await git("repack", "-a", "-d", "--quiet");
}

/** What one commit writes: path to content, or `undefined` for a file that goes. */
type Files = ReadonlyMap<string, string | undefined>;

interface SampleModule {
  readonly name: string;
  fast: readonly [number, number, number];
  regular: readonly [number, number, number];
  holds: number;
  hotfixes: number;
}

/** Plays the history as a stream for `git fast-import`. */
class SampleHistory {
  readonly #size: HistorySize;
  readonly #modules: readonly SampleModule[];
  #random: number;
  #atS = BEGIN_S;
  #mark = 0;

  constructor(size: HistorySize) {
    this.#size = size;
    this.#random = size.seed;
    this.#modules = Array.from({ length: size.modules }, (_, index) => ({
      name: `sample-${letters(index)}`,
      fast: [1, 0, 0],
      regular: [1, 0, 0],
      holds: 0,
      hotfixes: 0,
    }));
  }

  *stream(): Generator<string> {
    const [settings, policies] = [new Map<string, string>([["kyma-modules.yaml", SETTINGS]]), Object.entries(POLICIES)];
    for (const [channel, text] of policies) settings.set(`channels/${channel}.yaml`, text);
    yield this.#commit("Begin", settings);
    for (let index = 1; index < this.#size.commits; index++) {
      const [subject, files] = index % OTHER_EVERY === 0 ? this.#other(index) : this.#change(index);
      if (index % MERGE_EVERY === 0) yield* this.#merge(subject, files);
      else yield this.#commit(subject, files);
    }
  }

  /** A module that is new first, then one that the dice choose. */
  #change(index: number): readonly [string, Files] {
    const fresh = this.#modules[index - 1];
    if (fresh !== undefined) return this.#first(fresh);
    const module = this.#modules[this.#dice(this.#modules.length)];
    if (module === undefined) return this.#other(index);
    const chance = this.#dice(100);
    if (chance < 4) return this.#hold(module);
    if (chance < 6) return this.#hotfix(module);
    if (chance < 45) return this.#promote(module);
    return this.#submit(module);
  }

  #first(module: SampleModule): readonly [string, Files] {
    const files = new Map([
      [`modules/${module.name}/module.yaml`, `format: 1\nowners: ["@kyma-project/${module.name}"]\n`],
      ...(["fast", "regular"] as const).map((channel) => entry(module, channel)),
    ]);
    return [`Add ${module.name}`, files];
  }

  #submit(module: SampleModule): readonly [string, Files] {
    const [major, minor, patch] = module.fast;
    module.fast = this.#dice(3) === 0 ? [major, minor, patch + 1] : [major, minor + 1, 0];
    return [`Bump ${module.name} to ${module.fast.join(".")} in fast`, new Map([entry(module, "fast")])];
  }

  #promote(module: SampleModule): readonly [string, Files] {
    if (module.fast.join() === module.regular.join()) return this.#submit(module);
    module.regular = module.fast;
    const version = module.regular.join(".");
    const trailers = `Promotes: ${module.name}@${version}\nFrom-Channel: fast`;
    const subject = `Promote ${module.name} ${version} to regular\n\nIt has earned it.\n\n${trailers}`;
    return [subject, new Map([entry(module, "regular")])];
  }

  #hold(module: SampleModule): readonly [string, Files] {
    const path = `modules/${module.name}/holds.yaml`;
    module.holds = (module.holds + 1) % 2;
    if (module.holds === 0) return [`Release ${module.name}`, new Map([[path, undefined]])];
    const text = `format: 1
holds:
  - version: ${module.fast.join(".")}
    channel: regular
    reason: upgrade drops connections
    by: octocat
    since: "${this.#now()}"
`;
    return [`Hold ${module.name}`, new Map([[path, text]])];
  }

  #hotfix(module: SampleModule): readonly [string, Files] {
    const [major, minor, patch] = module.regular;
    module.regular = [major, minor, patch + 1];
    if (isBelow(module.fast, module.regular)) module.fast = module.regular;
    const text = `format: 1
hotfixes:
  - version: ${module.regular.join(".")}
    channel: regular
    incident: https://github.com/kyma-project/${module.name}/issues/${++module.hotfixes}
    by: octocat
    at: "${this.#now()}"
    alsoFixedIn: [${module.fast.join(".")}]
    debt:
      - kind: smoke
`;
    const files = new Map([
      [`modules/${module.name}/hotfixes.yaml`, text],
      entry(module, "fast"),
      entry(module, "regular"),
    ]);
    return [`Repair ${module.name}`, files];
  }

  #other(index: number): readonly [string, Files] {
    return ["Write it down", new Map([["README.md", `Chapter ${index}\n`]])];
  }

  /** A branch with a draft and the change itself, merged without its commits being in the first-parent history. */
  *#merge(subject: string, files: Files): Generator<string> {
    const base = this.#mark;
    yield this.#commit(`${subject} (draft)`, new Map([["draft.md", `${base}\n`]]), [base], "refs/heads/topic");
    yield this.#commit(subject, new Map([...files, ["draft.md", undefined]]), [this.#mark], "refs/heads/topic");
    yield this.#commit(`Merge: ${subject}`, new Map([...files, ["draft.md", undefined]]), [base, this.#mark]);
  }

  #commit(message: string, files: Files, parents: readonly number[] = [this.#mark], ref = "refs/heads/main"): string {
    this.#atS += this.#dice(2 * PACE_S);
    this.#mark += 1;
    const [from = 0, merged] = parents;
    const changes = [...files].map(([path, text]) =>
      text === undefined ? `D ${path}\n` : `M 100644 inline ${path}\n${data(text)}`,
    );
    return [
      `commit ${ref}\nmark :${this.#mark}\ncommitter Bench <bench@example.org> ${this.#atS} +0000\n${data(message)}`,
      from > 0 ? `from :${from}\n` : "",
      merged === undefined ? "" : `merge :${merged}\n`,
      ...changes,
      "\n",
    ].join("");
  }

  #now(): string {
    return new Date(this.#atS * 1000).toISOString();
  }

  /** 0 to `sides` - 1 (mulberry32). */
  #dice(sides: number): number {
    this.#random = (this.#random + 0x6d2b79f5) | 0;
    let value = Math.imul(this.#random ^ (this.#random >>> 15), 1 | this.#random);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) % sides;
  }
}

function isBelow(a: readonly [number, number, number], b: readonly [number, number, number]): boolean {
  return a[0] - b[0] < 0 || (a[0] === b[0] && (a[1] < b[1] || (a[1] === b[1] && a[2] < b[2])));
}

function entry(module: SampleModule, channel: "fast" | "regular"): [string, string] {
  const version = module[channel].join(".");
  return [`channels/${channel}/${module.name}.yaml`, sampleTemplate({ module: module.name, channel, version })];
}

function data(text: string): string {
  return `data ${Buffer.byteLength(text)}\n${text}\n`;
}

const SETTINGS = `format: 1
landscapes:
  - name: bench
    controlPlane: { context: bench }
    lifecycleManager: version-templates
forge: { kind: none }
`;

const POLICIES = {
  fast: "format: 1\nlandscapes: [bench]\n",
  regular: `format: 1
follows: fast
landscapes: [bench]
promotion:
  soak: { first: 0d, major: 30d, minor: 7d, patch: 1d }
  merge: automatic
`,
};
