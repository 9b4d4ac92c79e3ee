import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { ChangeLog } from './change-log.ts';

it('reads the whole lines of any file and skips the others', () => {
  const directory = mkdtempSync(join(tmpdir(), 'robota-changes-'));
  const sound = { type: 'call', id: 'sound', files: [{ path: '/a', before: { kind: 'absent' } }] };
  const any = fc.jsonValue();
  const state = fc.oneof(fc.record({ kind: fc.string() }), any);
  const file = fc.record(
    { path: fc.oneof(fc.string(), any), before: state, after: state },
    { requiredKeys: [] },
  );
  const line = fc.record({
    type: fc.constantFrom('call', 'rewind', 'after', 'other'),
    id: fc.oneof(fc.string(), any),
    files: fc.oneof(fc.array(fc.oneof(file, any)), any),
  });
  fc.assert(
    fc.property(fc.array(fc.oneof(line, any)), (lines) => {
      const text = [...lines, sound].map((each) => `${JSON.stringify(each)}\n`).join('{\n');
      writeFileSync(join(directory, 'changes.jsonl'), text);
      const { changes } = new ChangeLog(directory);
      expect(changes.at(-1)).toMatchObject({ kind: 'call', id: 'sound' });
      for (const { id, files } of changes) {
        expect(typeof id).toBe('string');
        for (const { path, before, after = before } of files)
          expect([typeof path, typeof before.kind, typeof after.kind]).toEqual([
            'string',
            'string',
            'string',
          ]);
      }
    }),
  );
});
