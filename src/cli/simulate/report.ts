import { printable } from "../../document/printable.ts";
import { accountOf, type SimulationReport, type Table } from "../../promote/simulate/account.ts";
import type { AccountSection } from "../../promote/simulate/sections.ts";
import { instantText } from "../../promote/verdict/text.ts";
import type { Output } from "../terminal/output.ts";
import { table } from "../terminal/table.ts";

/** As much of a list as a person reads; all of it is in the other formats. */
const MOST_LINES = 60;

/** The totals, and where history and policy part. */
export function simulationText(report: SimulationReport, output: Output): string {
  const { title, facts, tables, sections } = accountOf(report);
  return [
    output.paint("strong", printable(title)),
    ...facts.map(({ name, text }) => `${name}: ${printable(text)}`),
    ...tables.flatMap((one) => tableLines(one, output)),
    ...sections.flatMap((section) => sectionLines(section, output)),
  ].join("\n");
}

function tableLines({ title, header, rows }: Table, output: Output): readonly string[] {
  const names = header.map((name) => name.toUpperCase());
  return ["", output.paint("strong", title), table(names, rows, output)];
}

function sectionLines({ title, entries }: AccountSection, output: Output): readonly string[] {
  const more = entries.length - MOST_LINES;
  return [
    "",
    output.paint("strong", `${title} (${String(entries.length)})`),
    ...entries
      .slice(0, MOST_LINES)
      .map(({ atMs, subject, step, text }) => `  ${instantText(atMs)}  ${printable(`${subject} ${step}: ${text}`)}`),
    ...(more > 0 ? [`  … and ${String(more)} more: --format json, or html=FILE`] : []),
  ];
}
