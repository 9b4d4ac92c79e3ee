import { AgentError, type JsonObject, type JsonValue } from '@robota-sdk/agent-core';
import type { FleetPort } from './fleet/fleet-port.ts';
import { bodyText } from './read-body.ts';

export interface TaskRules {
  /** The directory, if tasks may work in it; throws otherwise. */
  allowRepository(path: string): Promise<string>;
  /** Tasks may bring a command of their own, as their check. */
  readonly shell: boolean;
}

/** Adds a task as `robota fleet add` does. */
export async function queueTask(fleet: FleetPort, body: JsonObject, rules: TaskRules): Promise<void> {
  await fleet.run('add', { task: await taskIn(body, rules) });
}

/** Adds a schedule as `robota fleet schedule` does. */
export async function addSchedule(fleet: FleetPort, body: JsonObject, rules: TaskRules): Promise<void> {
  const task = await taskIn(body, rules);
  const options = { ...optionIn(body, 'time-zone', 'timeZone'), ...optionIn(body, 'missed', 'missed') };
  await fleet.run('schedule', { words: [bodyText(body, 'cron')], options, task });
}

export async function removeSchedule(fleet: FleetPort, id: string): Promise<void> {
  const known = await fleet.schedules();
  if (!known.some((schedule) => schedule.id === id)) throw new AgentError('usage', `No schedule "${id}".`);
  await fleet.submit([{ type: 'unschedule', id }]);
}

/** Sets the limits of the fleet as `robota fleet cost` does; null removes one. */
export async function setLimits(fleet: FleetPort, body: JsonObject): Promise<void> {
  const limits = Object.fromEntries(
    (['daily', 'total'] as const).flatMap((name) => {
      const value = body[name];
      if (value === undefined) return [];
      if (value === null || (typeof value === 'number' && Number.isFinite(value) && value > 0))
        return [[name, value]];
      throw new AgentError('usage', `Expected an amount in US dollars as "${name}".`);
    }),
  );
  if (Object.keys(limits).length === 0) throw new AgentError('usage', 'Expected "daily" or "total".');
  await fleet.submit([{ type: 'budget', ...limits }]);
}

function optionIn(body: JsonObject, option: string, name: string): Readonly<Record<string, string>> {
  return body[name] === undefined ? {} : { [option]: bodyText(body, name) };
}

/** The fields of a task file that a page may give. Permissions and the sandbox stay as they are. */
const fields = ['name', 'base', 'model', 'maxCost', 'attempts', 'after', 'labels', 'deliver', 'priority'];

async function taskIn(body: JsonObject, { allowRepository, shell }: TaskRules): Promise<JsonObject> {
  const task: Record<string, JsonValue> = {
    prompt: bodyText(body, 'prompt'),
    repo: await allowRepository(bodyText(body, 'repo')),
  };
  for (const name of fields) if (body[name] !== undefined) task[name] = body[name] as JsonValue;
  if (body.check === undefined) return task;
  if (shell) return { ...task, check: bodyText(body, 'check') };
  throw new AgentError('usage', 'Commands as checks are off on this page.', {
    hint: 'Start the server with: robota web --shell',
  });
}
