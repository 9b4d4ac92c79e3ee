import { countText } from '../engine/folder-summary.ts';
import type { PlanAnswer } from '../engine/plan.ts';
import { codeBlock } from './read-file.ts';

const error =
  /\b(error|errors|fatal|panic|exception|traceback|failed|failure|cannot|ERR!|segmentation fault)\b|[✗✖❌]/i;
const warning = /\b(warn|warning|warnings|deprecated)\b/i;
const harmless = /\b(0|no) (errors?|failures?|failed|warnings?)\b/i;
const mostShown = 10;

/** Says what a piped text is by counting: its lines, its errors and warnings, and where the first ones are. */
export function explainLog(attached: readonly string[]): PlanAnswer {
  const lines = attached.join('\n').split('\n').map(withoutColours);
  while (lines.at(-1) === '') lines.pop();
  const errors = numbered(lines, error);
  const warnings = numbered(lines, warning).filter((row) => !errors.includes(row));
  const head = `The text you sent has ${countText(lines.length, 'line')}: ${countText(errors.length, 'line')} with errors, ${countText(warnings.length, 'line')} with warnings. I go by words like "error" and "failed"; I can't tell causes.`;
  const parts = [head];
  if (errors.length > 0)
    parts.push(`The first errors:\n\n${codeBlock(errors.slice(0, mostShown).join('\n'))}`);
  else if (warnings.length > 0)
    parts.push(`The first warnings:\n\n${codeBlock(warnings.slice(0, mostShown).join('\n'))}`);
  else parts.push(`It ends with:\n\n${codeBlock(lines.slice(-mostShown).join('\n'))}`);
  return { text: parts.join('\n\n') };
}

function numbered(lines: readonly string[], pattern: RegExp): readonly string[] {
  return lines.flatMap((line, index) =>
    pattern.test(line) && !harmless.test(line) ? [`${index + 1}: ${line}`] : [],
  );
}

function withoutColours(line: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: colour sequences begin with the escape character
  return line.replace(/\u001b\[[\d;]*m/g, '').replace(/\r$/, '');
}
