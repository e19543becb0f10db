import { it } from "vitest";
import { killAtRandomMoments } from "../sync/killScenario.ts";

it.for([1, 2, 3])(
  "comes to the same end after ten times kill -9, and nobody ever saw a release meta that names an absent template (seed %i)",
  async (seed, context) => {
    await killAtRandomMoments({ kills: 10, modules: 60, seed }, context);
  },
);
