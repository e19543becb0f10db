import { expect, it } from "vitest";
import { tooLarge } from "../../src/kubernetes/objectSize.ts";
import { mentions } from "../support/mentions.ts";

const MIB = 1024 * 1024;
const base64 = (bytes: number): string => Buffer.alloc(bytes).toString("base64");

it.each<[kind: string, value: Record<string, unknown>, why: unknown]>([
  ["ConfigMap", { data: { a: "a".repeat(MIB) } }, undefined],
  ["ConfigMap", { data: { a: "a".repeat(MIB), b: "b" } }, mentions(`${MIB + 1}`, `${MIB}`)],
  ["ConfigMap", { data: { a: "ä".repeat(MIB / 2 + 1) } }, mentions(`${MIB + 2}`)],
  ["ConfigMap", { binaryData: { a: base64(MIB - 2) } }, undefined],
  ["ConfigMap", { binaryData: { a: base64(MIB + 2) } }, mentions(`${MIB + 2}`)],
  ["Secret", { data: { a: base64(MIB + 2) } }, mentions(`${MIB + 2}`)],
  ["Secret", { stringData: { a: "a".repeat(MIB + 1) } }, mentions(`${MIB + 1}`)],
  ["Deployment", { data: { a: "a".repeat(1_400_000) } }, undefined],
  ["CustomResourceDefinition", { spec: "a".repeat(1_500_000) }, mentions("1500011", "1500000")],
])("a %s of some size: %#", (kind, value, why) => {
  expect(tooLarge({ apiVersion: "v1", kind, value })).toEqual(why);
});
