import { describe, expect, it } from 'vitest';
import { describeRunning, findRunning, listProcesses } from './running-programs.ts';

const root = '/usr/local/lib/node_modules/@robota-sdk/agent-cli';

describe('processes of other systems', () => {
  it('are read from ps on macOS', async () => {
    const printed = [
      '    1 /sbin/launchd',
      `  812 node ${root}/dist/bin.js -p hi`,
      `  813 vim ${root}/dist/bin.js`,
      `  814 /usr/bin/env node ${root}/dist/bin.js`,
      ' 9000 /Users/user/.local/bin/robota fleet start',
      '',
    ].join('\n');
    const list = () => listProcesses('darwin', async () => printed);
    const found = await findRunning({ kind: 'npm', path: root }, list);
    expect(found?.map(({ pid }) => pid)).toEqual([812, 814]);
    const executable = { kind: 'executable', path: '/Users/user/.local/bin/robota' } as const;
    expect((await findRunning(executable, list))?.map(({ pid }) => pid)).toEqual([9000]);
  });

  it('are read from PowerShell on Windows', async () => {
    const folder = 'C:\\Users\\user\\AppData\\Roaming\\npm\\node_modules\\@robota-sdk\\agent-cli';
    const rows = [
      { ProcessId: 4, CommandLine: null, ExecutablePath: null },
      {
        ProcessId: 812,
        CommandLine: `"C:\\Program Files\\nodejs\\node.exe" "${folder}\\dist\\bin.js" -p hi`,
        ExecutablePath: 'C:\\Program Files\\nodejs\\node.exe',
      },
      { ProcessId: 9, CommandLine: `notepad.exe ${folder}\\dist\\bin.js`, ExecutablePath: null },
    ];
    const asked: string[] = [];
    const list = (value: unknown) => () =>
      listProcesses('win32', async (file) => {
        asked.push(file);
        return JSON.stringify(value);
      });
    const found = await findRunning({ kind: 'npm', path: folder }, list(rows));
    expect(found?.map(({ pid }) => pid)).toEqual([812]);
    expect(await findRunning({ kind: 'npm', path: folder }, list(rows[1]))).toHaveLength(1);
    expect(asked).toEqual(['powershell.exe', 'powershell.exe']);
  });

  it('are unknown where the list cannot be had', async () => {
    const list = () => listProcesses('darwin', () => Promise.reject(new Error('no ps')));
    expect(await findRunning({ kind: 'npm', path: root }, list)).toBeUndefined();
    for (const printed of ['', 'Access denied', 'null', '5']) {
      const windows = () => listProcesses('win32', () => Promise.resolve(printed));
      expect(await findRunning({ kind: 'npm', path: root }, windows), printed).toBeUndefined();
    }
  });

  it('are named with what they do, and counted beyond five', () => {
    const one = (pid: number) => ({
      pid,
      line: '',
      words: ['node', '/usr/bin/robota', 'fleet', 'start', '--jobs'],
    });
    expect(describeRunning([one(1)])).toBe('process 1 (fleet start)');
    expect(describeRunning([1, 2, 3, 4, 5, 6, 7].map((pid) => ({ pid, line: '' })))).toBe(
      'process 1, process 2, process 3, process 4, process 5, 2 more',
    );
  });
});
