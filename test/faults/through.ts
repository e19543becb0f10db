import type { TestContext } from "vitest";
import { landscapesOf, type TwoLandscapes } from "../cli/syncing.ts";
import type { OutsideAccess } from "../sync/outside.ts";
import { sharedWorld } from "../sync/world.ts";

/** Two landscapes whose controllers reach the API server through the proxy that `open` starts. */
export async function landscapesThrough<T extends { readonly kubeconfig: string }>(
  open: (access: OutsideAccess) => Promise<T>,
  context: TestContext,
): Promise<{ readonly site: TwoLandscapes; readonly between: T }> {
  const [dev, elsewhere] = [await sharedWorld(context), await sharedWorld(context)];
  const between = await open(dev.access);
  const access = { ...dev.access, kubeconfig: between.kubeconfig };
  return { site: landscapesOf({ dev: { ...dev, access }, elsewhere: { ...elsewhere, access } }), between };
}
