import {
  amount,
  anyObject,
  checked,
  guard,
  integer,
  list,
  nullable,
  object,
  text,
  variants,
  words,
} from '@robota-sdk/agent-core';
import type { FleetCommand } from '../contract/client.ts';

/** True for a command that this version can carry out. Commands of later versions are none. */
export const isCommand = guard<FleetCommand>(() => {
  // Ids become names of directories and of refs.
  const id = checked(text, 'an id', (value) => /^[A-Za-z0-9][\w-]{0,99}$/.test(value));
  const time = checked(text, 'a time', (value) => !Number.isNaN(Date.parse(value)));
  const limit = nullable(amount);
  const lists = { after: list(text), labels: list(text) };
  const numbers = { attempts: integer, priority: integer };
  const objects = { permissions: anyObject, origin: anyObject };
  const spec = object({ name: text, prompt: text, repo: text, ...lists, ...numbers, ...objects });
  const missed = words('run-once', 'skip');
  const schedule = object({ id: text, cron: text, timeZone: text, createdAt: time, missed, spec });
  return variants('type', {
    add: [{ id, spec, at: time }],
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
