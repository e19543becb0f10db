// Written here because the certificate libraries of the registry bring a dozen packages each for these hundred lines:
// Node makes the keys and the signatures, and only the frame around them is missing.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, randomBytes, sign } from "node:crypto";
import { bits, bytes, identifier, instant, integer, isTrue, sequence, setOf, tagged, text, type Der } from "./der.ts";

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certificate: string;
  readonly key: string;
}

/** Who a certificate is for. To Kubernetes the common name is a user, and the organisation a group. */
export interface CertificateSubject {
  readonly commonName: string;
  readonly organization?: string;
}

/** What to certify beside the subject. */
export type Usage =
  | { readonly kind: "authority" }
  | { readonly kind: "client" }
  /** Also good as a client: etcd calls itself. */
  | { readonly kind: "server"; readonly addresses: readonly string[]; readonly names: readonly string[] };

interface Signer {
  readonly subject: CertificateSubject;
  readonly key: string;
}

const ECDSA_WITH_SHA256 = sequence(identifier("1.2.840.10045.4.3.2"));
const DAY_MS = 86_400_000;
const LIFETIME_DAYS = { authority: 3_650, client: 365, server: 365 } as const;

/** A new key on the curve P-256, PEM. */
export function newKey(): string {
  return generateKeyPairSync("ec", {
    namedCurve: "prime256v1",
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey;
}

/** The public half of a private key, PEM. */
export function publicHalf(key: string): string {
  return createPublicKey(createPrivateKey(key)).export({ type: "spki", format: "pem" }).toString();
}

/** A certificate authority for `subject`, valid for ten years from a day before `nowMs`. */
export function newAuthority(subject: CertificateSubject, nowMs: number): KeyPair {
  const key = newKey();
  return { key, certificate: certify(subject, key, { kind: "authority" }, { subject, key }, nowMs) };
}

/** A key and a certificate signed by `signer`, valid for a year from a day before `nowMs`. */
export function issue(subject: CertificateSubject, usage: Usage, signer: Signer, nowMs: number): KeyPair {
  const key = newKey();
  return { key, certificate: certify(subject, key, usage, signer, nowMs) };
}

function certify(subject: CertificateSubject, key: string, usage: Usage, signer: Signer, nowMs: number): string {
  const serial = randomBytes(16);
  serial[0] = ((serial.at(0) ?? 0) & 0x7f) | 0x40; // positive and of full length
  const content = sequence(
    tagged(0xa0, integer(Buffer.from([2]))), // X.509 version 3
    integer(serial),
    ECDSA_WITH_SHA256,
    nameOf(signer.subject),
    // A day earlier, for clocks that differ: a data folder may come from another machine.
    sequence(instant(nowMs - DAY_MS), instant(nowMs + LIFETIME_DAYS[usage.kind] * DAY_MS)),
    nameOf(subject),
    publicDer(key),
    tagged(0xa3, sequence(...extensions(usage, key, signer.key))),
  );
  const signature = sign("sha256", content, signer.key);
  return pem(sequence(content, ECDSA_WITH_SHA256, bits(signature)));
}

function nameOf({ commonName, organization }: CertificateSubject): Der {
  const part = (id: string, value: string): Der => setOf(sequence(identifier(id), text(value)));
  const organizations = organization === undefined ? [] : [part("2.5.4.10", organization)];
  return sequence(...organizations, part("2.5.4.3", commonName));
}

function extensions(usage: Usage, key: string, signerKey: string): readonly Der[] {
  const common = [
    extension("2.5.29.14", bytes(keyIdentifier(key))),
    extension("2.5.29.35", sequence(tagged(0x80, keyIdentifier(signerKey)))),
  ];
  const serverAuth = identifier("1.3.6.1.5.5.7.3.1");
  const clientAuth = identifier("1.3.6.1.5.5.7.3.2");
  switch (usage.kind) {
    case "authority":
      // May sign certificates (bit 5) and revocation lists (bit 6).
      return [
        ...common,
        critical("2.5.29.19", sequence(isTrue())),
        critical("2.5.29.15", bits(Buffer.from([0x06]), 1)),
      ];
    case "client":
      return [...common, digitalSignature(), extension("2.5.29.37", sequence(clientAuth))];
    case "server":
      return [
        ...common,
        digitalSignature(),
        extension("2.5.29.37", sequence(serverAuth, clientAuth)),
        extension("2.5.29.17", sequence(...usage.names.map(dnsName), ...usage.addresses.map(ipAddress))),
      ];
  }
}

const extension = (id: string, value: Der): Der => sequence(identifier(id), bytes(value));
const critical = (id: string, value: Der): Der => sequence(identifier(id), isTrue(), bytes(value));
const digitalSignature = (): Der => critical("2.5.29.15", bits(Buffer.from([0x80]), 7));
const dnsName = (name: string): Der => tagged(0x82, Buffer.from(name));
const ipAddress = (address: string): Der => tagged(0x87, Buffer.from(address.split(".").map(Number)));

const publicDer = (key: string): Der => createPublicKey(createPrivateKey(key)).export({ type: "spki", format: "der" });

/** Any hash of the public key will do (RFC 5280, 4.2.1.2). */
const keyIdentifier = (key: string): Buffer => createHash("sha256").update(publicDer(key)).digest().subarray(0, 20);

function pem(der: Der): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n");
}
