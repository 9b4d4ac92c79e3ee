import { isOnlyTold, type TextSpan } from '@robota-sdk/agent-tui';

/** The mark that keeps a former message of several lines from becoming a command when it is edited again. */
export function messageMark(text: string): readonly TextSpan[] {
  if (!/^\s*(?:[/!]|@!)/.test(text) || !isOnlyTold(text)) return [];
  const start = text.search(/\S/);
  return [{ start, end: start + 1 }];
}
