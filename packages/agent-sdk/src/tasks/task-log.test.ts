import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { TaskLog } from './task-log.ts';

it('reads the whole records of any file and skips the others', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'robota-tasks-')), 'tasks.jsonl');
  const any = fc.jsonValue();
  const record = fc.record(
    {
      task: fc.oneof(fc.record({ id: fc.string(), status: fc.string() }), fc.record({ id: any }), any),
      group: fc.oneof(fc.record({ id: fc.string(), taskIds: fc.oneof(fc.array(fc.string()), any) }), any),
      closed: fc.oneof(fc.string(), any),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fc.array(fc.oneof(record, any)), (records) => {
      const lines = [...records, { closed: 'last' }].map((each) => `${JSON.stringify(each)}\n`);
      writeFileSync(file, lines.join('{\n'));
      const read = new TaskLog(file, () => {}).read();
      expect(read.at(-1)).toEqual({ closed: 'last' });
      for (const each of read) {
        const isTask = 'task' in each && typeof each.task?.id === 'string';
        const isGroup = 'group' in each && Array.isArray(each.group?.taskIds);
        expect(isTask || isGroup || ('closed' in each && typeof each.closed === 'string')).toBe(true);
      }
    }),
  );
});
