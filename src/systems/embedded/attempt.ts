/** Paths of the two programs that make a control plane. */
export interface Binaries {
  readonly etcd: string;
  readonly apiServer: string;
}

/** Says one line to the person who waits. */
export type BinariesProgress = (line: string) => void;

/** Whether one way to get the binaries led to them; `why` not, in words that follow a colon. */
export type BinariesAttempt = { readonly made: true } | { readonly made: false; readonly why: string };
