import { describeLimitWait } from '@robota-sdk/agent-core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parkedIn } from './parked-run.ts';

it('reads a wait out of any data only if it is whole', () => {
  const any = fc.jsonValue();
  const wait = fc.record(
    {
      until: fc.oneof(fc.nat(), fc.double(), any),
      model: fc.oneof(fc.constant({ vendor: 'v', id: 'm' }), fc.object(), any),
      failure: fc.oneof(fc.constant({ code: 'quota', message: 'No.' }), fc.object(), any),
      call: fc.oneof(fc.string(), any),
    },
    { requiredKeys: [] },
  );
  const entry = {
    type: 'custom',
    customType: 'robota.parked',
    id: 'a',
    parentId: null,
    timestamp: '',
  } as const;
  fc.assert(
    fc.property(fc.oneof(wait, any), (value) => {
      const data = JSON.parse(JSON.stringify(value));
      const read = parkedIn({ ...entry, data });
      expect(['string', 'undefined']).toContain(typeof read?.call);
      const { wait } = read ?? {};
      if (wait) expect(describeLimitWait(wait)).toMatch(/; waiting for the limit to reset at .+Z, in /);
      if (wait) expect([typeof wait.model.id, typeof wait.failure.message]).toEqual(['string', 'string']);
      expect(parkedIn({ ...entry, customType: 'other', data })).toBeUndefined();
    }),
  );
});
