import type { Run } from "../../ports.ts";
import type { GitHubClient } from "./client.ts";
import { GitHubFault } from "./faults.ts";

/** Maximum of searches for something that exists according to GitHub: its lists lag behind. */
const LOOKS = 4;

/**
 * Creates something exactly once. If the answer got lost, or GitHub reports that it already exists, uses the result of
 * `find`.
 */
export async function makeOnce<Made>(
  { clock, retryPolicy }: GitHubClient,
  make: () => Promise<Made>,
  find: () => Promise<Made | undefined>,
  run: Run,
): Promise<Made> {
  const rest = (turn: number): Promise<void> => clock.pause(retryPolicy.firstPauseMs * 2 ** turn, run);
  const lookFor = async (looks: number): Promise<Made | undefined> => {
    for (let look = 0; look < looks; look++) {
      if (look > 0) await rest(look);
      const found = await find();
      if (found !== undefined) return found;
    }
    return undefined;
  };
  for (let attempt = 0; ; attempt++) {
    try {
      return await make();
    } catch (error) {
      if (!(error instanceof GitHubFault) || (!error.isLost && error.status !== 422)) throw error;
      const found = await lookFor(/already exists/i.test(error.words) ? LOOKS : 1);
      if (found !== undefined) return found;
      if (!error.isLost || attempt >= retryPolicy.repeats) throw error;
      await rest(attempt);
    }
  }
}
