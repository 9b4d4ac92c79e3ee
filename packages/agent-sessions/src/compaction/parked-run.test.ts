import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parkedIn } from './parked-run.ts';

it('reads a wait out of any data only if it is whole', () => {
  const any = fc.jsonValue();
  const wait = fc.record(
    {
      until: fc.oneof(fc.nat(), any),
      model: fc.oneof(fc.object(), any),
      failure: fc.oneof(fc.object(), any),
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
      expect(['string', 'undefined']).toContain(typeof read.call);
      if (read.wait) expect([typeof read.wait.until, typeof read.wait.model]).toEqual(['number', 'object']);
      expect(parkedIn({ ...entry, customType: 'other', data })).toEqual({});
    }),
  );
});
