import { expect, it } from "vitest";
import type { ControlPlane } from "../../src/ports.ts";
import { readRecords } from "../../src/sync/recordStore.ts";
import { mentions } from "../support/mentions.ts";
import { quietRun } from "../support/quietRun.ts";

it.each([
  ["2", ["format 2", "newer version"]],
  ["one", undefined],
  ["1", undefined],
])("records in format %j are refused if a newer version wrote them", async (format, message) => {
  const refuse = (): never => {
    throw new Error("records are only read");
  };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { format, entries: "{}" } };
  const read = (): Promise<typeof object> => Promise.resolve(object);
  const others = { list: refuse, watch: refuse, knows: refuse, apply: refuse, moveOwnership: refuse, remove: refuse };
  const controlPlane: ControlPlane = { server: "https://kcp", read, ...others };
  const reading = readRecords(controlPlane, "kcp-system", {
    signal: new AbortController().signal,
    log: { info: refuse, warn: refuse, with: refuse },
  });

  if (message === undefined) await expect(reading).resolves.toMatchObject({ records: { kind: "known" } });
  else
    await expect(reading).rejects.toMatchObject({
      code: "CONFIGURATION",
      message: mentions(...message),
    });
});

it("records that cannot be parsed are not given up without a word on what is lost and how it comes back", async () => {
  const refuse = (): never => {
    throw new Error("records are only read");
  };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "x" }, data: { entries: "[]" } };
  const others = { list: refuse, watch: refuse, knows: refuse, apply: refuse, moveOwnership: refuse, remove: refuse };
  const controlPlane = { server: "https://kcp", read: () => Promise.resolve(object), ...others };

  await expect(readRecords(controlPlane, "kcp-system", quietRun())).rejects.toMatchObject({
    code: "CLUSTER_REFUSED",
    message: mentions("backup", "brings back", "since when", "halted", "delete", "lost", "soak again"),
  });
});
