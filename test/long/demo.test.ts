import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { templateObject } from "../sync/catalogueFiles.ts";
import { openOutside, pathOf, type Outside } from "../sync/outside.ts";
import { needControlPlane } from "../support/needControlPlane.ts";
import { kill, processesWith } from "../systems/embedded/processes.ts";
import type { Folder } from "../systems/repository.ts";
import { kubeconfigIn, sampleRepository, saidWithTips } from "../cli/demonstrating.ts";
import { launch, run, type Ended, type Running } from "../cli/program.ts";
import { mentions } from "../support/mentions.ts";

const FILE = "channels/fast/certificates.yaml";
const NAMESPACE = "kcp-system";

beforeEach((context) => {
  needControlPlane(context);
});

/** The tests come one after the other, on one demo, and each leaves the repository as it was. */
describe("a running kyma-modules demo", () => {
  let repository: Folder;
  let demo: Running;
  let kubeconfig: string;
  let dev: Outside;
  let heard = 0;

  /** The next block whose text `pattern` fits, without its clock. */
  async function block(pattern: RegExp): Promise<string> {
    const anywhere = new RegExp(String.raw`^\d\d:\d\d:\d\d (?:(?!^\d\d:)[^])*${pattern.source}.*$`, "m");
    const closed = new RegExp(`${anywhere.source}\\n`, "m");
    const text = await demo.says(closed, heard);
    const [found = ""] = closed.exec(text) ?? [];
    heard += text.indexOf(found) + found.length;
    return found.slice("hh:mm:ss ".length).trimEnd();
  }

  /** The next block that ends in this state. */
  const blockUntil = (state: string): Promise<string> => block(new RegExp(`^ {9}${state}`));

  const kyma = (...args: readonly string[]): Promise<Ended> =>
    run([...args, "--repo", repository.path], { KUBECONFIG: kubeconfig });

  function edit(from: string | RegExp, to: string): void {
    const path = join(repository.path, FILE);
    const text = readFileSync(path, "utf8");
    expect(text).toMatch(from);
    writeFileSync(path, text.replace(from, to));
  }

  const undo = (): string => repository.git("checkout", "--quiet", "--", "channels");

  beforeAll(async () => {
    if ("skipped" in inject("controlPlane")) return;
    repository = sampleRepository();
    demo = launch(["demo", "--repo", repository.path]);
    const said = await saidWithTips(demo);
    heard = said.length;
    kubeconfig = kubeconfigIn(said);
    dev = openOutside({ kubeconfig });
  });

  afterAll(async () => {
    demo.signal("SIGKILL");
    await demo.ended;
    repository.remove(".");
  });

  it("shows commits and its control planes in a browser", async () => {
    const [, address = ""] = /\bbrowser: (\S+)$/m.exec(await saidWithTips(demo)) ?? [];
    const page = async (path: string): Promise<string> => (await fetch(`${address}${path}`)).text();
    expect(await page("")).toMatch(/<title>Train[^]*certificates[^]*1\.5\.0/);
    expect(await page("")).not.toContain("rehearsal");
    edit(/1\.5\.0/g, "1.5.7");
    await blockUntil("in sync");
    await expect.poll(() => page("landscapes/dev"), { timeout: 30_000 }).toContain("1.5.7");
    undo();
    await blockUntil("in sync");
  });

  it("prints one KUBECONFIG with which plan works on every landscape of the settings", async () => {
    const plans = await Promise.all([kyma("plan", "dev", "--exit-code"), kyma("plan", "prod", "--exit-code")]);
    const all = await kyma("plan", "--exit-code");

    expect([...plans, all].map(({ code }) => code)).toEqual([0, 0, 0]);
    const summaries = all.stdout.split("\n").filter((line) => !line.startsWith("  note: "));
    expect(summaries).toEqual(["dev: 10 unchanged", "stage: 10 unchanged", "prod: 9 unchanged", ""]);
  });

  it("follows the commands of its tips", async () => {
    const [, , editing = "", undoing = "", deleting] = (await saidWithTips(demo))
      .slice(0, heard)
      .split("\n")
      .filter((line) => line.startsWith("  ") && !line.startsWith("   "))
      .slice(-5);
    const shell = (command: string): void => {
      execFileSync("sh", ["-c", command.trim()], {
        stdio: ["ignore", "pipe", "ignore"],
        env: { ...process.env, HOME: repository.path, KUBECONFIG: kubeconfig },
      });
    };

    shell(editing);
    expect(await blockUntil("in sync after")).toMatch(/dev, stage, prod: fast\/certificates 1\.5\.0 → 1\.5\.1$/m);
    shell(undoing);
    expect(await blockUntil("in sync after")).toMatch(/dev, stage, prod: fast\/certificates 1\.5\.1 → 1\.5\.0$/m);
    if (deleting?.includes("kubectl") !== true) return;
    shell(deleting);
    expect(await blockUntil("in sync after")).toContain("dev: created   ModuleTemplate certificates-1.5.0");
  });

  it("prints a saved change in one block, and a warning once", async () => {
    edit(/^ {2}version: 1\.5\.0$/m, "  version: 1.6.0");
    const first = await blockUntil("in sync after");
    edit(/$/, "# a comment\n");
    const second = await blockUntil("in sync after");

    expect(first.split("\n")[0]).toBe(`${FILE} changed`);
    expect(first).toContain("warning: spec.version is 1.6.0, but spec.descriptor.component.version is 1.5.0.");
    expect(first).toMatch(/^ {9}dev, stage, prod: fast\/certificates 1\.5\.0 → 1\.6\.0$/m);
    expect(second).toMatch(new RegExp(`^${FILE} changed\\n {9}in sync after \\d+\\.\\d s$`));
    const meta = await dev.must("GET", pathOf("metas", NAMESPACE, "certificates"));
    expect(meta["spec"]).toMatchObject({ channels: [{ channel: "fast", version: "1.6.0" }, { version: "1.4.2" }] });
    undo();
    await blockUntil("in sync after");
  });

  it("keeps the served versions while a file is broken, and says when it is in sync again", async () => {
    edit(/$/, "broken: [\n");
    const broken = await blockUntil("not in sync: .*errors");
    const meta = await dev.must("GET", pathOf("metas", NAMESPACE, "certificates"));
    undo();
    const repaired = await blockUntil("in sync again after");

    expect(broken).toMatch(/channels\/fast\/certificates\.yaml:\d+:\d+: error: This is not YAML/);
    expect(meta["spec"]).toMatchObject({ channels: [{ version: "1.5.0" }, {}] });
    expect(repaired.split("\n")[0]).toBe(`${FILE} changed`);
  });

  it("repairs edited and deleted objects, and names the client", async () => {
    const edited = [{ op: "replace", path: "/spec/channels/0/version", value: "9.9.9" }];
    const meta = pathOf("metas", NAMESPACE, "certificates");
    await dev.must("PATCH", `${meta}?fieldManager=a-colleague`, edited, "json-patch");
    const repaired = await blockUntil("in sync after");
    await dev.must("DELETE", pathOf("templates", NAMESPACE, "certificates-1.5.0"));
    const restored = await blockUntil("in sync after");

    expect(repaired.split("\n")[0]).toEqual(mentions("control plane", "dev"));
    expect(repaired).toContain("changed by a-colleague");
    expect(repaired).toContain("spec.channels[channel=fast].version: 9.9.9 → 1.5.0");
    expect((await dev.must("GET", meta))["spec"]).toMatchObject({ channels: [{ version: "1.5.0" }, {}] });
    expect(restored).toContain("dev: created   ModuleTemplate certificates-1.5.0");
  });

  it("prints a refusal once, and its end", async () => {
    const name = "certificates-1.6.0";
    const foreign = templateObject("certificates", name, { version: "1.6.0" });
    await dev.must("POST", pathOf("templates", NAMESPACE), foreign);
    edit(/^ {2}version: 1\.5\.0$/m, "  version: 1.6.0");
    const refused = await blockUntil("not in sync: dev");
    edit(/$/, "# a comment\n");
    const saved = await blockUntil("still not .* dev");
    await dev.must("DELETE", pathOf("templates", NAMESPACE, name));
    const gone = await blockUntil("in sync again after");

    expect(refused).toContain(`refused   ModuleTemplate ${name}`);
    expect(saved).not.toContain(name);
    expect(gone.split("\n")[0]).toEqual(mentions("control plane", "dev"));
    expect(gone).toMatch(/dev: fast\/certificates 1\.5\.0 → 1\.6\.0$/m);
    expect(gone).toContain(`no longer: refused   ModuleTemplate ${name}`);
    undo();
    await blockUntil("in sync after");
  });

  it.each(["kube-apiserver", "etcd"])("starts a killed %s again, with its data and its address", async (program) => {
    kill(program, dirname(kubeconfig));
    const ended = await block(/is restarted/);
    const ready = await blockUntil("in sync after");

    expect(ended).toBe(`dev: ${program} was ended by SIGKILL, and is restarted`);
    expect(ready).toMatch(/^dev: .*\bcontrol plane\b.*\bready\b.*\n/);
    expect(await kyma("plan", "dev", "--exit-code")).toMatchObject({ code: 0 });
  });

  it("ends at once on Ctrl-C, and leaves nothing behind", async () => {
    demo.signal("SIGINT");
    const { code, stderr } = await demo.ended;

    expect(code).toBe(130);
    expect(stderr).toEqual(mentions("Stopped", "processes", "data"));
    expect([existsSync(dirname(kubeconfig)), processesWith(dirname(kubeconfig))]).toEqual([false, []]);
  });
});
