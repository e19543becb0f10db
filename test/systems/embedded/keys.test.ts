import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { prepareKeys } from "../../../src/systems/embedded/keys.ts";
import { needControlPlane } from "../../support/needControlPlane.ts";

const DAY_MS = 86_400_000;

describe("the keys of a control plane", () => {
  let folder: string;
  let keys: string;

  beforeEach((context) => {
    const { kubeconfig } = needControlPlane(context);
    folder = mkdtempSync(join(tmpdir(), "keys-test-"));
    keys = join(folder, "pki");
    mkdirSync(keys);
    for (const name of ["apiserver.crt", "apiserver.key"])
      cpSync(join(dirname(kubeconfig), "pki", name), join(keys, name));
  });

  afterEach(() => {
    rmSync(folder, { recursive: true, force: true });
  });

  const contents = (): readonly string[] => readdirSync(keys).toSorted();
  const all = ["apiserver.crt", "apiserver.key", "service-account.key", "service-account.pub", "tokens.csv"];

  it("stay the same at the next start", async () => {
    const token = await prepareKeys(folder, Date.now());
    expect(contents()).toEqual(all);
    const before = all.map((name) => readFileSync(join(keys, name), "utf8"));
    expect(await prepareKeys(folder, Date.now() + 300 * DAY_MS)).toBe(token);
    expect(all.map((name) => readFileSync(join(keys, name), "utf8"))).toEqual(before);
  });

  it("are readable for their user only, even in a folder that was open to others", async () => {
    chmodSync(keys, 0o755);
    await prepareKeys(folder, Date.now());
    expect(statSync(keys).mode & 0o777).toBe(0o700);
    const modes = all.slice(2).map((name) => statSync(join(keys, name)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o600, 0o600]);
  });

  it.each([
    ["ends within a month", () => undefined, Date.now() + 340 * DAY_MS],
    [
      "has no key",
      () => {
        rmSync(join(keys, "apiserver.key"));
      },
      Date.now(),
    ],
    [
      "is half written",
      () => {
        writeFileSync(join(keys, "apiserver.crt"), "-----BEGIN CERTIFICATE-----\n");
      },
      Date.now(),
    ],
    [
      "has another key",
      () => {
        cpSync(join(keys, "service-account.key"), join(keys, "apiserver.key"));
      },
      Date.now(),
    ],
  ])("remove the certificate when it %s", async (_name, spoil, nowMs) => {
    await prepareKeys(folder, Date.now());
    spoil();
    await prepareKeys(folder, nowMs);
    expect(contents()).toEqual(all.slice(2));
  });
});
