import { arch, availableParallelism, cpus, platform, release, totalmem } from "node:os";
import { findBinaries } from "../../src/systems/embedded/binaries.ts";
import { environmentFrom } from "../../src/systems/environment.ts";
import { quietRun } from "../support/quietRun.ts";
import { runToEnd } from "./wholeProcess.ts";
import { ROOT } from "./workbench.ts";

/** The machine, as far as it explains the figures. */
export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
}

/** This machine. */
export function describeMachine(): Machine {
  return {
    cpu: cpus()[0]?.model ?? "unknown",
    cores: availableParallelism(),
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${platform()} ${release()} ${arch()}`,
  };
}

/** The version of everything that was measured; what is not there says why. */
export async function describeVersions(signal: AbortSignal): Promise<Readonly<Record<string, string>>> {
  const ask = async (program: string, ...args: string[]): Promise<string> => {
    try {
      return (await runToEnd({ program, args, cwd: ROOT }, signal)).trim();
    } catch (error) {
      return `unknown: ${error instanceof Error ? (error.message.trim().split("\n").at(-1) ?? "") : String(error)}`;
    }
  };
  const { apiServer, etcd } = await findBinaries(environmentFrom(process.env), () => undefined, quietRun(signal));
  const status = await ask("git", "status", "--porcelain");
  return {
    kymaModules: `${await ask("git", "rev-parse", "HEAD")}${status === "" ? "" : " and uncommitted changes"}`,
    node: process.version,
    kubeApiServer: await ask(apiServer, "--version"),
    etcd: firstLine(await ask(etcd, "--version")),
    kubectl: firstLine(await ask("kubectl", "version", "--client")),
    git: await ask("git", "--version"),
  };
}

function firstLine(text: string): string {
  return text.split("\n")[0] ?? "";
}
