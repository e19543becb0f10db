/** The number of cached answers: enough for the tip of a branch and the commits that landscapes serve. */
const KEPT = 8;

/**
 * Caches the answers of `ask` by key; concurrent callers share one request. Facts about a commit do not change. A
 * request that failed or was aborted for another caller is repeated.
 */
export function once<Args extends readonly unknown[], T>(
  ask: (...args: Args) => Promise<T>,
  keyOf: (...args: Args) => string,
): (...args: Args) => Promise<T> {
  const answers = new Map<string, Promise<T>>();
  const asked = (...args: Args): Promise<T> => {
    const key = keyOf(...args);
    const known = answers.get(key);
    if (known !== undefined) return known.catch(() => asked(...args));
    const answer = ask(...args);
    answers.set(key, answer);
    for (const oldest of [...answers.keys()].slice(0, -KEPT)) answers.delete(oldest);
    answer.catch(() => answers.get(key) === answer && answers.delete(key));
    return answer;
  };
  return asked;
}
