import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ToolContext } from '@robota-sdk/agent-core';
import { stillOpen } from '@robota-sdk/agent-testing/still-open';
import { describe, expect, onTestFinished } from 'vitest';
import { readTool } from '../read/read-tool.ts';
import { writeTool } from '../write/write-tool.ts';
import { findSandbox } from './find-sandbox.ts';
import { run, sandboxed } from './fixtures/sandboxed-context.ts';
import { sandboxAccess, strictPolicy } from './sandbox-policy.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

const hasBubblewrap = (await findSandbox()).kind === 'bubblewrap';

/** Calls of a file tool while a process exchanges the folder `d` for a link to a folder outside; ends at the first that gets through. */
async function whileSwapped(
  call: (context: ToolContext, index: number, outside: string) => Promise<boolean>,
) {
  const context = sandboxed();
  const { cwd } = context.workspace;
  const outside = join(dirname(cwd), 'outside');
  mkdirSync(join(cwd, 'd'));
  mkdirSync(outside);
  writeFileSync(join(outside, 'id_rsa'), 'KEY OF THE USER');
  symlinkSync(outside, join(cwd, 'e'));
  const swap = `const { renameSync: move } = require('node:fs'); process.chdir(${JSON.stringify(cwd)}); process.send('ready');
    const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 0.05);
    for (;;) { move('d', 't'); move('e', 'd'); pause(); move('d', 'e'); move('t', 'd'); pause(); }`;
  const swapper = spawn(process.execPath, ['-e', swap], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper, 'message');
  for (let index = 0; index < 20_000; index++) if (await call(context, index, outside)) return 'got outside';
  return 'stayed inside';
}

describe('file tools while a command exchanges a folder for a link', () => {
  stillOpen('write nothing outside', {
    observe: () =>
      whileSwapped(async (context, index, outside) => {
        await Promise.resolve(writeTool.execute({ file_path: `d/f${index}`, content: 'x' }, context)).catch(
          () => {},
        );
        return readdirSync(outside).length > 1;
      }),
    today: 'got outside',
    wanted: (outcome) => expect(outcome).toBe('stayed inside'),
  });
});

describe.skipIf(!hasBubblewrap)('what is hidden in the workspace', () => {
  const hiddenKey = () => {
    const context = sandboxed();
    const { cwd } = context.workspace;
    mkdirSync(join(cwd, 'conf/secrets'), { recursive: true });
    writeFileSync(join(cwd, 'conf/secrets/key'), 'HIDDENKEY');
    context.state.get(sandboxAccess).policy = { ...strictPolicy, hidden: [join(cwd, 'conf/secrets')] };
    return context;
  };

  stillOpen('stays hidden from commands when its parent is renamed', {
    observe: async () => {
      const context = hiddenKey();
      const before = (await run('cat conf/secrets/key', context)).text.includes('HIDDENKEY');
      await run('mv conf c2', context);
      return { before, after: (await run('cat c2/secrets/key', context)).text.includes('HIDDENKEY') };
    },
    today: { before: false, after: true },
    wanted: ({ after }) => expect(after).toBe(false),
  });

  stillOpen('stays hidden from Read when its parent is renamed', {
    observe: async () => {
      const context = hiddenKey();
      await run('mv conf c2', context);
      const output = await Promise.resolve(readTool.execute({ file_path: 'c2/secrets/key' }, context)).catch(
        String,
      );
      return JSON.stringify(output).includes('HIDDENKEY');
    },
    today: true,
    wanted: (isShown) => expect(isShown).toBe(false),
  });
});

describe('the profile of macOS', () => {
  stillOpen('denies what it does not name', {
    observe: () =>
      seatbeltProfile({ places: [], network: 'off' } as never, { temporary: '/t', roots: [] }).split('\n')[1],
    today: '(allow default)',
    wanted: (line) => expect(line).toBe('(deny default)'),
  });
});
