import { readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { loadAll } from "js-yaml";
import type { TestContext } from "vitest";
import { filesOf } from "../sync/catalogueFiles.ts";
import { sharedWorld } from "../sync/world.ts";
import { emptyRepository, type Folder } from "../systems/repository.ts";
import { addProgram } from "./submitting.ts";
import { serving } from "./syncing.ts";
import { runJob, type WorkflowRun } from "./workflowJob.ts";

/** A catalogue that the sync workflow runs for. */
export interface Site {
  readonly repository: Folder;
  /** The kubeconfig in which the landscape's context is. */
  readonly kubeconfig: string;
}

/** A catalogue with the program in it, for a landscape on a real control plane, and for `others`. */
export async function openSite(context: TestContext, others: readonly object[] = []): Promise<Site> {
  const { access, namespace } = await sharedWorld(context);
  const kubeconfig = readFileSync(access.kubeconfig, "utf8");
  const [{ "current-context": name = "" } = {}] = loadAll(kubeconfig) as { "current-context"?: string }[];
  const landscapes = [
    { name: "dev", controlPlane: { context: name }, namespace, lifecycleManager: "version-templates" },
    ...others,
  ];
  const repository = emptyRepository();
  addProgram(repository);
  repository.write(Object.fromEntries(filesOf({ ...serving("1.0.0"), settings: { landscapes } })));
  repository.commit();
  return { repository, kubeconfig };
}

/** Runs a job of the workflow after a push to the default branch; `contexts` say what is different. */
export function runFor(
  { repository, kubeconfig }: Site,
  job: string,
  contexts: Readonly<Record<string, string>>,
): Promise<WorkflowRun> {
  return runJob("sync.yaml", job, {
    remote: repository.path,
    contexts: {
      "github.event_name": "push",
      "github.ref": "refs/heads/main",
      "github.ref_name": "main",
      "github.event.repository.default_branch": "main",
      "github.server_url": dirname(repository.path),
      "github.repository": basename(repository.path),
      "github.token": "ghs_workflows",
      "secrets.KYMA_MODULES_PLAN_KUBECONFIG": kubeconfig,
      "secrets.KYMA_MODULES_KUBECONFIG": kubeconfig,
      ...contexts,
    },
    variables: { GITHUB_REPOSITORY: "octo/train", GITHUB_SERVER_URL: "https://github.com" },
  });
}
