import { expect, it } from "vitest";
import {
  type Failure,
  requestFailure,
  failureOfStatus,
  requestFault,
  ForeignAnswer,
  isRepeated,
  retryAfterMs,
} from "../../../src/systems/http/failures.ts";
import { mentions } from "../../support/mentions.ts";

const FAILURES: readonly Failure[] = [
  "limited",
  "unavailable",
  "failed",
  "lost",
  "timeout",
  "unknown-host",
  "untrusted",
  "unwanted",
  "foreign",
];

it("is retried according to the table", () => {
  const repeats = (["safe", "page", "make", "never"] as const).map((repeat) =>
    FAILURES.map((failure) => isRepeated(failure, repeat)),
  );

  expect(repeats).toEqual([
    [true, true, true, true, true, false, false, false, true],
    [true, true, true, true, false, false, false, false, true],
    [true, false, false, false, false, false, false, false, false],
    [false, false, false, false, false, false, false, false, false],
  ]);
});

it.each([
  [200, undefined],
  [404, undefined],
  [429, "limited"],
  [500, "failed"],
  [501, undefined],
  [502, "unavailable"],
  [503, "unavailable"],
  [504, "unavailable"],
  [507, "failed"],
])("the status %i means %s", (status, failure) => {
  expect(failureOfStatus(status)).toBe(failure);
});

const coded = (code: string): Error => Object.assign(new Error(code), { code });

it.each<[string, Error, Failure]>([
  ["refused", coded("ECONNREFUSED"), "lost"],
  ["broken", coded("UND_ERR_SOCKET"), "lost"],
  ["refused at each address", new AggregateError([coded("ECONNREFUSED")]), "lost"],
  ["too late", Object.assign(new Error(), { name: "HeadersTimeoutError" }), "timeout"],
  ["to an unknown host", coded("ENOTFOUND"), "unknown-host"],
  ["to a server without a name server", coded("EAI_AGAIN"), "lost"],
  ["with an expired certificate", coded("CERT_HAS_EXPIRED"), "untrusted"],
  ["with a certificate of someone else", coded("ERR_TLS_CERT_ALTNAME_INVALID"), "untrusted"],
  ["with an unknown authority", coded("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "untrusted"],
  ["without TLS", coded("ERR_SSL_WRONG_VERSION_NUMBER"), "untrusted"],
  ["through a proxy with another certificate", new Error("proxy", { cause: coded("CERT_HAS_EXPIRED") }), "untrusted"],
  ["redirected in a circle", coded("UND_ERR_REDIRECT_MAX"), "unwanted"],
  ["to a proxy that answers itself", new ForeignAnswer(Buffer.from("<html>")), "foreign"],
])("classifies a connection %s", (_, error, failure) => {
  expect(requestFailure(error)).toBe(failure);
});

it("names the certificates to check if they are wrong, otherwise the network", () => {
  const message = (code: string): string => requestFault(coded(code), "CLUSTER", "s", "https://a").message;

  expect(message("CERT_HAS_EXPIRED")).toEqual(mentions("https://a", "expired", "certificates"));
  expect(message("ECONNREFUSED")).toEqual(mentions("https://a", "listens", "network"));
});

it("reads Retry-After as seconds or as a date", () => {
  const after = (value: string): number | undefined => retryAfterMs({ headers: { "retry-after": value } });

  expect([after(""), after("2"), after("soon"), after("Thu, 01 Jan 1970 00:00:00 GMT")]).toEqual([
    undefined,
    2_000,
    undefined,
    0,
  ]);
  expect(after(new Date(Date.now() + 60_000).toUTCString())).toBeGreaterThan(50_000);
});
