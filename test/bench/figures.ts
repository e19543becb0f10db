/** The middle and the ends of one figure over all runs. */
export interface Spread {
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** One thing that was run several times as a whole process. Seconds; MiB. `null`: this machine cannot tell. */
export interface Series {
  readonly name: string;
  readonly runs: number;
  readonly wallSeconds: Spread;
  /** User and system time of the process and of those that it waited for. */
  readonly cpuSeconds: Spread | null;
  /** The largest resident set among them. */
  readonly peakMiB: Spread | null;
  /** What the process itself, or the API server, says of the run; units stand in the names. */
  readonly details: Readonly<Record<string, Spread>>;
}

/** How many times `of` goes into `to`: run by run, so that a machine that slows down slows both. */
export interface Ratio {
  readonly name: string;
  readonly of: string;
  readonly to: string;
  readonly ratio: Spread;
}

/** What was promised of a figure. `met` is `null` where the figure could not be had. */
export interface Limit {
  readonly name: string;
  readonly atMost?: number;
  readonly atLeast?: number;
  readonly unit: string;
  readonly median: number | null;
  readonly met: boolean | null;
}

/** Everything that one measurement found. */
export interface Measurement {
  readonly name: string;
  readonly what: string;
  readonly series: readonly Series[];
  readonly ratios: readonly Ratio[];
  readonly limits: readonly Limit[];
}

/** A measurement that this machine cannot make, and why. */
export interface Skipped {
  readonly name: string;
  readonly skipped: string;
}

/** One run of a whole process. */
export interface Sample {
  readonly wallSeconds: number;
  readonly cpuSeconds: number | null;
  readonly peakMiB: number | null;
  readonly details: Readonly<Record<string, number>>;
}

/** The spread of at least one value, to three digits behind the point. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number): number => sorted[index] ?? Number.NaN;
  const middle = (sorted.length - 1) / 2;
  const median = (at(Math.floor(middle)) + at(Math.ceil(middle))) / 2;
  return { median: round(median), min: round(at(0)), max: round(at(sorted.length - 1)) };
}

/** The runs of one process as a series. */
export function seriesOf(name: string, samples: readonly Sample[]): Series {
  const details = Object.keys(samples[0]?.details ?? {}).map((key): [string, Spread] => [
    key,
    spreadOf(samples.map((sample) => sample.details[key] ?? Number.NaN)),
  ]);
  return {
    name,
    runs: samples.length,
    wallSeconds: spreadOf(samples.map(({ wallSeconds }) => wallSeconds)),
    cpuSeconds: spreadOfKnown(samples.map(({ cpuSeconds }) => cpuSeconds)),
    peakMiB: spreadOfKnown(samples.map(({ peakMiB }) => peakMiB)),
    details: Object.fromEntries(details),
  };
}

/** The samples of two processes that ran in turn, and what to compare. */
export interface Pairing {
  readonly name: string;
  readonly of: readonly [name: string, samples: readonly Sample[]];
  readonly to: readonly [name: string, samples: readonly Sample[]];
  readonly figure: (sample: Sample) => number;
}

/** The ratio `of` / `to`, taken run by run. */
export function ratioOf({ name, of, to, figure }: Pairing): Ratio {
  const pairs = of[1].flatMap((sample, index) => {
    const other = to[1][index];
    return other === undefined ? [] : [figure(sample) / figure(other)];
  });
  return { name, of: of[0], to: to[0], ratio: spreadOf(pairs) };
}

/** A limit that the median must not exceed. */
export function atMost(name: string, limit: number, unit: string, spread: Spread | null): Limit {
  const median = spread?.median ?? null;
  return { name, atMost: limit, unit, median, met: median === null ? null : median <= limit };
}

/** A limit that the median must reach. */
export function atLeast(name: string, limit: number, unit: string, spread: Spread): Limit {
  return { name, atLeast: limit, unit, median: spread.median, met: spread.median >= limit };
}

function spreadOfKnown(values: readonly (number | null)[]): Spread | null {
  const known = values.filter((value) => value !== null);
  return known.length === values.length ? spreadOf(known) : null;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
