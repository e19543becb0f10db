import { type XmlElement, xmlDocument } from "../../document/xml.ts";
import { type PathResult, pathText, type StepResult } from "../path.ts";
import { troubleLines } from "./trouble.ts";

/** The results as JUnit XML: a suite for each path, with a case for each step. */
export function junitReport(results: readonly PathResult[]): string {
  const suites = results.map(junitSuite);
  const sum = (count: string): number =>
    suites.reduce((total, { attributes = {} }) => total + Number(attributes[count]), 0);
  const attributes = {
    name: "kyma-modules smoke",
    tests: sum("tests"),
    failures: sum("failures"),
    errors: sum("errors"),
  };
  return xmlDocument({ name: "testsuites", attributes, children: suites });
}

function junitSuite(result: PathResult): XmlElement {
  const { path, steps, world } = result;
  const name = pathText(path);
  const attributes = {
    name,
    tests: steps.length + (world === undefined ? 0 : 1),
    failures: steps.filter((step) => step.result === "failed").length,
    errors: world === undefined ? 0 : 1,
    skipped: steps.filter((step) => step.result === "notChecked").length,
    time: steps.reduce((sum, { seconds }) => sum + seconds, 0).toFixed(3),
  };
  const lost: readonly XmlElement[] =
    world === undefined
      ? []
      : [
          {
            name: "testcase",
            attributes: { classname: name, name: "cluster" },
            children: [{ name: "error", attributes: { message: world, type: "world" } }],
          },
        ];
  return { name: "testsuite", attributes, children: [...steps.map((step) => junitCase(name, step)), ...lost] };
}

function junitCase(classname: string, result: StepResult): XmlElement {
  const { step, seconds, notes = [], unchecked = [], said = "" } = result;
  const attributes = { classname, name: step, time: seconds.toFixed(3) };
  switch (result.result) {
    case "failed": {
      const [message = "", ...more] = troubleLines(result);
      const failure = { name: "failure", attributes: { message, type: step }, children: [message, ...more].join("\n") };
      return { name: "testcase", attributes, children: [failure] };
    }
    case "notChecked":
      return { name: "testcase", attributes, children: [{ name: "skipped", attributes: { message: said } }] };
    case "passed": {
      const text = [...notes, ...unchecked.map((what) => `not checked: ${what}`)].join("\n");
      return { name: "testcase", attributes, children: text === "" ? [] : [{ name: "system-out", children: text }] };
    }
  }
}
