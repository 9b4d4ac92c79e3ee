import { describeMoney, formatDuration, pluralize } from '@robota-sdk/agent-core';
import { fleetTime, trimmedLine } from '../console/describe-task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import { fields, indented, receiptLines } from '../console/receipt-lines.ts';
import { taskFacts } from '../console/task-facts.ts';
import { isEnded, type TaskDetails, type TaskSpec } from '../contract/task.ts';
import { onlyWord, requireTask, withClient } from './with-client.ts';

/** `robota fleet show`: all that is known of a task. */
export async function fleetShowCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
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
    `${task.id}  ${trimmedLine(task.name)}`,
    ...fields({
      State: `${task.state}${task.reason ? `: ${trimmedLine(task.reason.message)}` : ''}`,
      Until: task.reason?.until === undefined ? undefined : fleetTime(task.reason.until),
      Worker: task.worker,
      Added: fleetTime(task.createdAt),
      Ended: task.endedAt === undefined ? undefined : fleetTime(task.endedAt),
      Spent: `${describeMoney(task.cost)}, ${pluralize(task.turns, 'turn')}`,
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
  const choices = question.choices?.map((choice) => `    - ${trimmedLine(choice)}`) ?? [];
  return ['', 'Question', ...indented(question.text), ...choices, `  ${answer}`];
}

/** The command that answers the question of a task in a queue. */
function answerLine({ id, question }: TaskDetails, program: string): string {
  return `Answer with: ${program} fleet answer ${id} ${question?.tool === 'AskUser' ? '"TEXT"' : 'allow|deny'}`;
}

function specFields(spec: TaskSpec): Readonly<Record<string, string | undefined>> {
  const limits = [
    spec.maxCost === undefined ? undefined : describeMoney(spec.maxCost),
    spec.maxTimeMs === undefined ? undefined : formatDuration(spec.maxTimeMs),
    spec.maxTurns === undefined ? undefined : pluralize(spec.maxTurns, 'turn'),
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
      return `schedule ${origin.schedule}, due ${fleetTime(origin.due)}`;
    case 'webhook':
      return `webhook, delivery ${origin.delivery}`;
  }
}
