import { failingLines, pluralize } from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes } from '@robota-sdk/agent-tui';
import { saysFailed, type TestCounts, testCounts } from './test-counts.ts';
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

/** The useful part of a command that succeeded: counts of tests, nothing where it only read, else its end. */
export function finishedOutput(
  output: string,
  { command, omitted = 0 }: { readonly command: string; readonly omitted?: number | undefined },
): OutputExcerpt {
  const lines = linesOf(output);
  if (lines.length === 0) return { lines };
  const counts = isReadingOnly(command) ? undefined : testCounts(lines);
  const note = counts && countsText(counts);
  // Of an output that is not whole, only what failed is certain.
  if (note !== undefined && (counts?.failed !== 0 || omitted === 0)) return { lines: [], note };
  if (reading.test(command.trim())) return { lines: [], note: lineNote(output, omitted) };
  return lines.length <= lastLines + 1 && omitted === 0
    ? { lines }
    : { lines: lines.slice(-lastLines), note: `${lastLines} of ${lineNote(output, omitted)}` };
}

/**
 * True if the output of a command that succeeded says that something in it failed: the exit code is that of the last command
 * alone, as in `npm test | tail`.
 */
export function hasFailedInside(output: string, command: string): boolean {
  if (isReadingOnly(command)) return false;
  const lines = linesOf(output);
  return saysFailed(lines) || (testCounts(lines)?.failed ?? 0) > 0;
}

/** It shows a text of another time. */
function isReadingOnly(command: string): boolean {
  return reading.test(command.trim()) && !/[;&\n]/.test(command.trim());
}

function linesOf(output: string): readonly string[] {
  const text = filterEscapes(output.slice(-lookedAt)).trim();
  return text === '' ? [] : text.split('\n');
}

function countsText({ passed, failed }: TestCounts): string {
  const parts = [...(passed ? [`${passed} pass`] : []), ...(failed > 0 ? [`${failed} fail`] : [])];
  return parts.join(', ');
}

function lineNote(output: string, omitted: number): string {
  return pluralize(Math.max(1, countLines(output) + omitted), 'line');
}
