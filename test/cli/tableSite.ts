import { join } from "node:path";
import { HEADER } from "../promote/simulate/tables.ts";
import { emptyFolder, type Folder } from "../systems/repository.ts";

const POLICY = JSON.stringify({
  format: 1,
  follows: "fast",
  landscapes: ["dev"],
  promotion: { soak: { first: "0d", patch: "1d", minor: "7d", major: "30d" }, needs: ["smoke"] },
});

const TABLE = [
  HEADER,
  "2024-01-01T00:00:00Z,c1,f,istio,fast,,v1.0.0",
  "2024-01-01T00:00:00Z,c1,f,istio,regular,,1.0.0",
  "2024-01-01T00:00:00Z,c1,f,Cluster_IP,regular,,1.0.0",
  "2024-01-02T00:00:00Z,c2,f,istio,fast,1.0.0,1.1.0",
  "2024-01-04T00:00:00Z,c3,f,istio,regular,1.0.0,1.1.0",
  "2024-01-15T00:00:00Z,c4,f,istio,regular,1.1.0,1.1.1",
].join("\n");

/** A folder without a catalogue, with a table and a policy, and what `simulate` is called with to replay the one under the other. */
export function tableSite(table: string = TABLE): { readonly folder: Folder; readonly args: readonly string[] } {
  const folder = emptyFolder();
  folder.write({ "history.csv": table, "regular.yaml": POLICY });
  const named = ["--history-csv", join(folder.path, "history.csv"), "--policy", join(folder.path, "regular.yaml")];
  return { folder, args: ["simulate", "--repo", folder.path, ...named] };
}
