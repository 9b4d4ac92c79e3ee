import { failingLines, pluralize } from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes } from '@robota-sdk/agent-tui';
import { countLines } from './tool-result.ts';

/** Lines of a command's output that are worth a look, and a note for its line. */
export interface OutputExcerpt {
  readonly lines: readonly string[];
  readonly note?: string | undefined;
}

/** Only this much of a long output is looked at. */
const lookedAt = 65_536;
const lastLines = 2;
const interruptedLines = 5;

/** Summary lines of test runners; each names how many tests passed. */
const runners = [
  /^(?:# |ℹ )?pass(?:ed)? (\d+)\s*$/,
  /^\s*Tests:?\s+(?:\d+ skipped[,|\s]+)?(\d+) passed\b/,
  /^=+ (\d+) passed\b/,
  /^\s*(\d+) passing\b/,
  /^test result: ok\. (\d+) passed\b/,
  /^OK \((\d+) tests?\b/,
  /^(\d+) examples?, 0 failures\b/,
] as const;

/** Programs whose output the model asked for to read it. */
const reading =
  /^(?:cat|ls|ll|head|tail|grep|rg|egrep|find|fd|wc|tree|pwd|which|file|stat|du|df|jq|sort|uniq|cut|sed -n|git (?:status|log|diff|show|branch|blame|ls-files|grep))\b/;

/** The lines of a failed command that are about its failure. */
export function failedOutput(output: string, omitted = 0): OutputExcerpt {
  const text = filterEscapes(output).trimEnd();
  if (text === '') return { lines: [] };
  const { lines, total: kept } = failingLines(text);
  const total = kept + omitted;
  const isAll = lines.length >= total;
  return { lines, ...(isAll ? {} : { note: `${lines.length} of ${total} lines` }) };
}

/** The end of what a command printed until it was interrupted. */
export function interruptedOutput(output: string): OutputExcerpt {
  const text = filterEscapes(output.slice(-lookedAt)).trimEnd();
  return { lines: text === '' ? [] : text.split('\n').slice(-interruptedLines) };
}

/** The useful part of a command that succeeded: a count of tests, nothing where it only read, else its end. */
export function finishedOutput(
  output: string,
  { command, omitted = 0 }: { readonly command: string; readonly omitted?: number | undefined },
): OutputExcerpt {
  const text = filterEscapes(output.slice(-lookedAt)).trim();
  if (text === '') return { lines: [] };
  const lines = text.split('\n');
  const passed = passedTests(lines);
  if (passed !== undefined) return { lines: [], note: `${passed} pass` };
  if (reading.test(command.trim())) return { lines: [], note: lineNote(output, omitted) };
  return lines.length <= lastLines + 1
    ? { lines }
    : { lines: lines.slice(-lastLines), note: `${lastLines} of ${lineNote(output, omitted)}` };
}

function passedTests(lines: readonly string[]): number | undefined {
  for (const runner of runners) {
    const counts = lines.flatMap((line) => runner.exec(line.slice(0, 200))?.[1] ?? []);
    if (counts.length > 0) return counts.reduce((sum, count) => sum + Number(count), 0);
  }
  return undefined;
}

function lineNote(output: string, omitted: number): string {
  return pluralize(Math.max(1, countLines(output) + omitted), 'line');
}
