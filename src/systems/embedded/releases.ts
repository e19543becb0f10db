import type { Limits } from "../http/client.ts";

/** The release of Kubernetes that `control-plane/go.mod` builds. */
export const BUILT_VERSION = "1.36.3";

/** The newest envtest release of the same minor version: not every patch of Kubernetes gets one. */
export const DOWNLOADED_VERSION = "1.36.2";

/** The two programs of a control plane, by their file names. */
export const PROGRAMS = ["etcd", "kube-apiserver"] as const;

/** Absolute paths of the two programs of a control plane. */
export interface Binaries {
  readonly etcd: string;
  readonly apiServer: string;
}

/** Shows one line of progress to the user. */
export type BinariesProgress = (line: string) => void;

/** The result of one way to get the binaries; `why` is a text to follow a colon. */
export type BinariesAttempt = { readonly made: true } | { readonly made: false; readonly why: string };

/** One archive: its path below the base, and the SHA-512 of its bytes in hexadecimal. */
interface Archive {
  readonly path: string;
  readonly sha512: string;
}

/** A place to download from. */
export interface DownloadSource {
  /** Address without a slash at its end. */
  readonly base: string;
  /** Absent if there is no archive for this platform. */
  readonly archive?: Archive;
  readonly deadlines: DownloadDeadlines;
}

/** Timeouts of a download, in milliseconds. */
export interface DownloadDeadlines extends Pick<Limits, "firstByteMs" | "idleMs"> {
  /** Until the connection is established. */
  readonly connectMs: number;
}

/**
 * SHA-512 by platform, from `envtest-releases.yaml` of kubernetes-sigs/controller-tools. Pinned here instead of fetched
 * with the archive, since an attacker who can change one could change the other.
 */
const SHA512: Readonly<Record<string, string>> = {
  "darwin-amd64":
    "b4fe9f973cd1992e3880f8b230ed32c0c243b83371591e3e3315f4404df2cdbef8ee94eeb9bb245b7e5feb987d5c4a76c43e0877654ab73f00d7bbc2b9984514",
  "darwin-arm64":
    "9278f9e5af556b2f1f2d139769c1f0d717c7b4426917fdebdba898bcb725a916e4910d6160886194ff9be9589ea7c5c32c2b8ae0754703874b7c8ba8ddfc41ce",
  "linux-amd64":
    "ea743186c8a799f5cf8faf16969f86189d003cb7d130e0ac4b58789f1e5748dcf30ebe91c837a10d5ac415383da3e10b9e64d65785c938c23e739781cfb76f08",
  "linux-arm64":
    "2d72ee985a8e262a3c57dc9f7f0fd891f6a8c7bf7ebaa2db6dc6d8eac8ae28181afe51c1f368b67756cdb40b10de9b205609e1726e5f27f7c6d824dd9c6649ac",
  "linux-ppc64le":
    "ff3b84074f56121109c0063a467c900081dcaff725f51d70a0b32cee60038ef3f581257cf93327e98988cdbdeb4af12ac7a86267ce74817940b490fd53d7c1f0",
  "linux-s390x":
    "f28eaa0d67659bd8a5d5ff3980685559d01a4ab21b3774d2b8c46150c6019c18e3402a464d1d0c718e531ac94deba5f1354dbdfa35071b5b6e15505615ed6561",
};

/** Operating system and processor by their Go names, such as `linux-amd64`. */
export function platformName(): string {
  const architectures: Readonly<Record<string, string>> = { x64: "amd64", ppc64: "ppc64le" };
  return `${process.platform}-${architectures[process.arch] ?? process.arch}`;
}

/** The release archive of kubernetes-sigs/controller-tools for this platform. */
export function officialSource(): DownloadSource {
  const platform = platformName();
  const sha512 = SHA512[platform];
  const release = `envtest-v${DOWNLOADED_VERSION}`;
  return {
    base: "https://github.com/kubernetes-sigs/controller-tools/releases/download",
    ...(sha512 === undefined ? {} : { archive: { path: `${release}/${release}-${platform}.tar.gz`, sha512 } }),
    // A short connection timeout, so that users without a network do not wait.
    deadlines: { connectMs: 3_000, firstByteMs: 8_000, idleMs: 15_000 },
  };
}
