/** The number of cached answers: enough for the tip of a branch and the commits that landscapes serve. */
const KEPT = 8;

/** What a cache holds of an answer: the answer, or a `WeakRef` that a collection of memory empties. */
interface HeldAnswer<T extends WeakKey> {
  deref(): T | undefined;
}

/**
 * Caches the answers of `ask` by key; concurrent callers share one request. Facts about a commit do not change. A
 * request that failed or was aborted for another caller is repeated. `hold` decides how long an answer stays.
 */
export function once<Args extends readonly unknown[], T>(
  ask: (...args: Args) => Promise<T>,
  keyOf: (...args: Args) => string,
  hold: (answer: Promise<T>) => HeldAnswer<Promise<T>> = (answer) => ({ deref: () => answer }),
): (...args: Args) => Promise<T> {
  const answers = new Map<string, HeldAnswer<Promise<T>>>();
  const asked = (...args: Args): Promise<T> => {
    const key = keyOf(...args);
    const known = answers.get(key)?.deref();
    if (known !== undefined) return known.catch(() => asked(...args));
    const answer = ask(...args);
    const held = hold(answer);
    answers.set(key, held);
    for (const oldest of [...answers.keys()].slice(0, -KEPT)) answers.delete(oldest);
    answer.catch(() => answers.get(key) === held && answers.delete(key));
    return answer;
  };
  return asked;
}
