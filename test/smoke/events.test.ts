import { describe, expect, it } from "vitest";
import { eventTexts } from "../../src/smoke/judge/events.ts";
import type { KubernetesObject } from "../../src/kubernetes/object.ts";

function event(reason: string, second: number, type: string, field = "lastTimestamp"): KubernetesObject {
  const time = `2026-01-01T00:00:0${second}Z`;
  const isCreated = field === "creationTimestamp";
  const metadata = { name: reason, ...(isCreated && { creationTimestamp: time }) };
  return {
    apiVersion: "v1",
    kind: "Event",
    metadata,
    type,
    reason,
    message: "m",
    ...(!isCreated && { [field]: time }),
  };
}

describe("the events of a failure", () => {
  it("are warnings before others, each in order of time", () => {
    const events = [
      event("Started", 5, "Normal", "eventTime"),
      event("Failed", 2, "Warning"),
      event("BackOff", 3, "Warning"),
      event("Pulled", 1, "Normal", "creationTimestamp"),
    ];

    expect(eventTexts(events)).toEqual(["Failed: m", "BackOff: m", "Pulled: m", "Started: m"]);
  });

  it("are the newest five, and no other where warnings fill them", () => {
    const warnings = [1, 2, 3, 4, 5, 6].map((second) => event(`W${second}`, second, "Warning"));
    const others = [7, 8, 9].map((second) => event(`N${second}`, second, "Normal"));

    expect(eventTexts([...others, ...warnings])).toEqual(["W2: m", "W3: m", "W4: m", "W5: m", "W6: m"]);
    expect(eventTexts([...others, ...warnings.slice(0, 3)])).toEqual(["W1: m", "W2: m", "W3: m", "N8: m", "N9: m"]);
  });

  it("show the available parts of an incomplete event", () => {
    expect(eventTexts([{ apiVersion: "v1", kind: "Event", metadata: { name: "a" } }])).toEqual([": "]);
  });
});
