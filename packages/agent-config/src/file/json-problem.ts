/** Explains a JSON parser error. */
export function jsonProblem(name: string): string {
  return problems.get(name) ?? name;
}

const problems: ReadonlyMap<string, string> = new Map([
  ['InvalidSymbol', 'this is no value; texts need quotation marks'],
  ['InvalidNumberFormat', 'this is no number'],
  ['PropertyNameExpected', 'a name in quotation marks is missing here'],
  ['ValueExpected', 'a value is missing here'],
  ['ColonExpected', 'a ":" is missing here'],
  ['CommaExpected', 'a "," is missing here'],
  ['CloseBraceExpected', 'a "}" is missing here'],
  ['CloseBracketExpected', 'a "]" is missing here'],
  ['EndOfFileExpected', 'the text should have ended before this'],
  ['InvalidCommentToken', 'a comment may not stand here'],
  ['UnexpectedEndOfComment', 'the comment has no end'],
  ['UnexpectedEndOfString', 'the text has no closing quotation mark'],
  ['UnexpectedEndOfNumber', 'the number has no end'],
  ['InvalidUnicode', '\\u needs four hexadecimal digits'],
  ['InvalidEscapeCharacter', 'no such character can follow a backslash'],
  ['InvalidCharacter', 'such a character may not stand in a text'],
]);
