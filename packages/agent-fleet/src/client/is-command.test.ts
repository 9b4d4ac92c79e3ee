import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isCommand } from './is-command.ts';

const texts = { name: 'n', prompt: 'p', repo: 'r' };
const spec = { ...texts, after: [], labels: ['l'], attempts: 1, priority: 0, permissions: {}, origin: {} };
const at = '2026-01-02T03:04:05.000Z';
const schedule = { id: 's', cron: '* * * * *', timeZone: 'UTC', createdAt: at, missed: 'skip', spec };
const commands = [
  { type: 'add', id: 'a', spec, at },
  { type: 'stop', id: 'a' },
  { type: 'retry', id: 'a-1' },
  { type: 'answer', id: 'a', hash: 'h', decision: 'text', text: 't' },
  { type: 'say', id: 'a', text: 't' },
  { type: 'drain' },
  { type: 'schedule', schedule },
  { type: 'unschedule', id: 's' },
  { type: 'budget', total: null, daily: 2 },
];

it('takes a command only with every field as it has to be', () => {
  for (const command of commands) {
    expect(isCommand(command), command.type).toBe(true);
    for (const name of Object.keys(command))
      expect(isCommand({ ...command, [name]: [] }), `${command.type}: ${name}`).toBe(false);
  }
  for (const name of Object.keys(spec))
    expect(isCommand({ type: 'add', id: 'a', at, spec: { ...spec, [name]: 1.5 } }), name).toBe(false);
  for (const id of ['', '../a', '-a', 'a/b', 'a'.repeat(101)])
    expect(isCommand({ type: 'stop', id })).toBe(false);
  expect(isCommand({ type: 'add', id: 'a', spec, at: 'now' })).toBe(false);
  expect(isCommand({ type: 'of a later version' })).toBe(false);
});

it('answers any JSON without an exception', () => {
  const type = fc.constantFrom(...commands.map((command) => command.type), 'toString');
  const fields = fc.dictionary(
    fc.constantFrom('id', 'spec', 'at', 'text', 'schedule', 'total'),
    fc.jsonValue(),
  );
  fc.assert(
    fc.property(fc.oneof(fc.jsonValue(), fc.tuple(type, fields)), (value) => {
      const command = Array.isArray(value) ? { ...(value[1] as object), type: value[0] } : value;
      expect(typeof isCommand(command)).toBe('boolean');
    }),
  );
});
