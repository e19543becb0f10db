import pLimit from "p-limit";
import { Fault, type FaultCode, type Run } from "../../ports.ts";
import type { Fact } from "../facts.ts";

/** The most questions asked at once. */
const MOST = 16;

/** The answers to all questions, under the same keys. Only a limited number is asked at once. */
export async function askAll<Question, Answer>(
  questions: ReadonlyMap<string, Question>,
  ask: (question: Question) => Promise<Answer>,
): Promise<ReadonlyMap<string, Answer>> {
  return new Map(
    await pLimit(MOST).map(questions, async ([key, question]): Promise<[string, Answer]> => [key, await ask(question)]),
  );
}

/**
 * The result of `ask` as a fact. A Fault makes it unknown, so that one question does not end the others. An abort is
 * thrown.
 */
export async function attempt<T>(place: string, ask: () => Promise<T>, run: Run): Promise<Fact<T>> {
  try {
    return { kind: "known", value: await ask() };
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof Fault)) throw error;
    // Without the remedy of the Fault, which is not for readers of a report.
    return { kind: "unknown", why: `${place} ${REASONS[error.code] ?? "could not be asked"}` };
  }
}

const REASONS: Readonly<Partial<Record<FaultCode, string>>> = {
  REGISTRY_UNREACHABLE: "was not reachable",
  REGISTRY_TIMEOUT: "did not answer in time",
  REGISTRY_BUSY: "was too busy to answer",
  REGISTRY_UNAUTHORIZED: "denies access (docker login)",
  REGISTRY_REFUSED: "refused to answer",
  REGISTRY_CORRUPT: "gave an unexpected answer",
  LINK_UNREACHABLE: "was not reachable",
  LINK_REFUSED: "refused to answer",
  GIT_FAILED: "cannot be read without credentials",
  CLUSTER_UNREACHABLE: "was not reachable",
  CLUSTER_TIMEOUT: "did not answer in time",
  CLUSTER_BUSY: "was too busy to answer",
  CLUSTER_UNAUTHORIZED: "denies access",
  CLUSTER_FORBIDDEN: "denies access",
};
