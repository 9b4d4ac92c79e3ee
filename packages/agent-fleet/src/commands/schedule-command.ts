import { AgentError } from '@robota-sdk/agent-core';
import { fleetTime } from '../console/describe-task.ts';
import { exitCodes, type FleetConsole, type FleetRequest } from '../console/fleet-console.ts';
import type { Schedule } from '../contract/client.ts';
import { newTaskId } from '../task/task-id.ts';
import { assertRepository, specsOf } from './add-command.ts';
import { databaseOf, withClient } from './with-client.ts';

/** `robota fleet schedule`: lists schedules, adds one, or removes one. */
export async function scheduleCommand(request: FleetRequest, console: FleetConsole): Promise<number> {
  const [first, ...rest] = request.words;
  if (first === undefined) return listSchedules(request, console);
  if (first === 'remove') return removeSchedules({ ...request, words: rest }, console);
  return addSchedule(first, { ...request, words: rest }, console);
}

async function listSchedules(request: FleetRequest, console: FleetConsole): Promise<number> {
  const schedules = await withClient(request, console, (client) => client.schedules());
  if (request.has('json')) {
    for (const schedule of schedules) await console.print(`${JSON.stringify(schedule)}\n`);
    return exitCodes.done;
  }
  const width = Math.max(0, ...schedules.map(({ cron }) => console.width(cron)));
  for (const { id, cron, timeZone, spec, nextDue } of schedules) {
    const next = nextDue === undefined ? '' : `  next ${fleetTime(nextDue)}`;
    await console.print(`${id}  ${cron.padEnd(width)}  ${timeZone}${next}  ${spec.name}\n`);
  }
  if (schedules.length === 0)
    await console.note(
      `No schedules. Add one with: ${console.program} fleet schedule "0 2 * * *" nightly.md`,
    );
  return exitCodes.done;
}

async function removeSchedules(request: FleetRequest, console: FleetConsole): Promise<number> {
  return withClient(request, console, async (client) => {
    const known = await client.schedules();
    if (request.words.length === 0) throw new AgentError('usage', 'Missing schedule.');
    const commands = request.words.map((word) => {
      const found = known.filter(({ id, spec }) => id === word || spec.name === word);
      const [schedule, other] = found;
      if (schedule && !other) return { type: 'unschedule' as const, id: schedule.id };
      const problem = other ? `"${word}" means several schedules. Use an id.` : `No schedule "${word}".`;
      throw new AgentError('usage', problem, {
        hint: { text: 'List them with', run: ['fleet', 'schedule'] },
      });
    });
    await client.submit(commands);
    return exitCodes.done;
  });
}

async function addSchedule(cron: string, request: FleetRequest, console: FleetConsole): Promise<number> {
  const timeZone = request.value('time-zone') ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  assertTimeZone(timeZone);
  const next = await nextRun(cron, timeZone);
  const specs = await specsOf(request, console);
  const [spec, other] = specs;
  if (!spec || other) throw new AgentError('usage', 'A schedule has one task.');
  assertRepository(spec, databaseOf(request, console) !== undefined);
  const schedule: Schedule = {
    id: newTaskId(),
    cron,
    timeZone,
    spec,
    missed: missedOf(request),
    createdAt: new Date().toISOString(),
    nextDue: next.toISOString(),
  };
  await withClient(request, console, (client) => client.submit([{ type: 'schedule', schedule }]));
  await console.print(`${request.has('json') ? JSON.stringify(schedule) : schedule.id}\n`);
  await console.note(`First due ${fleetTime(next.toISOString())}, while a worker or the supervisor runs.`);
  return exitCodes.done;
}

function assertTimeZone(timeZone: string): void {
  try {
    Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new AgentError('usage', `Unknown time zone "${timeZone}".`, {
      hint: 'Use a name such as Europe/Berlin, or UTC.',
    });
  }
}

async function nextRun(cron: string, timeZone: string): Promise<Date> {
  const { Cron } = await import('croner');
  let next: Date | null;
  try {
    next = new Cron(cron, { timezone: timeZone, paused: true, mode: '5-part' }).nextRun();
  } catch {
    throw new AgentError('usage', `"${cron}" is not a schedule.`, {
      hint: 'Use five fields, such as "0 2 * * *" for 2:00 every day.',
    });
  }
  if (next) return next;
  throw new AgentError('usage', `"${cron}" is never due.`);
}

function missedOf(request: FleetRequest): Schedule['missed'] {
  const given = request.value('missed') ?? 'run-once';
  if (given === 'run-once' || given === 'skip') return given;
  throw new AgentError('usage', `--missed needs run-once or skip, not "${given}".`);
}
