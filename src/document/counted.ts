/** A number with its noun: `1 error`, `20 errors`, `0.5 healthy hours`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
