/** One thing that is wrong with the text of a YAML file. */
export interface YamlProblem {
  /** Where in the text; counts from 0. */
  readonly offset: number;
  readonly rule: string;
  readonly message: string;
  readonly remedy: string;
}

/** Takes down one problem. */
export type Report = (offset: number, rule: string, message: string, remedy: string) => void;

/**
 * Everything in `text` that the readers of YAML do not agree upon before they come to its nodes.
 *
 * Each of these was found by comparing js-yaml and `yaml`, or stands in YAML 1.1 (section 4.2) and not in 1.2.
 */
export function judgeText(text: string): readonly YamlProblem[] {
  return PITFALLS.flatMap(({ pattern, ...problem }) =>
    [...text.matchAll(pattern)].map(({ index, 0: match }) => ({ offset: index + match.length - 1, ...problem })),
  );
}

/** A tab before a node or at the beginning of a line. */
export const TAB: Omit<YamlProblem, "offset"> = {
  rule: "yaml-tab",
  message: "A tab stands where the line is indented: some readers refuse it.",
  remedy: "Indent with blanks.",
};

/** Each pattern ends with the character that people have to look at. */
const PITFALLS: readonly (Omit<YamlProblem, "offset"> & { readonly pattern: RegExp })[] = [
  {
    pattern: /\r(?!\n)/g,
    rule: "yaml-line-break",
    message: "A carriage return stands here without a line feed: some readers begin a new line at it, some do not.",
    remedy: "Save the file with line feeds (or with both) as line ends.",
  },
  {
    pattern: /[\u0085\u2028\u2029]/g,
    rule: "yaml-line-break",
    message: "YAML 1.1 begins a new line at this invisible character, YAML 1.2 does not.",
    remedy: "Remove it.",
  },
  {
    pattern: /\uFEFF/g,
    rule: "yaml-byte-order-mark",
    message: "A byte order mark stands within the file: some readers skip it, some take it for text.",
    remedy: "Remove this invisible character.",
  },
  {
    pattern: /^\t/gm,
    ...TAB,
  },
  {
    pattern: /^(?:[ \t]*(?:#.*)?\r?\n)*[ \t]*%/g,
    rule: "yaml-directive",
    message: "A % directive changes how the file is read.",
    remedy: "Remove the line that begins with %.",
  },
  {
    pattern: /^(?:[ \t]*(?:#.*)?\r?\n)*(?:[ \t]+-(?=--(?:\s|$))|\.(?=\.\.(?:\s|$)))/g,
    rule: "yaml-documents",
    message: "Not every reader sees the marker of a document here.",
    remedy: "Remove this line.",
  },
  {
    pattern: /\n[ \t]+$/g,
    rule: "yaml-last-line",
    message:
      "The last line holds blanks and has no end: readers do not agree whether it belongs to the value before it.",
    remedy: "Remove the blanks.",
  },
];
