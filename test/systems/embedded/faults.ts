import { Fault } from "../../../src/ports.ts";

/** The Fault that the promise is rejected with; anything else is a mistake of the test. */
export async function faultOf(promise: Promise<unknown>): Promise<Fault> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error("there was no Fault");
}
