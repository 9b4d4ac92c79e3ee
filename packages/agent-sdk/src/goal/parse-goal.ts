import type { Goal } from './session-goal.ts';

const option = '--check';

/** Parses `TEXT --check COMMAND`; the command is the rest of the line, quoted or not. */
export function parseGoal(line: string): Goal {
  const at = ` ${line} `.indexOf(` ${option} `);
  if (at < 0) return { text: line.trim() };
  return { text: line.slice(0, at).trim(), check: unquoted(line.slice(at + option.length).trim()) };
}

/** Removes only quotes around the whole text; inner quotes belong to the command. */
function unquoted(text: string): string {
  const [quote = ''] = text;
  const inner = text.slice(1, -1);
  const isWhole = text.length > 1 && `'"`.includes(quote) && text.endsWith(quote) && !inner.includes(quote);
  return isWhole ? inner : text;
}
