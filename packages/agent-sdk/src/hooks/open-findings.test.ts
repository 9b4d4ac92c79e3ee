import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { expect } from 'vitest';
import { callTurn, openScripted } from '../fixtures/scripted-session.ts';
import { makeTestProject } from '../fixtures/test-project.ts';
import { dispatchInput } from '../input/dispatch-input.ts';

stillOpen('runs a hook with once for the first call that its condition fits', {
  observe: async () => {
    const place = await makeTestProject();
    await place.put(
      '.agents/skills/careful/SKILL.md',
      [
        '---',
        'name: careful',
        'description: d',
        'hooks:',
        '  PreToolUse:',
        '    - matcher: Bash',
        '      hooks:',
        '        - type: command',
        '          command: "echo guarded >&2; exit 2"',
        '          if: "Bash(touch pushed*)"',
        '          once: true',
        '---',
        'Be careful.',
      ].join('\n'),
    );
    const { session } = await openScripted(
      place,
      [
        callTurn('Bash', { command: 'touch first' }),
        callTurn('Bash', { command: 'touch pushed' }),
        { text: 'done' },
      ],
      { trustProject: true, permissionMode: 'bypassPermissions' },
    );
    await dispatchInput(session, '/careful');
    await session.shutdown();
    expect(existsSync(join(place.cwd, 'first'))).toBe(true);
    return existsSync(join(place.cwd, 'pushed'));
  },
  today: true,
  wanted: (ran) => expect(ran).toBe(false),
});
