const SUFFIXES: Readonly<Record<string, number>> = {
  ...{ n: 1e-9, u: 1e-6, m: 1e-3, "": 1, k: 1e3, M: 1e6, G: 1e9, T: 1e12, P: 1e15, E: 1e18 },
  ...{ Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40, Pi: 2 ** 50, Ei: 2 ** 60 },
};

/** A quantity of Kubernetes, such as `100m`, `64Mi` or `2`, as a number; `undefined` when it is not valid. */
export function parseQuantity(value: unknown): number | undefined {
  const [, number = "", suffix = ""] = /^([+-]?[0-9.]+(?:[eE][+-]?\d+)?)([a-zA-Z]*)$/.exec(String(value)) ?? [];
  const factor = SUFFIXES[suffix];
  return number === "" || factor === undefined || Number.isNaN(Number(number)) ? undefined : Number(number) * factor;
}
