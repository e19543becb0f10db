import { Fault, type FaultCode, type Run } from "../../ports.ts";
import type { Fact } from "../facts.ts";

/** Questions that are under way at once. */
const MOST = 16;

/** The answer to every question, under the same keys; only so many are asked at once. */
export async function askAll<Question, Answer>(
  questions: ReadonlyMap<string, Question>,
  ask: (question: Question) => Promise<Answer>,
): Promise<ReadonlyMap<string, Answer>> {
  const answers = new Map<string, Answer>();
  const waiting = questions.entries();
  // All of them take from one iterator: whoever is free has the next.
  const work = async (): Promise<void> => {
    for (const [key, question] of waiting) answers.set(key, await ask(question));
  };
  await Promise.all(Array.from({ length: Math.min(MOST, questions.size) }, work));
  return answers;
}

/** What `ask` gives, or why that is unknown: a Fault of one question does not end the others. Aborts pass. */
export async function attempt<T>(place: string, ask: () => Promise<T>, run: Run): Promise<Fact<T>> {
  try {
    return { kind: "known", value: await ask() };
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof Fault)) throw error;
    return { kind: "unknown", why: whyUnknown(place, error) };
  }
}

const REASONS: Readonly<Partial<Record<FaultCode, string>>> = {
  REGISTRY_UNREACHABLE: "was not reachable",
  REGISTRY_TIMEOUT: "did not answer in time",
  REGISTRY_BUSY: "was too busy to answer",
  REGISTRY_UNAUTHORIZED: "does not let us read it (docker login)",
  REGISTRY_REFUSED: "refused to answer",
  REGISTRY_CORRUPT: "answered with something else than it was asked for",
  LINK_UNREACHABLE: "was not reachable",
  LINK_REFUSED: "refused to answer",
  GIT_FAILED: "cannot be read without credentials",
  CLUSTER_UNREACHABLE: "was not reachable",
  CLUSTER_TIMEOUT: "did not answer in time",
  CLUSTER_BUSY: "was too busy to answer",
  CLUSTER_UNAUTHORIZED: "does not let us ask it",
  CLUSTER_FORBIDDEN: "does not let us ask it",
};

/** `the registry registry.example.com was not reachable`: the remedy is not for whoever reads what was not run. */
function whyUnknown(place: string, { code }: Fault): string {
  return `${place} ${REASONS[code] ?? "could not be asked"}`;
}
