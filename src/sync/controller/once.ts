/** How many answers are kept: those about the tip of a branch, and about what landscapes serve. */
const KEPT = 8;

/**
 * Asks once for each key, however many wait for the answer: what is said of a commit does not change. What failed, or was
 * aborted, for another caller is asked again.
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
