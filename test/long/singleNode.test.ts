import { existsSync, readdirSync, readFileSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it, type TestContext } from "vitest";
import { start } from "../house/clone.ts";
import { startSingleNode, type SingleNode } from "../single-node/singleNode.ts";
import { openOutside } from "../sync/outside.ts";
import { eventually } from "../sync/world.ts";

const nodes: SingleNode[] = [];

afterEach(async () => {
  for (const node of nodes.splice(0)) await node.stop();
});

async function startNode(context: TestContext): Promise<SingleNode> {
  const node = await startSingleNode("test");
  if ("skipped" in node) return context.skip(node.skipped);
  nodes.push(node);
  return node;
}

type Place = Pick<SingleNode, "kubeconfigPath" | "hostAddress">;

/** The traces of a node on this machine: its folder, its interface, its cgroups. */
function traces({ kubeconfigPath, hostAddress }: Place): readonly string[] {
  const mounts = readFileSync("/proc/self/mountinfo", "utf8").split("\n");
  const hierarchies = mounts.filter((line) => / - cgroup2? /.test(line)).map((line) => line.split(" ")[4] ?? "");
  const groups = hierarchies.flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)));
  const interfaces = Object.entries(networkInterfaces());
  const name = interfaces.find(([, addresses]) => addresses?.some(({ address }) => address === hostAddress))?.[0];
  const number = hostAddress.split(".")[2] ?? "";
  return [
    ...[dirname(kubeconfigPath)].filter((folder) => existsSync(folder)),
    ...(name === undefined ? [] : [name]),
    ...groups.filter((group) => group.endsWith(`/kyma-node-${number}`)),
  ];
}

describe("a single-node Kubernetes", () => {
  it("runs a pod, beside another node, and leaves nothing behind", async (context) => {
    const both = await Promise.all([startNode(context), startNode(context)]);
    for (const node of both) {
      const { must, send } = openOutside({ kubeconfig: node.kubeconfigPath });
      const namespace = "/api/v1/namespaces/default";
      const pod = { containers: [{ name: "waits", image: "docker.io/local/pause:1" }] };
      await eventually(async () => (await send("GET", `${namespace}/serviceaccounts/default`)).status === 200);
      await must("POST", `${namespace}/pods`, { metadata: { name: "one" }, spec: pod });
      await eventually(async () => phaseOf(await must("GET", `${namespace}/pods/one`)) === "Running");
      expect(traces(node).length).toBeGreaterThan(2);
    }
    for (const node of both) {
      await node.stop();
      expect(traces(node)).toEqual([]);
    }
  });

  it.for(["SIGINT", "SIGKILL"] as const)("leaves nothing behind when %s ends its owner", async (signal, context) => {
    await (await startNode(context)).stop();
    const owner = start(process.execPath, ["owner.ts"], join(import.meta.dirname, "../single-node/fixtures"));
    await owner.printed("\n");
    owner.signal(signal);
    const place = JSON.parse((await owner.ended).stdout) as Place;
    await eventually(() => traces(place).length === 0);
  });
});

function phaseOf(pod: Readonly<Record<string, unknown>>): string | undefined {
  return (pod["status"] as { readonly phase?: string } | undefined)?.phase;
}
