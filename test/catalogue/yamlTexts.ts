import fc from "fast-check";
import { stringify, type ToStringOptions, type DocumentOptions } from "yaml";

/** What YAML texts are made of, and what readers of YAML trip over. */
const PIECES: readonly string[] = [
  ...Array.from("abk019_.+-~%>|=@`?:,[]{}#'\"\\*&!"),
  ...Array.from(" \n\t"),
  ...["  ", "\n  ", "\n    ", "\r\n", "\r", ": ", ":\n", "- ", "? ", " # c", "---\n", "--- ", "...\n", "''"],
  ...["&a ", "*a", "*a ", "! ", "!!str ", "!!int ", "!!map ", "!x ", "|\n", "|-\n  ", ">\n  ", "|+\n  ", "|2\n   "],
  ...[
    "%YAML 1.2\n---\n",
    "\uFEFF",
    "\u0085",
    "\u2028",
    "\u00A0",
    "é",
    "😀",
    "\\n",
    "\\u0041",
    "\\ud800",
    "\\U00110000",
  ],
  ...["no", "null", "true", "0x1F", "0o7", "1:30", "2001-01-01", ".inf", "<<", "<<: ", "e5", "a: 1\n", "b:\n  c: 1\n"],
  ...["constructor", "__proto__", "\\\n", "\\\n\n", "- a: 1\n  b: 2\n", "&a b: 1\n", "  ---\n"],
];

const scalar = fc.oneof(
  fc.constantFrom(
    ...["", "a", "on", "1", "1.5", "x: y", "a\nb", "a\n\n b\n", " lead", "trail ", "# c", "'q'", '"q"', "\ttab"],
    ...[
      "- a",
      "é😀",
      "---",
      "a\n  b\n\n\n",
      "%x",
      "null",
      "~",
      "&a",
      "*a",
      "!t",
      "a #b",
      "[x",
      "long ".repeat(30),
      "  \n",
    ],
  ),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
  fc.string({ unit: "grapheme", maxLength: 6 }),
);

const key = fc.constantFrom("a", "b", "x y", "on", "1", "true", "null", "<<", "a\nb", "é", "#k", "- k", "");

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small" },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(key, tie("value"), { maxKeys: 4 }),
  ),
}));

const style: fc.Arbitrary<ToStringOptions & DocumentOptions> = fc.record({
  indent: fc.constantFrom(1, 2, 4),
  indentSeq: fc.boolean(),
  lineWidth: fc.constantFrom(0, 20, 80),
  defaultStringType: fc.constantFrom("PLAIN", "QUOTE_SINGLE", "QUOTE_DOUBLE", "BLOCK_LITERAL", "BLOCK_FOLDED"),
  defaultKeyType: fc.constantFrom("PLAIN", "QUOTE_DOUBLE", "QUOTE_SINGLE"),
  collectionStyle: fc.constantFrom("any", "flow", "block"),
});

/** Values of all kinds, printed in many styles. */
export const printed: fc.Arbitrary<string> = fc
  .tuple(
    fc.dictionary(fc.constantFrom("a", "b", "c d"), value, { minKeys: 1, maxKeys: 4 }),
    style,
    fc.constantFrom("\n", "\r\n"),
    fc.constantFrom("", "\uFEFF", "# c\n", "---\n", "--- # c\n", "\n"),
  )
  .map(([root, options, lineEnd, head]) => (head + stringify(root, options)).replaceAll("\n", lineEnd));

/** Printed values into which a few pieces were put, over what stood there or between. */
export const spoilt: fc.Arbitrary<string> = fc
  .tuple(
    printed,
    fc.array(fc.tuple(fc.nat(), fc.constantFrom(...PIECES), fc.nat({ max: 2 })), { minLength: 1, maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes
      .reduce((spoiling, [place, piece, over]) => {
        const at = place % (spoiling.length + 1);
        return spoiling.slice(0, at) + piece + spoiling.slice(at + over);
      }, text)
      .toWellFormed(),
  );

/** Pieces in any order. */
export const soup: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 14 })
  .map((pieces) => pieces.join(""));

const WRITTEN: readonly string[] = [
  ...[
    "",
    "",
    "v",
    "a b",
    "1",
    "true",
    "null",
    "~",
    "a:b",
    "http://x/y",
    "'s: q'",
    '"d # q"',
    "[]",
    "[a, b]",
    "[ a,b ]",
  ],
  ...[
    "{}",
    "{ }",
    "x # c",
    "x#c",
    "[] # c",
    "(p)",
    "$v",
    "+1",
    ".5",
    "a  b",
    "b, c",
    "x]",
    "a -",
    "v...",
    "a: b",
    "- a",
  ],
  ...["a'b\"c", "'a'b", "--- x", "k:", "|", ">", "&a", "*a", "!x", "-x", "{ a }"],
];

const line = fc.oneof(
  fc
    .tuple(
      fc.constantFrom("", "", " ", "  ", "  ", "   ", "    "),
      fc.constantFrom("", "", "", "- ", "- - ", "-  "),
      fc.constantFrom("a", "b", "c", "a.b/c", "0x1", "1", "true", "'q'", '"q"', "a-b", "$x", "null"),
      fc.constantFrom(":", ": ", ": ", ":  "),
      fc.constantFrom(...WRITTEN),
      fc.constantFrom("", "", " ", " # c"),
    )
    .map((parts) => parts.join("")),
  fc.tuple(fc.constantFrom("", "  ", "- ", "  - ", "- - "), fc.constantFrom(...WRITTEN)).map((parts) => parts.join("")),
  fc.constantFrom("", "  ", "# c", "  # c", "---", "...", "-"),
);

/** Lines as most files have them, in any order and at any depth. */
export const lines: fc.Arbitrary<string> = fc
  .array(line, { minLength: 1, maxLength: 6 })
  .map((written) => written.join("\n"));
