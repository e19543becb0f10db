import { randomUUID } from "node:crypto";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import v8 from "@vitest/coverage-v8";
import type { CoverageProviderModule } from "vitest/node";

type Runtime = Required<CoverageProviderModule>;
type TakeOptions = NonNullable<Parameters<Runtime["takeCoverage"]>[0]>;

const { startCoverage, takeCoverage, stopCoverage } = v8 as typeof v8 & Runtime;

/** What the worker told after its first file, and the file of coverage that it was promised. */
let open: { readonly options: TakeOptions; readonly file: string } | undefined;

/**
 * The provider "v8" of vitest, but coverage is taken when a worker ends, not after each of its files: the files of a
 * worker share a process, and each time, all functions that the process has ever loaded would be written and read.
 */
const coverage: Runtime = {
  startCoverage: startCoverage.bind(v8),
  takeCoverage(options?: TakeOptions): string | undefined {
    if (options === undefined) throw new TypeError("vitest names the folder of coverage");
    if (open !== undefined) return undefined;
    open = { options, file: join(options.coverageFilesDirectory, `worker-${randomUUID()}.json`) };
    return open.file;
  },
  async stopCoverage(options) {
    if (open !== undefined) await rename((await takeCoverage.call(v8, open.options)) as string, open.file);
    open = undefined;
    await stopCoverage.call(v8, options);
  },
  getProvider: () => v8.getProvider(),
};

export default coverage;
