import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { kindOf } from './tool-call-view.ts';

stillOpen('tells editors that a call runs a command, also if it reads a file before', {
  observe: () => {
    const call = { type: 'tool-call', id: '1', name: 'Copy', input: {} } as const;
    return kindOf(call, [
      { kind: 'read', path: '/ws/a', real: '/ws/a' },
      { kind: 'run', command: 'make deploy', cwd: '/ws' },
    ]);
  },
  today: 'read',
  wanted: (kind) => expect(kind).toBe('execute'),
});
