import { cpSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, it } from "vitest";
import { packageOf } from "../cli/init/folder.ts";
import { root } from "../house/clone.ts";
import { blocksOf, textOf, withBlocks, type Block } from "./page.ts";
import { cloneOfSample, controlPlanes, skipWithout, terminalsIn, type Terminals } from "./reader.ts";

const DOCS = ".github/docs";
/** Stands for the package that `npm pack` makes of a clone. */
const PACKAGE = packageOf("kyma-modules");

/** A page whose terminals are typed. */
export interface Page {
  readonly path: string;
  /** The landscapes whose control planes the page asks. */
  readonly landscapes?: readonly string[];
  /** Programs that not every machine has. */
  readonly needs?: readonly string[];
}

/** What a page needs besides a clone of the sample. */
const NEEDS: Readonly<Record<string, Omit<Page, "path">>> = {
  "README.md": { needs: ["kube-apiserver", "kubectl"] },
  [`${DOCS}/gate.md`]: { needs: ["kube-apiserver"] },
  [`${DOCS}/rehearsal.md`]: { needs: ["kube-apiserver"] },
  [`${DOCS}/smoke.md`]: { needs: ["kube-apiserver"] },
  [`${DOCS}/sync.md`]: { needs: ["kube-apiserver", "kubectl"], landscapes: ["dev", "stage"] },
  [`${DOCS}/adoption.md`]: { needs: ["kube-apiserver", "kubectl"], landscapes: ["dev"] },
};

/** The README, and the pages of `.github/docs`. */
export const PAGES: readonly (Page & { readonly text: string })[] = [
  "README.md",
  ...readdirSync(join(root, DOCS)).map((name) => `${DOCS}/${name}`),
].map((path) => ({
  path,
  text: readFileSync(join(root, path), "utf8"),
  ...NEEDS[path],
}));

/** Whether a page is typed at night: all but the first that a person reads. */
export function isLong({ path }: Page): boolean {
  return path !== "README.md";
}

/** Types the commands of a block; gives the block with what they print. */
async function follow(block: Block, terminals: Terminals): Promise<string> {
  const terminal = terminals(block.terminal);
  const printed: string[] = [];
  for (const { command } of block.steps)
    printed.push(await (command === "^C" ? terminal.interrupt() : terminal.type(command, block.until)));
  return textOf(block.steps, printed);
}

/** The tests of the pages that `isChosen` chooses; with `--update`, what differs is written into the page. */
export function testPages(isChosen: (page: Page) => boolean): void {
  describe.concurrent("the terminals that a page shows", () => {
    it.for(PAGES.filter(isChosen))("are true: $path", async ({ path, text, landscapes, needs = [] }, context) => {
      await skipWithout(needs, context);
      const clone = cloneOfSample(context);
      cpSync(PACKAGE, join(clone, basename(PACKAGE)));
      const environment = landscapes && { KUBECONFIG: await controlPlanes(landscapes, clone, context) };
      const terminals = terminalsIn(clone, environment ?? {}, context);
      const texts: string[] = [];
      for (const block of blocksOf(text))
        texts.push(block.noRun === undefined ? await follow(block, terminals) : block.text);

      await context.expect(withBlocks(text, texts)).toMatchFileSnapshot(join(root, path));
    });
  });
}
