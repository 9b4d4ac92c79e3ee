import { join } from 'node:path';
import { temporaryDirectory, testTool } from '@robota-sdk/agent-testing';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { readApprovals, recordApproval } from './approvals.ts';

stillOpen('keeps the command that was approved, also if the call reads a file before', {
  observe: async () => {
    const file = join(await temporaryDirectory('approvals'), 'approvals.jsonl');
    const call = { type: 'tool-call', id: '1', name: 'Copy', input: {} } as const;
    const access = [
      { kind: 'read', path: '/ws/a', real: '/ws/a' },
      { kind: 'run', command: 'make deploy', cwd: '/ws' },
    ] as const;
    const request = { tool: testTool('Copy'), call, input: {}, access, hook: undefined };
    await recordApproval(file, { request, kind: 'once', rules: [] }, { cwd: '/ws', secrets: [] });
    return JSON.stringify(await readApprovals(file));
  },
  today: (kept) => {
    expect(kept).toContain('"path":"/ws/a"');
    expect(kept).not.toContain('make deploy');
  },
  wanted: (kept) => expect(kept).toContain('make deploy'),
});
