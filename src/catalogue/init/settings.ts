import { SAMPLE_REGISTRY, SCHEMAS } from "./sample.ts";

/** A repository of GitHub. */
export interface GitHubName {
  readonly organization: string;
  readonly name: string;
}

const GITHUB_NAME = /^([A-Za-z0-9](?:[-A-Za-z0-9]{0,37}[A-Za-z0-9])?)\/((?!\.{1,2}$)[-_.A-Za-z0-9]{1,100})(?<!\.git)$/;

/** Reads `ORG/NAME`; `undefined` for anything that is not a repository of GitHub. */
export function parseGitHubName(text: string): GitHubName | undefined {
  const [, organization, name] = GITHUB_NAME.exec(text) ?? [];
  return organization === undefined || name === undefined ? undefined : { organization, name };
}

/** What a new catalogue is to be. */
export interface InitRequest {
  /** Whether it begins with modules that are made up. */
  readonly sample: boolean;
  /** Where its pull requests will be; `undefined`: nobody said. */
  readonly github: GitHubName | undefined;
}

/** The organization whose teams own the catalogue. Without one a name that is to be replaced. */
export function organizationOf({ github }: InitRequest): string {
  return github?.organization ?? "example";
}

/** The team that decides on releases. */
export function releaseManagersOf(request: InitRequest): string {
  return `@${organizationOf(request)}/release-managers`;
}

/** The context of the first landscape. */
export const FIRST_CONTEXT = "kcp-dev";

/** `kyma-modules.yaml` of a new catalogue. */
export function settingsText(request: InitRequest): string {
  const { sample, github } = request;
  return `# yaml-language-server: $schema=./${SCHEMAS}settings.schema.json
format: 1
# Who decides on policies, holds and hot-fixes: teams, or logins without @. After a change: npx kyma-modules check --fix
releaseManagers: ["${releaseManagersOf(request)}"]
# The control planes in the order in which versions reach them. A context is one of the kubeconfig of whoever syncs.
landscapes:
  - name: dev
    controlPlane: { context: ${FIRST_CONTEXT} }
    lifecycleManager: version-templates # 1.8 and later; channel-templates: until 1.7; auto: ask the control plane
  - name: stage
    controlPlane: { context: kcp-stage }
    lifecycleManager: version-templates
    after: { landscape: dev, soak: 30m, hotfixSoak: 0m }
  - name: prod
    controlPlane: { context: kcp-prod }
    lifecycleManager: version-templates
    after: { landscape: stage, soak: 24h, hotfixSoak: 1h }
${sample ? SAMPLE_PLACES : PLACES}
# Where pull requests are opened. On GitHub: { kind: github, repository: ORG/NAME }
forge: ${github === undefined ? "{ kind: none }" : `{ kind: github, repository: ${github.organization}/${github.name} }`}
# The minor versions of Kubernetes that the clusters run.
kubernetes: { versions: ["1.34", "1.36"] }
`;
}

const PLACES = `# Where modules are published. A sync refuses what is not there.
registry: { baseUrl: europe-docker.pkg.dev/kyma-project/prod }
# Where their images may come from.
images: { allow: ["europe-docker.pkg.dev/kyma-project/prod/**"] }`;

const SAMPLE_PLACES = `# Where modules are published: the made-up ones are nowhere. A sync refuses what is not there.
# registry: { baseUrl: europe-docker.pkg.dev/kyma-project/prod }
# Where their images may come from.
images: { allow: ["${SAMPLE_REGISTRY}/**"] }`;

const CHANNEL_LINE = `# yaml-language-server: $schema=../${SCHEMAS}channel.schema.json
format: 1
`;

/** The channels of a catalogue without modules. */
export const CHANNEL_FILES: ReadonlyMap<string, string> = new Map([
  [
    "channels/fast.yaml",
    `${CHANNEL_LINE}# Module teams submit new versions here: channels/fast/MODULE.yaml.
kind: release
versions: release # x.y.z only; prerelease:NAME or any lets others in
landscapes: [dev, stage, prod]
`,
  ],
  [
    "channels/regular.yaml",
    `${CHANNEL_LINE}# Versions come here from fast, once they have earned it: npx kyma-modules promote.
kind: release
follows: fast
versions: release
landscapes: [dev, stage, prod]
promotion:
  # How long fast must have served a version, by the size of the step.
  soak: { first: 0d, major: 30d, minor: 7d, patch: 1d }
  # When promotions may happen. freezes: [{ from: INSTANT, until: INSTANT, reason: TEXT }] says when not.
  windows:
    - { opens: "0 8 * * 1-4", for: 8h, timeZone: Europe/Berlin }
  merge: review # automatic: what is green is merged without anybody
`,
  ],
]);

/** `.github/teams.yaml` of a new catalogue: nobody is in the team yet, so that nobody's approval counts by mistake. */
export function teamsText(request: InitRequest): string {
  return `# Who is in the teams that kyma-modules.yaml and modules/*/module.yaml name: a workflow's token cannot ask GitHub for that.
# The gate reads this file of the base branch (check --teams), and an approval counts by it. Put the logins here.
"${releaseManagersOf(request)}": []
`;
}
