import { describeMoney, pluralize } from '@robota-sdk/agent-core';
import type { AttemptRecord, Receipt } from '../contract/task.ts';
import { describeResult, linesChanged, trimmedLine } from './describe-task.ts';

/** The receipt of a task: what was done, checked and spent. */
export function receiptLines(receipt: Receipt | undefined): readonly string[] {
  if (!receipt) return [];
  const { delivery, baseline, filesChanged, added, removed, notes, winner } = receipt;
  const places = [delivery?.branch, delivery?.url, delivery?.patch].filter((place) => place !== undefined);
  const delivered = places.length === 0 ? undefined : winner;
  return [
    '',
    'Receipt',
    ...fields({
      Baseline: baseline && describeResult(baseline),
      Delivered: places.length === 0 ? undefined : [delivery?.kind, ...places].join(' '),
      Commit: delivery?.commit,
      Changed: [pluralize(filesChanged, 'file'), linesChanged({ added, removed })].filter(Boolean).join(', '),
      Cost: `${describeMoney(receipt.cost)}, ${pluralize(receipt.turns, 'turn')}`,
    }),
    ...receipt.attempts.flatMap((attempt) => attemptLines(attempt, attempt.number === delivered)),
    ...notes.map((note) => `  Note: ${trimmedLine(note)}`),
  ];
}

const shownTail = 12;

function attemptLines(attempt: AttemptRecord, isDelivered: boolean): readonly string[] {
  const facts = [
    attempt.state,
    describeMoney(attempt.cost),
    pluralize(attempt.turns, 'turn'),
    attempt.branch,
  ].filter(Boolean);
  const { check } = attempt;
  const tail = check && check.exitCode !== 0 ? check.tail.trimEnd().split('\n').slice(-shownTail) : [];
  return [
    `  Attempt ${attempt.number}${isDelivered ? ' (delivered)' : ''}: ${facts.join(', ')}`,
    ...(check ? [`    ${describeResult(check)}`] : []),
    ...tail.map((line) => `      ${line}`),
    ...(attempt.answer === undefined ? [] : indented(attempt.answer, '    ')),
  ];
}

/** Names and values in two columns, without those that have none. */
export function fields(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return known.map(
    ([name = '', value = '']) =>
      `  ${name.padEnd(12)} ${value.trimEnd().replaceAll('\n', `\n${' '.repeat(15)}`)}`,
  );
}

export function indented(text: string, indent = '  '): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd());
}
