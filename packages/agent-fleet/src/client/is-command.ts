import {
  amount,
  anyObject,
  checked,
  guard,
  instance,
  integer,
  lazy,
  list,
  nullable,
  object,
  text,
  variants,
  words,
} from '@robota-sdk/agent-core';
import type { FleetCommand, Schedule } from '../contract/client.ts';

const time = checked(text, 'a time', (value) => !Number.isNaN(Date.parse(value)));

const specShape = lazy(() => {
  const lists = { after: list(text), labels: list(text) };
  const numbers = { attempts: integer, priority: integer };
  const objects = { permissions: anyObject, origin: anyObject };
  return object({ name: text, prompt: text, repo: text, ...lists, ...numbers, ...objects });
});

/** True for a schedule as users and supervisors write it. */
export const isSchedule = guard<Schedule>(() =>
  object(
    {
      id: text,
      cron: text,
      timeZone: text,
      createdAt: time,
      missed: words('run-once', 'skip'),
      spec: specShape,
    },
    { lastDue: text, nextDue: text },
  ),
);

/** True for a command that this version can carry out. Commands of later versions are none. */
export const isCommand = guard<FleetCommand>(() => {
  // Ids become names of directories and of refs.
  const id = checked(text, 'an id', (value) => /^[A-Za-z0-9][\w-]{0,99}$/.test(value));
  const limit = nullable(amount);
  const schedule = instance('a schedule', isSchedule);
  return variants('type', {
    add: [{ id, spec: specShape, at: time }],
    stop: [{ id }],
    retry: [{ id }],
    answer: [{ id, hash: text, decision: words('allow', 'deny', 'text') }, { text }],
    say: [{ id, text }],
    drain: [{}],
    schedule: [{ schedule }],
    unschedule: [{ id: text }],
    budget: [{}, { total: limit, daily: limit }],
  } satisfies Record<FleetCommand['type'], readonly [object, object?]>);
});
