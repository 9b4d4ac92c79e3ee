import type { Display } from '@robota-sdk/agent-sdk/front-end';

/** A plan cut at its steps: the numbered items of its first level. */
export interface PlanSteps {
  /** Text before the first step, without the heading that is the plan's title. */
  readonly before: string;
  /** Markdown of each step, with its number. */
  readonly steps: readonly string[];
  readonly after: string;
}

const stepStart = /^ {0,2}\d{1,3}[.)]\s/;

/** Cuts a plan at its steps. Of several numbered lists, the first one has the steps. */
export function planSteps(plan: string): PlanSteps {
  const lines = plan.split('\n');
  const isCode = codeLines(lines);
  const starts = lines.flatMap((line, index) => (stepStart.test(line) && !isCode[index] ? [index] : []));
  const [first] = starts;
  if (first === undefined) return { before: withoutTitle(plan), steps: [], after: '' };
  const last = starts.at(-1) ?? first;
  const end = endOfStep(lines, last);
  const edges = [...starts, end];
  return {
    before: withoutTitle(lines.slice(0, first).join('\n')),
    steps: starts.map((start, index) =>
      lines
        .slice(start, edges[index + 1])
        .join('\n')
        .trimEnd(),
    ),
    after: lines.slice(end).join('\n').trim(),
  };
}

/** The number of steps, in words. */
export function describeSteps(plan: string): string {
  const { length } = planSteps(plan).steps;
  return length === 0 ? '' : `${length} step${length === 1 ? '' : 's'}`;
}

/** The outcome of a plan in one line: `Plan approved · accept edits · 3 steps`. */
export function describePlan(
  { text, outcome, mode }: Extract<Display, { kind: 'plan' }>,
  separator: string,
): string {
  const name = mode === 'acceptEdits' ? 'accept edits' : (mode ?? '');
  const parts = outcome === 'approved' ? ['Plan approved', name] : ['Plan not approved yet'];
  return [...parts, describeSteps(text)].filter((part) => part !== '').join(` ${separator} `);
}

/** A step ends before the first line behind a blank one that is not indented. */
function endOfStep(lines: readonly string[], start: number): number {
  for (let index = start + 1; index < lines.length; index++) {
    const isAfterBlank = lines[index - 1]?.trim() === '';
    const line = lines[index] ?? '';
    if (line.trim() !== '' && !/^\s/.test(line) && (isAfterBlank || /^#/.test(line))) return index;
  }
  return lines.length;
}

function codeLines(lines: readonly string[]): readonly boolean[] {
  let isOpen = false;
  return lines.map((line) => {
    const isFence = /^\s*(?:```|~~~)/.test(line);
    if (isFence) isOpen = !isOpen;
    return isOpen || isFence;
  });
}

/** The first heading, or a first line alone, is the title. */
function withoutTitle(text: string): string {
  const trimmed = text.trim();
  const [first = '', second = ''] = trimmed.split('\n', 2);
  const isTitle = first.startsWith('#') || second.trim() === '';
  return isTitle ? trimmed.slice(first.length).trim() : trimmed;
}
