import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { isRecord, textAt } from "../../document/fields.ts";
import { Fault, type Run } from "../../ports.ts";
import { errorCode, problemText } from "../errno.ts";
import { execute } from "../process.ts";

/** Credentials for a registry: a user with a password, or a refresh token. */
export type RegistryCredentials =
  | { readonly kind: "password"; readonly user: string; readonly password: string }
  | { readonly kind: "identity-token"; readonly token: string };

/** A store of credentials. */
export interface CredentialStore {
  /** The credentials for a registry in its form in image references; `undefined` for anonymous access. */
  find(registry: string, run: Run): Promise<RegistryCredentials | undefined>;
}

/** Environment variables, of which `DOCKER_CONFIG` and `HOME` are used here. */
export type CredentialVariables = Readonly<Record<string, string | undefined>>;

/** The key of Docker Hub in the Docker configuration. */
const DOCKER_HUB_KEY = "https://index.docker.io/v1/";

/**
 * The credentials of the Docker configuration: `auths`, `credHelpers`, `credsStore`. Reads the file at first use, and
 * runs credential helpers once per registry. Throws CONFIGURATION for an invalid file.
 */
export function dockerCredentials(variables: CredentialVariables): CredentialStore {
  const folder = variables["DOCKER_CONFIG"] ?? join(variables["HOME"] ?? homedir(), ".docker");
  const file = join(folder, "config.json");
  const known = new Map<string, Promise<RegistryCredentials | undefined>>();
  let config: Promise<unknown> | undefined;
  return {
    find: (registry, run) => {
      const found = known.get(registry) ?? (config ??= readConfig(file)).then((value) => look(value, registry, run));
      known.set(registry, found);
      return found;
    },
  };
}

async function readConfig(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    const why = error instanceof SyntaxError ? "it is not JSON" : problemText(error);
    throw new Fault("CONFIGURATION", `${file} cannot be read: ${why}. Correct or remove it.`, { cause: error });
  }
}

async function look(config: unknown, registry: string, run: Run): Promise<RegistryCredentials | undefined> {
  const key = registry === "docker.io" ? DOCKER_HUB_KEY : registry;
  const program = textAt(config, ["credHelpers", key]) ?? textAt(config, ["credsStore"]);
  const told = program === undefined ? undefined : await ask(program, key, run);
  return told ?? inFile(config, registry);
}

function inFile(config: unknown, registry: string): RegistryCredentials | undefined {
  const { auths } = isRecord(config) ? config : {};
  const entries = isRecord(auths) ? Object.entries(auths) : [];
  const entry = entries.find(([key]) => credentialHost(key) === registry)?.[1];
  const token = textAt(entry, ["identitytoken"]);
  if (token !== undefined) return { kind: "identity-token", token };
  const pair = Buffer.from(textAt(entry, ["auth"]) ?? "", "base64").toString();
  const colon = pair.indexOf(":");
  if (colon > 0) return { kind: "password", user: pair.slice(0, colon), password: pair.slice(colon + 1) };
  return byName(textAt(entry, ["username"]), textAt(entry, ["password"]));
}

function byName(user: string | undefined, password: string | undefined): RegistryCredentials | undefined {
  return user === undefined || password === undefined ? undefined : { kind: "password", user, password };
}

/** The host of a key, which is a host or an old-style address. */
function credentialHost(key: string): string {
  const [host = ""] = key.replace(/^https?:\/\//, "").split("/");
  return host === "index.docker.io" ? "docker.io" : host;
}

/**
 * Runs a credential helper. If it fails or has no credentials, access is anonymous: public content is still readable,
 * and for the rest the registry answers 401.
 */
async function ask(name: string, key: string, run: Run): Promise<RegistryCredentials | undefined> {
  const program = `docker-credential-${name}`;
  if (!/^[\w.-]+$/.test(name))
    throw new Fault(
      "CONFIGURATION",
      `The Docker configuration names an invalid credential helper: ${program}. Correct it.`,
    );
  try {
    const command = { program, args: ["get"], cwd: ".", input: key, fault: "REGISTRY_UNAUTHORIZED" } as const;
    const answer: unknown = JSON.parse((await execute(command, run)).stdout.toString());
    const [user, secret] = [textAt(answer, ["Username"]), textAt(answer, ["Secret"])];
    if (user === "<token>" && secret !== undefined) return { kind: "identity-token", token: secret };
    return byName(user, secret);
  } catch (error) {
    run.signal.throwIfAborted();
    if (!(error instanceof Fault) && !(error instanceof SyntaxError)) throw error;
    // Its output may contain a secret, so it is not logged.
    run.log.info("a credential program has no credentials", { program, registry: key });
    return undefined;
  }
}
