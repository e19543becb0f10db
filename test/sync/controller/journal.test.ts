import { expect, it } from "vitest";
import { Fault } from "../../../src/ports.ts";
import { ControllerJournal } from "../../../src/sync/controller/journal.ts";
import { openMetrics } from "../../../src/systems/metrics.ts";
import { quietRun } from "../../support/quietRun.ts";

it("a controller that lost its Lease to another one shows no pending retry", async () => {
  const opened = openMetrics();
  const journal = new ControllerJournal(quietRun().log, opened.metrics);
  journal.begins("dev", 0);
  journal.report("dev", { kind: "leads", isLeading: true }, 0);
  journal.report("dev", { kind: "leads", isLeading: false }, 1);
  journal.report("dev", { kind: "failed", fault: new Fault("CLUSTER_BUSY", "lost"), retryMs: 1 }, 1);
  journal.report("dev", { kind: "stands by" }, 2);
  const { text } = await opened.read();

  expect(text).toContain('kyma_modules_leader{landscape="dev"} 0');
  expect(text).not.toContain("kyma_modules_retries_pending{");
});
