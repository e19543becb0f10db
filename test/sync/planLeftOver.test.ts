import { expect, it } from "vitest";
import { plan } from "../../src/sync/plan/plan.ts";
import { byName, CAREFUL, desiredOf, inputOf, liveOf } from "./planning.ts";

it("also refuses to remove left-over templates if more would be removed than allowed", () => {
  const before = liveOf(desiredOf({ channels: { fast: { istio: "1.2.0", keda: "2.0.0" } } }));
  const desired = desiredOf({ channels: { fast: { istio: "1.3.0", keda: "2.1.0" } } });
  const decided = plan(inputOf(desired, before, { options: { ...CAREFUL, prune: true, maxPrune: 1 } }));

  expect([byName(decided)["istio-1.2.0"], byName(decided)["keda-2.0.0"]]).toMatchObject([
    { kind: "refused", refusal: "too-many-prunes" },
    { kind: "refused", refusal: "too-many-prunes" },
  ]);
});
