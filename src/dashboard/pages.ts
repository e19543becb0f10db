import { landscapeList } from "./landscape/listPage.ts";
import { landscape } from "./landscape/page.ts";
import { cluster } from "./fleet/clusterPage.ts";
import { fleet } from "./fleet/page.ts";
import { moduleList } from "./module/listPage.ts";
import { moduleDetail } from "./module/page.ts";
import type { Page, Params } from "./page.ts";
import { policy } from "./policy/page.ts";
import { search } from "./search/page.ts";
import { train } from "./train/page.ts";

/** Every page. Links are from the root, such as `/modules/istio?channel=fast#versions`. */
export const PAGES: readonly Page[] = [
  train,
  moduleList,
  moduleDetail,
  fleet,
  cluster,
  landscapeList,
  landscape,
  policy,
  search,
];

/** The page that a path names, and the parts that its pattern names. */
export function pageAt(path: string): { readonly page: Page; readonly params: Params } | undefined {
  for (const page of PAGES) {
    const params = paramsIn(page.path, path);
    if (params !== undefined) return { page, params };
  }
  return undefined;
}

function paramsIn(pattern: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [pattern.split("/"), path.split("/")];
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const text = decoded(given[index] ?? "");
    if (part.startsWith(":") && text !== undefined && text !== "") params[part.slice(1)] = text;
    else if (part !== text) return undefined;
  }
  return params;
}

/** `undefined` where a path is not encoded as paths are. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
