/** The transport by which Git reaches a repository. */
export interface GitAddress {
  readonly transport: "https" | "ssh";
  readonly port: number;
  /** Whether the address contains a user name or a password. */
  readonly hasCredentials: boolean;
}

const PORTS = { https: 443, ssh: 22 } as const;

/**
 * Parses `https://…`, `ssh://…` or `user@host:path`; `undefined` for other addresses, which a pod cannot reach safely.
 */
export function parseGitAddress(url: string): GitAddress | undefined {
  if (/^[\w.-]+@[\w.-]+:[^/\s]\S*$/.test(url)) return { transport: "ssh", port: PORTS.ssh, hasCredentials: false };
  if (!URL.canParse(url)) return undefined;
  const { protocol, port, username, password } = new URL(url);
  const transport = protocol === "https:" ? "https" : protocol === "ssh:" ? "ssh" : undefined;
  if (transport === undefined) return undefined;
  // The user name of ssh is not secret; that of https may be a token.
  const hasCredentials = password !== "" || (transport === "https" && username !== "");
  return { transport, port: Number(port || PORTS[transport]), hasCredentials };
}

/** The credentials of Git: a token, a key for ssh, or a GitHub App, whose tokens the controller renews. */
type GitCredentials = GitAddress["transport"] | "app";

/** The keys of the Secret with the credentials. */
export const GIT_SECRET_KEYS: Readonly<Record<GitCredentials, readonly string[]>> = {
  https: ["token"],
  ssh: ["ssh-privatekey", "known_hosts"],
  app: ["app-id", "private-key"],
};

/** The environment with which Git reads its credentials from files in `folder` at each connection. */
export function gitVariables({ transport }: GitAddress, folder: string): Readonly<Record<string, string>> {
  if (transport === "ssh")
    return {
      GIT_SSH_COMMAND: [
        `ssh -i ${folder}/ssh-privatekey -o IdentitiesOnly=yes -o BatchMode=yes`,
        `-o UserKnownHostsFile=${folder}/known_hosts -o StrictHostKeyChecking=yes`,
      ].join(" "),
    };
  // The token is in no command line and no environment; a new one takes effect as soon as the Secret has it.
  // Kubernetes would expand $(…), so this uses none.
  return {
    GIT_CONFIG_COUNT: "2",
    GIT_CONFIG_KEY_0: "credential.username",
    GIT_CONFIG_VALUE_0: "x-access-token",
    GIT_CONFIG_KEY_1: "credential.helper",
    GIT_CONFIG_VALUE_1: `!f() { test "$1" != get || { printf password=; cat ${folder}/token; }; }; f`,
  };
}
