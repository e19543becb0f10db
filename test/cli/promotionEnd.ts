import { readMarker } from "../../src/systems/marker.ts";
import type { Double } from "../systems/github/double.ts";

/** Runs git in one repository. */
export type Git = (...args: readonly string[]) => string;

/** The branches of a repository and what each of them changes; what channels serve, and the history of that. */
export function branchesOf(git: Git): unknown {
  const branches = git("for-each-ref", "--format=%(refname:lstrip=2)", "refs/heads/").split("\n");
  return {
    channels: git("ls-tree", "-r", "main", "--", "channels/"),
    history: git("log", "--first-parent", "--format=%s", "--name-only", "main").split("\n"),
    branches: Object.fromEntries(
      branches.map((branch) => [branch, git("diff", `main...${branch}`).replaceAll(/^index .*$/gm, "")]),
    ),
  };
}

/** The pull requests of promotions, without what no two runs have in common. */
export function pullsOf(double: Double): unknown {
  return double
    .pulls()
    .filter(({ head }) => head.startsWith("promote/"))
    .map(({ number, head, state, title, body, headSha, reviewers, mergedAtMs }) => ({
      ...{ number, head, state, title, reviewers },
      isMerged: mergedAtMs !== undefined,
      isAtItsBranch: double.refs().get(`refs/heads/${head}`) === headSha,
      says: body?.replaceAll(COMMIT, "COMMIT").replaceAll(SERVED, "for a while of"),
      marked: readMarker(body)?.head === headSha,
    }));
}

const COMMIT = /\b[0-9a-f]{40}\b/g;
const SERVED = /\bfor \d+d(?: \d+[hms])* of\b/g;
