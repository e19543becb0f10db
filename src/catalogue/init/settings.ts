import { SAMPLE_REGISTRY, SCHEMAS } from "./sample.ts";

interface GitHubName {
  readonly organization: string;
  readonly name: string;
}

const GITHUB_NAME = /^([A-Za-z0-9](?:[-A-Za-z0-9]{0,37}[A-Za-z0-9])?)\/((?!\.{1,2}$)[-_.A-Za-z0-9]{1,100})(?<!\.git)$/;

/** Reads `ORG/NAME`; `undefined` for anything that is not a repository of GitHub. */
export function parseGitHubName(text: string): GitHubName | undefined {
  const [, organization, name] = GITHUB_NAME.exec(text) ?? [];
  return organization === undefined || name === undefined ? undefined : { organization, name };
}

/** The options of a new catalogue. */
export interface InitRequest {
  /** Whether it begins with sample modules. */
  readonly sample: boolean;
  /** The repository for its pull requests; `undefined` when not given. */
  readonly github: GitHubName | undefined;
}

/** The organization whose teams own the catalogue; a placeholder when no repository is given. */
export function initOrganization({ github }: InitRequest): string {
  return github?.organization ?? "example";
}

/** The team that decides on releases. */
export function initReleaseManagers(request: InitRequest): string {
  return `@${initOrganization(request)}/release-managers`;
}

/** The context of the first landscape. */
export const FIRST_CONTEXT = "kcp-dev";

/** `kyma-modules.yaml` of a new catalogue. */
export function settingsText(request: InitRequest): string {
  const { sample, github } = request;
  return `# yaml-language-server: $schema=./${SCHEMAS}settings.schema.json
format: 1
# The approvers of policies, holds and hot-fixes: teams, or logins without @. After a change: npx kyma-modules check --fix
releaseManagers: ["${initReleaseManagers(request)}"]
# The control planes in the order in which versions reach them. A context is one of the kubeconfig that sync uses.
landscapes:
  - name: dev
    controlPlane: { context: ${FIRST_CONTEXT} }
    lifecycleManager: version-templates # 1.8 and later; channel-templates: until 1.7; auto: ask the control plane
  - name: stage
    controlPlane: { context: kcp-stage }
    lifecycleManager: version-templates
    after: { landscape: dev, soak: 30m, hotfixSoak: 0m, shortSoakReason: hot-fixes soak in stage }
  - name: prod
    controlPlane: { context: kcp-prod }
    lifecycleManager: version-templates
    after: { landscape: stage, soak: 24h, hotfixSoak: 1h }
${sample ? SAMPLE_PLACES : PLACES}
# The repository for pull requests. On GitHub: { kind: github, repository: ORG/NAME }
forge: ${github === undefined ? "{ kind: none }" : `{ kind: github, repository: ${github.organization}/${github.name} }`}
# The minor versions of Kubernetes that the clusters run.
kubernetes: { versions: ["1.34", "1.36"] }
`;
}

const PLACES = `# The registry of the modules. A sync refuses modules that are not in it.
registry: { baseUrl: europe-docker.pkg.dev/kyma-project/prod }
# The allowed images of modules.
images: { allow: ["europe-docker.pkg.dev/kyma-project/prod/**"] }`;

const SAMPLE_PLACES = `# The registry of the modules: unset, since the sample modules are in none. A sync refuses modules that are not in it.
# registry: { baseUrl: europe-docker.pkg.dev/kyma-project/prod }
# The allowed images of modules.
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
versions: release # x.y.z only; prerelease:NAME or any accepts others
landscapes: [dev, stage, prod]
`,
  ],
  [
    "channels/regular.yaml",
    `${CHANNEL_LINE}# Versions are promoted from fast when they meet these demands: npx kyma-modules promote.
kind: release
follows: fast
versions: release
landscapes: [dev, stage, prod]
promotion:
  # The time for which fast must serve a version first, by the size of the step.
  soak: { first: 0d, major: 30d, minor: 7d, patch: 1d }
  # The times for promotions. Exclude times with freezes: [{ from: INSTANT, until: INSTANT, reason: TEXT }]
  windows:
    - { opens: "0 8 * * 1-4", for: 8h, timeZone: Europe/Berlin }
  merge: review # automatic: merge without a review once all checks pass
`,
  ],
]);

/** `.github/teams.yaml` of a new catalogue. The team has no members yet, so that no approval counts by mistake. */
export function teamsText(request: InitRequest): string {
  return `# The members of the teams in kyma-modules.yaml and modules/*/module.yaml, which a workflow's token cannot read from GitHub.
# check --teams reads this file from the base branch to decide whose approval counts. Put the logins here.
"${initReleaseManagers(request)}": []
`;
}
