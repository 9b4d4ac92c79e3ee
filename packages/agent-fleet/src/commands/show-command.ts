import {
  type AttemptRecord,
  isEnded,
  type Receipt,
  type TaskDetails,
  type TaskSpec,
} from '../contract/task.ts';
import { formatDuration } from '../task/duration.ts';
import { describeResult, dollars, linesChanged, localTime, oneLine } from './describe-task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from './fleet-console.ts';
import { taskFacts } from './list-command.ts';
import { onlyWord, requireTask, withClient } from './with-client.ts';

/** `robota fleet show`: all that is known of a task. */
export async function showCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const task = await withClient(request, console, (client) => requireTask(client, onlyWord(request)));
  if (request.has('json')) {
    const { spec, receipt = null, directory = null } = task;
    await console.print(`${JSON.stringify({ ...taskFacts(task), directory, spec, receipt })}\n`);
    return exitCodes.done;
  }
  await console.print(`${describeTask(task, answerLine(task, console.program)).join('\n')}\n`);
  return exitCodes.done;
}

/** A task for its reader, in sections; `answer` tells what to do about its question. */
export function describeTask(task: TaskDetails, answer: string): readonly string[] {
  const { spec, receipt } = task;
  return [
    `${task.id}  ${oneLine(task.name)}`,
    ...fields({
      State: `${task.state}${task.reason ? `: ${oneLine(task.reason.message)}` : ''}`,
      Until: task.reason?.until === undefined ? undefined : localTime(task.reason.until),
      Worker: task.worker,
      Added: localTime(task.createdAt),
      Ended: task.endedAt === undefined ? undefined : localTime(task.endedAt),
      Spent: `${dollars(task.cost)}, ${count(task.turns, 'turn')}`,
      Directory: isEnded(task.state) ? undefined : task.directory,
      Session: task.sessionId,
    }),
    ...questionLines(task, answer),
    '',
    'Task',
    ...fields(specFields(spec)),
    '',
    ...indented(spec.prompt),
    ...receiptLines(receipt),
  ];
}

function questionLines({ question, state }: TaskDetails, answer: string): readonly string[] {
  if (!question || state !== 'parked') return [];
  const choices = question.choices?.map((choice) => `    - ${oneLine(choice)}`) ?? [];
  return ['', 'Question', ...indented(question.text), ...choices, `  ${answer}`];
}

/** The command that answers the question of a task in a queue. */
function answerLine({ id, question }: TaskDetails, program: string): string {
  return `Answer with: ${program} fleet answer ${id} ${question?.tool === 'AskUser' ? '"TEXT"' : 'allow|deny'}`;
}

function specFields(spec: TaskSpec): Readonly<Record<string, string | undefined>> {
  const limits = [
    spec.maxCost === undefined ? undefined : dollars(spec.maxCost),
    spec.maxTimeMs === undefined ? undefined : formatDuration(spec.maxTimeMs),
    spec.maxTurns === undefined ? undefined : count(spec.maxTurns, 'turn'),
  ].filter((limit) => limit !== undefined);
  const { mode, allow = [], ask = [], deny = [] } = spec.permissions;
  const rules = [
    ...(mode === undefined ? [] : [mode]),
    ...allow.map((rule) => `allow ${rule}`),
    ...ask.map((rule) => `ask ${rule}`),
    ...deny.map((rule) => `deny ${rule}`),
  ];
  return {
    Repository: spec.base === undefined ? spec.repo : `${spec.repo} at ${spec.base}`,
    Setup: spec.setup,
    Check:
      spec.check === undefined
        ? undefined
        : `${spec.check}${spec.baseline === 'skip' ? ' (no baseline)' : ''}`,
    Model: spec.model,
    Limits: limits.length === 0 ? undefined : limits.join(', '),
    Attempts: spec.attempts === 1 ? undefined : `${spec.attempts}, keep ${spec.keep}`,
    After: spec.after.length === 0 ? undefined : spec.after.join(', '),
    Labels: spec.labels.length === 0 ? undefined : spec.labels.join(', '),
    Permissions: rules.length === 0 ? undefined : rules.join(', '),
    Questions: spec.ask === 'deny' ? 'denied' : undefined,
    Deliver: spec.deliver,
    Sandbox: spec.sandbox ? undefined : 'off',
    Origin: originOf(spec),
  };
}

function originOf({ origin }: TaskSpec): string | undefined {
  switch (origin.kind) {
    case 'command':
      return undefined;
    case 'file':
      return origin.path;
    case 'schedule':
      return `schedule ${origin.schedule}, due ${localTime(origin.due)}`;
    case 'webhook':
      return `webhook, delivery ${origin.delivery}`;
  }
}

/** The receipt of a task: what was done, checked and spent. */
export function receiptLines(receipt: Receipt | undefined): readonly string[] {
  if (!receipt) return [];
  const { delivery, baseline, filesChanged, added, removed, notes, winner } = receipt;
  const places = [delivery?.branch, delivery?.url, delivery?.patch].filter((place) => place !== undefined);
  return [
    '',
    'Receipt',
    ...fields({
      Baseline: baseline && describeResult(baseline),
      Delivered: places.length === 0 ? undefined : [delivery?.kind, ...places].join(' '),
      Commit: delivery?.commit,
      Changed: [count(filesChanged, 'file'), linesChanged({ added, removed })].filter(Boolean).join(', '),
      Cost: `${dollars(receipt.cost)}, ${count(receipt.turns, 'turn')}`,
    }),
    ...receipt.attempts.flatMap((attempt) => attemptLines(attempt, attempt.number === winner)),
    ...notes.map((note) => `  Note: ${oneLine(note)}`),
  ];
}

const shownTail = 12;

function attemptLines(attempt: AttemptRecord, isWinner: boolean): readonly string[] {
  const facts = [attempt.state, dollars(attempt.cost), count(attempt.turns, 'turn'), attempt.branch].filter(
    Boolean,
  );
  const { check } = attempt;
  const tail = check && check.exitCode !== 0 ? check.tail.trimEnd().split('\n').slice(-shownTail) : [];
  return [
    `  Attempt ${attempt.number}${isWinner ? ' (delivered)' : ''}: ${facts.join(', ')}`,
    ...(check ? [`    ${describeResult(check)}`] : []),
    ...tail.map((line) => `      ${line}`),
    ...(attempt.answer === undefined ? [] : indented(attempt.answer, '    ')),
  ];
}

function fields(values: Readonly<Record<string, string | undefined>>): readonly string[] {
  const known = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  return known.map(
    ([name = '', value = '']) =>
      `  ${name.padEnd(12)} ${value.trimEnd().replaceAll('\n', `\n${' '.repeat(15)}`)}`,
  );
}

function indented(text: string, indent = '  '): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `${indent}${line}`.trimEnd());
}

function count(value: number, noun: string): string {
  return `${value} ${noun}${value === 1 ? '' : 's'}`;
}
