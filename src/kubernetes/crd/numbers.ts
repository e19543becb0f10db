import { kindsOf, numberAt, type Schema } from "./schema.ts";

/**
 * A number that the bounds of a schema allow, as near to 1 as they let it be. Numbers of different `choice` differ.
 * `undefined` where there is none.
 */
export function numberSample(schema: Schema, choice: number): number | undefined {
  const isInteger = !kindsOf(schema).includes("number");
  const step = numberAt(schema, "multipleOf") ?? 1;
  const value = nearOne(schema, step, choice);
  if (fits(schema, value) && (!isInteger || Number.isInteger(value))) return value;
  const between = (Number(schema["minimum"]) + Number(schema["maximum"])) / 2;
  return !isInteger && numberAt(schema, "multipleOf") === undefined && fits(schema, between) ? between : undefined;
}

/** Whether a number is within the bounds of a schema. */
export function fits(schema: Schema, value: number): boolean {
  const minimum = numberAt(schema, "minimum") ?? -Infinity;
  const maximum = numberAt(schema, "maximum") ?? Infinity;
  const isAbove = schema["exclusiveMinimum"] === true ? value > minimum : value >= minimum;
  return isAbove && (schema["exclusiveMaximum"] === true ? value < maximum : value <= maximum);
}

/** The multiple of `step` that is allowed from below, else from above, else the first one. */
function nearOne(schema: Schema, step: number, choice: number): number {
  const minimum = numberAt(schema, "minimum");
  const maximum = numberAt(schema, "maximum");
  if (minimum !== undefined) {
    const first = Math.ceil(minimum / step);
    const isBarred = schema["exclusiveMinimum"] === true && first * step === minimum;
    return (first + Number(isBarred) + choice) * step;
  }
  if (maximum === undefined || maximum > (choice + 1) * step) return (choice + 1) * step;
  const last = Math.floor(maximum / step);
  const isBarred = schema["exclusiveMaximum"] === true && last * step === maximum;
  return (last - Number(isBarred) - choice) * step;
}
