/** Examples for the help of each command. They work on the sample catalogue: test/cli/examples.test.ts runs them. */
export const EXAMPLES: Readonly<Record<string, readonly string[]>> = {
  init: [
    "kyma-modules init --sample --repo my-catalogue",
    "kyma-modules init --github my-org/my-catalogue --package ./kyma-modules-0.1.0.tgz --repo my-catalogue",
  ],
  check: [
    "kyma-modules check",
    "kyma-modules check --base main --strict",
    "kyma-modules check --explain crd-compatible",
    "kyma-modules check channels/fast --offline --format text,sarif=check.sarif",
  ],
  bump: [
    "kyma-modules bump certificates@1.5.0 --channel fast --dry-run",
    "kyma-modules bump certificates@1.5.0 --channel fast --template channels/fast/certificates.yaml --offline",
  ],
  promote: [
    "kyma-modules promote",
    "kyma-modules promote certificates --explain",
    "kyma-modules promote --at 2030-01-01T00:00:00Z --exit-code",
    "kyma-modules promote --apply",
  ],
  simulate: [
    "kyma-modules simulate",
    "kyma-modules simulate --policy channels/regular.yaml --format text,html=simulation.html",
  ],
  hold: [
    'kyma-modules hold certificates@1.5.0 --reason "renewal fails" --by octocat --dry-run',
    'kyma-modules hold certificates@1.5.0 --channel regular --reason "fair week" --until 2030-01-01T00:00:00Z --by octocat',
  ],
  unhold: ['kyma-modules unhold object-store@0.9.1 --reason "0.9.1 keeps the rules" --by octocat --dry-run'],
  withdraw: ['kyma-modules withdraw certificates@1.5.0 --channel fast --reason "renewal fails" --by octocat --dry-run'],
  ticked: ['kyma-modules ticked "$GITHUB_EVENT_PATH"'],
  status: ["kyma-modules status", "kyma-modules status certificates --channel regular --format json"],
  history: ["kyma-modules history certificates", "kyma-modules history certificates --channel fast --verify"],
  plan: ["kyma-modules plan dev", "kyma-modules plan dev --worktree", "kyma-modules plan --format text,json=plan.json"],
  sync: ["kyma-modules sync dev", 'kyma-modules sync prod --now --reason "INC-4711" --timeout 10m'],
  import: [
    "kyma-modules import channels/fast --repo imported",
    "kyma-modules import --context kcp-dev --prefer newest",
  ],
  demo: ["kyma-modules demo", "kyma-modules demo --once"],
  completion: [
    "source <(kyma-modules completion bash)",
    "kyma-modules completion zsh > ~/.zfunc/_kyma-modules",
    "kyma-modules completion fish > ~/.config/fish/completions/kyma-modules.fish",
  ],
};

/** The examples of a command as its help ends with them. */
export function examplesText(command: string): string {
  const examples = EXAMPLES[command] ?? [];
  return examples.length === 0 ? "" : ["", "Examples:", ...examples.map((example) => `  ${example}`)].join("\n");
}
