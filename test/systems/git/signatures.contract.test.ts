import { execFileSync } from "node:child_process";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { UnsignedCommit } from "../../../src/ports.ts";
import type { Signers } from "../../../src/systems/git/signatures.ts";
import { mentions } from "../../support/mentions.ts";
import { quietRun } from "../../support/quietRun.ts";
import { emptyFolder } from "../repository.ts";
import { type Followed, followed } from "./following.ts";

const run = quietRun();

/** A new SSH key; gives its file. */
function sshKey(): string {
  const key = join(emptyFolder().path, "key");
  execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "test", "-f", key]);
  return key;
}

/** A file that allows these keys, each with these options. */
function allowing(keys: readonly string[], options = ""): Signers {
  const file = join(emptyFolder().path, "allowed");
  const lines = keys.map((key) => `test@example.com ${options} ${readFileSync(`${key}.pub`, "utf8")}`);
  writeFileSync(file, lines.join(""));
  return { allowedSigners: file };
}

const hasGpg = ((): boolean => {
  try {
    execFileSync("gpg", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

interface GpgKey {
  readonly home: string;
  readonly fingerprint: string;
}

/** A new key of GPG, in a keyring of its own. Its agent ends with the test. */
function gpgKey(validity = "never"): GpgKey {
  const home = emptyFolder().path;
  chmodSync(home, 0o700);
  onTestFinished(() => void execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]));
  const gpg = (...args: readonly string[]): string =>
    execFileSync("gpg", ["--homedir", home, "--batch", "--quiet", ...args], { encoding: "utf8", stdio: "pipe" });
  gpg("--passphrase", "", "--quick-generate-key", "Test <test@example.com>", "ed25519", "sign", validity);
  return { home, fingerprint: /^fpr:+(\w+):/m.exec(gpg("--list-keys", "--with-colons"))?.[1] ?? "" };
}

/** A keyring as an operator provides it: read-only, without trusted keys. */
function keyring({ home, fingerprint }: GpgKey): Signers {
  const gnupgHome = emptyFolder().path;
  const exported = execFileSync("gpg", ["--homedir", home, "--export", fingerprint]);
  execFileSync("gpg", ["--homedir", gnupgHome, "--quiet", "--import"], { input: exported, stdio: "pipe" });
  execFileSync("gpgconf", ["--homedir", gnupgHome, "--kill", "all"]);
  chmodSync(gnupgHome, 0o500);
  return { gnupgHome };
}

function commitBySsh({ remote }: Followed, key: string): string {
  remote.git(
    "-c",
    "gpg.format=ssh",
    "-c",
    `user.signingKey=${key}`,
    "commit",
    "--quiet",
    "--allow-empty",
    "-S",
    "-m",
    "ssh",
  );
  return remote.git("rev-parse", "HEAD");
}

function commitByGpg({ remote }: Followed, { home, fingerprint }: GpgKey): string {
  writeFileSync(join(home, "gpg"), `#!/bin/sh\nexec gpg --homedir ${home} "$@"\n`, { mode: 0o755 });
  const settings = ["-c", `gpg.program=${join(home, "gpg")}`, "-c", `user.signingKey=${fingerprint}`];
  remote.git(...settings, "commit", "--quiet", "--allow-empty", "-S", "-m", "gpg");
  return remote.git("rev-parse", "HEAD");
}

/** What the signers did not sign of the branch, after `from`. */
async function unsigned(town: Followed, signers: Signers, from?: string): Promise<readonly UnsignedCommit[]> {
  const upstream = town.open({ signers });
  return upstream.unsigned(from, await upstream.fetch(run), run);
}

const UNKNOWN_KEY = mentions("unknown key");
const whys = (commits: readonly UnsignedCommit[]): readonly string[] => commits.map(({ why }) => why);

describe("a commit", () => {
  it("without a signature is listed with its author, newest first", async () => {
    const town = followed();
    const first = town.remote.git("rev-parse", "HEAD");
    const [second, third] = [town.remote.commit("two"), town.remote.commit("three")];
    const told = { author: "Test", why: "no signature" };

    expect(await unsigned(town, {}, first)).toEqual([
      { commit: third, ...told },
      { commit: second, ...told },
    ]);
    expect(await unsigned(town, {})).toEqual([{ commit: third, ...told }]);
    expect(await unsigned(town, {}, third)).toEqual([]);
  });

  it("is signed by a key of the file, and not by any other", async () => {
    const [town, key, other] = [followed(), sshKey(), sshKey()];
    commitBySsh(town, key);

    expect(await unsigned(town, allowing([key, other]))).toEqual([]);
    expect(whys(await unsigned(town, allowing([other])))).toEqual([UNKNOWN_KEY]);
    expect(whys(await unsigned(town, {}))).toEqual([UNKNOWN_KEY]);
    expect(whys(await unsigned(town, allowing([key], 'valid-before="20200101"')))).toEqual([UNKNOWN_KEY]);
    expect(whys(await unsigned(town, allowing([key], 'namespaces="file"')))).not.toEqual([]);
  });

  it("is signed by a key of the keyring, and not by any other", async (context) => {
    if (!hasGpg) return context.skip("gpg is not installed");
    const [town, key, other] = [followed(), gpgKey(), gpgKey()];
    commitByGpg(town, key);

    expect(await unsigned(town, keyring(key))).toEqual([]);
    expect(whys(await unsigned(town, keyring(other)))).toEqual([UNKNOWN_KEY]);
    expect(whys(await unsigned(town, {}))).toEqual([UNKNOWN_KEY]);
    expect(whys(await unsigned(town, allowing([sshKey()])))).toEqual([UNKNOWN_KEY]);
  });

  it("is not signed by a key that has expired", async (context) => {
    if (!hasGpg) return context.skip("gpg is not installed");
    const [town, key] = [followed(), gpgKey("seconds=2")];
    commitByGpg(town, key);
    await new Promise((resolve) => setTimeout(resolve, 3_000));

    expect(whys(await unsigned(town, keyring(key)))).toEqual([mentions("expired key")]);
  });

  it("counts as signed if both kinds of keys are allowed", async (context) => {
    if (!hasGpg) return context.skip("gpg is not installed");
    const [town, gpg, ssh] = [followed(), gpgKey(), sshKey()];
    const first = town.remote.git("rev-parse", "HEAD");
    commitBySsh(town, ssh);
    commitByGpg(town, gpg);
    const none = town.remote.commit("none");

    const signers = { ...allowing([ssh]), ...keyring(gpg) };
    expect((await unsigned(town, signers, first)).map(({ commit }) => commit)).toEqual([none]);
  });

  it("that was changed after it was signed has a bad signature", async () => {
    const [town, key] = [followed(), sshKey()];
    commitBySsh(town, key);
    const { remote } = town;
    writeFileSync(join(remote.path, "raw"), `${remote.git("cat-file", "commit", "HEAD").replace(/ssh$/, "forged")}\n`);
    remote.git("reset", "--quiet", "--hard", remote.git("hash-object", "-t", "commit", "-w", "raw"));

    expect(whys(await unsigned(town, allowing([key])))).toEqual(["a bad signature"]);
  });

  it("that a signed merge brought need not be signed, unless the branch goes back to it", async () => {
    const [town, key] = [followed(), sshKey()];
    const { remote } = town;
    const first = remote.git("rev-parse", "HEAD");
    remote.git("checkout", "--quiet", "-b", "change");
    const change = remote.commit("change");
    remote.git("checkout", "--quiet", "main");
    const settings = ["-c", "gpg.format=ssh", "-c", `user.signingKey=${key}`];
    remote.git(...settings, "merge", "--quiet", "--no-ff", "-S", "-m", "merge", "change");
    const merge = remote.git("rev-parse", "HEAD");

    expect(await unsigned(town, allowing([key]), first)).toEqual([]);
    remote.git("reset", "--quiet", "--hard", change);
    expect((await unsigned(town, allowing([key]), merge)).map(({ commit }) => commit)).toEqual([change]);
  });

  it("is not checked if the keys or the commit are missing", async () => {
    const [town, folder] = [followed(), emptyFolder()];

    for (const signers of [{ allowedSigners: join(folder.path, "none") }, { gnupgHome: folder.path }])
      await expect(unsigned(town, signers)).rejects.toMatchObject({ code: "CONFIGURATION" });
    await expect(unsigned(town, {}, "0123456789012345678901234567890123456789")).rejects.toMatchObject({
      code: "REVISION_UNKNOWN",
    });
  });

  it("does not count as unsigned if the checking program is missing", async () => {
    const [town, key] = [followed(), sshKey()];
    commitBySsh(town, key);
    const config = {
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "gpg.ssh.program",
      GIT_CONFIG_VALUE_0: "no-such-program",
    };
    const upstream = town.open({ signers: allowing([key]) }, config);
    const tip = await upstream.fetch(run);

    await expect(upstream.unsigned(undefined, tip, run)).rejects.toThrow("cannot run no-such-program");
  });
});
