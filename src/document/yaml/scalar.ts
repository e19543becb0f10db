/**
 * Why YAML 1.1 and YAML 1.2 read the plain scalar `text` differently; `undefined` when they agree.
 *
 * Kubernetes and most Go tools read YAML 1.1, JavaScript tools read 1.2: `no` is false in one and text in the other.
 * Dates are not reported: in 1.1 they are timestamps, but every reader of these files (also Kubernetes) keeps them as
 * text. Numbers that JSON cannot express, or that its readers round, are reported.
 * Source: yaml.org/type (1.1) and yaml.org/spec/1.2.2, section 10.3.2.
 */
export function ambiguity(text: string): string | undefined {
  // Nearly every scalar begins like a word and is longer than "off": one test is enough for it.
  if (/^[a-zA-Z].{3}/.test(text)) return undefined;
  return AMBIGUITIES.find(({ pattern, unless }) => pattern.test(text) && unless?.(text) !== true)?.why;
}

const AMBIGUITIES: readonly {
  readonly pattern: RegExp;
  readonly unless?: (text: string) => boolean;
  readonly why: string;
}[] = [
  { pattern: /^(?:[yYnN]|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/, why: "a boolean in YAML 1.1, text in YAML 1.2" },
  { pattern: /^[-+]?0[0-9]+$/, why: "an octal number or text in YAML 1.1, a decimal number in YAML 1.2" },
  { pattern: /^0o[0-7]+$/, why: "text in YAML 1.1, an octal number in YAML 1.2" },
  {
    pattern: /^(?:[-+]?0b[01_]+|[-+]0x[0-9a-fA-F_]+|0x[0-9a-fA-F_]*_[0-9a-fA-F_]*)$/,
    why: "a number in YAML 1.1, text in YAML 1.2",
  },
  {
    pattern: /^[-+]?(?=[0-9.]*_)(?:[0-9][0-9_]*)?(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?$/,
    why: "a number in YAML 1.1, text in YAML 1.2",
  },
  {
    pattern: /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
    why: "a number to the base 60 in YAML 1.1, text in YAML 1.2",
  },
  {
    pattern: /^[-+]?(?:[0-9]+[eE][-+]?[0-9]+|(?:[0-9]*\.[0-9]+|[0-9]+\.)[eE][0-9]+)$/,
    why: "text in YAML 1.1, a number in YAML 1.2",
  },
  {
    pattern: /^(?:[-+]?[0-9]{16,}|0x[0-9a-fA-F]{14,})$/,
    unless: (text) => Number.isSafeInteger(Number(text)),
    why: "an integer too large for JSON readers, which round it",
  },
  {
    pattern: /^[-+]?[0-9.]+[eE]\+[0-9]+$/,
    unless: (text) => Number.isFinite(Number(text)),
    why: "a number too large for JSON readers",
  },
  { pattern: /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/, why: "a number that JSON does not have" },
  { pattern: /^(?:<<|=)$/, why: "an instruction in YAML 1.1, text in YAML 1.2" },
];

/** Whether YAML 1.2 reads the plain scalar `text` as null, a boolean or a number instead of text. */
export function isTyped(text: string): boolean {
  return /^(?:|~|null|Null|NULL|true|True|TRUE|false|False|FALSE|0o[0-7]+|0x[0-9a-fA-F]+|[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/.test(
    text,
  );
}
