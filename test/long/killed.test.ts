import { it } from "vitest";
import { killAtRandomMoments } from "../sync/killScenario.ts";

it.for([1, 2, 3])(
  "reaches the same state after ten times kill -9, and no release meta ever names an absent template (seed %i)",
  async (seed, context) => {
    await killAtRandomMoments({ kills: 10, modules: 60, seed }, context);
  },
);
