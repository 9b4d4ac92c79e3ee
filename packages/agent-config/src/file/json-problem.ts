/** Explains a JSON parser error. */
export function jsonProblem(name: string): string {
  return problems.get(name) ?? name;
}

const problems: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'invalid value; texts need quotation marks'],
  ['InvalidNumberFormat', 'invalid number'],
  ['PropertyNameExpected', 'expected a name in quotation marks'],
  ['ValueExpected', 'expected a value'],
  ['ColonExpected', 'expected ":"'],
  ['CommaExpected', 'expected ","'],
  ['CloseBraceExpected', 'expected "}"'],
  ['CloseBracketExpected', 'expected "]"'],
  ['EndOfFileExpected', 'unexpected text after the end'],
  ['InvalidCommentToken', 'a comment is not allowed here'],
  ['UnexpectedEndOfComment', 'the comment is not closed'],
  ['UnexpectedEndOfString', 'the text has no closing quotation mark'],
  ['UnexpectedEndOfNumber', 'the number is incomplete'],
  ['InvalidUnicode', '\\u needs four hexadecimal digits'],
  ['InvalidEscapeCharacter', 'invalid escape after a backslash'],
  ['InvalidCharacter', 'a character that is not allowed in a text'],
]);
