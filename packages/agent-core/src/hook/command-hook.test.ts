import { mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { commandHook } from './command-hook.ts';
import type { HookCall } from './hook-executor.ts';
import { HookProcesses } from './hook-processes.ts';

let cwd: string;
let processes: HookProcesses;

beforeEach(async () => {
  cwd = await realpath(await mkdtemp(join(tmpdir(), 'robota-hook-')));
  processes = new HookProcesses();
});

afterEach(() => processes.dispose());

function run(command: unknown, extra: Partial<HookCall> & { async?: boolean } = {}) {
  const { async: isAsync, ...rest } = extra;
  return commandHook.run({
    definition: { type: 'command', command: command as string, ...(isAsync ? { async: true } : {}) },
    payload: { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'rm -rf "it\'s"' } },
    cwd,
    env: { PATH: process.env.PATH ?? '' },
    signal: new AbortController().signal,
    processes,
    ...rest,
  });
}

/** Waits until a file holds something. */
async function contentOf(name: string): Promise<string> {
  for (;;) {
    const text = await readFile(join(cwd, name), 'utf8').catch(() => '');
    if (text.endsWith('\n')) return text.trim();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function isGone(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined);
  return stat === undefined || /\) [ZX] /.test(stat);
}

describe('command hooks', () => {
  it('gives the payload as JSON on stdin, in the directory of the session', async () => {
    proves('R-18');
    const answer = await run('pwd; cat > payload.json; printf "[$SHELL_LEVEL]"', {
      env: { PATH: process.env.PATH ?? '', SHELL_LEVEL: 'mine' },
    });
    expect(answer).toEqual({ text: `${cwd}\n[mine]` });
    expect(JSON.parse(await readFile(join(cwd, 'payload.json'), 'utf8'))).toEqual({
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'rm -rf "it\'s"' },
    });
  });

  it('exit code 0 allows, 2 refuses with what stands on stderr, any other warns', async () => {
    proves('R-18');
    expect(await run('exit 0')).toEqual({});
    expect(await run('echo ignored; echo "no rm, please" >&2; exit 2')).toEqual({ block: 'no rm, please' });
    expect(await run('exit 2')).toEqual({ block: 'it gave no reason' });
    expect(await run('echo oops >&2; exit 1')).toEqual({ warning: 'it ended with exit code 1: oops' });
  });

  it('a script that reads stdin line by line and answers in JSON needs nothing but a shell', async () => {
    proves('R-18');
    const script = `#!/bin/bash
read -r payload
if [[ $payload == *'"tool_name":"Bash"'* ]]; then
  echo '{"hookSpecificOutput":{"hookEventName":"PreToolUse","permissionDecision":"deny","permissionDecisionReason":"no shell"}}'
fi`;
    await writeFile(join(cwd, 'guard.sh'), script, { mode: 0o755 });
    expect(await run('./guard.sh')).toEqual({ verdict: 'deny', reason: 'no shell' });
    expect(await run('"$PWD"/guard.sh', { payload: { tool_name: 'Read' } })).toEqual({});
  });

  it('a command that does not exist, crashes or answers with broken JSON has failed', async () => {
    await expect(run('./missing.sh')).rejects.toThrow(/exit code 127.*missing\.sh/);
    await expect(run('kill -SEGV $$')).rejects.toThrow('SIGSEGV');
    await expect(run('echo \'{"decision": \'')).rejects.toThrow('invalid JSON');
    await expect(run(undefined)).rejects.toThrow('no "command"');
    await expect(run('true', { cwd: join(cwd, 'gone') })).rejects.toThrow('ENOENT');
  });

  it('does not mind a hook that ignores its input or floods its output', async () => {
    const payload = { tool_input: 'x'.repeat(2_000_000) };
    expect(await run('exec 0<&-; exit 0', { payload })).toEqual({});
    const { text = '' } = await run('head -c 5000000 /dev/zero | tr "\\0" y', { payload });
    expect(text.length).toBeLessThan(31_000);
  });

  it('an interruption ends everything the hook started, also what left its group', async () => {
    const controller = new AbortController();
    const running = run('trap "" TERM; (set -m; sleep 300 & echo $! > pid); sleep 300', {
      signal: controller.signal,
    });
    const pid = Number(await contentOf('pid'));
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const ended = expect(running).rejects.toThrow('time is up');
    controller.abort(new Error('time is up'));
    await new Promise((resolve) => setTimeout(resolve, 200));
    // The hook ignores the request to end, and has two seconds for it.
    expect(await isGone(pid)).toBe(false);
    const isKilled = () => {
      vi.setSystemTime(Date.now() + 2_000);
      return isGone(pid);
    };
    await expect.poll(isKilled).toBe(true);
    await ended;
  });

  it('what a hook leaves in the background does not hold it up and dies with the session', async () => {
    const answer = await run('sleep 300 & echo $! > pid; echo done');
    expect(answer).toEqual({ text: 'done' });
    const pid = Number(await contentOf('pid'));
    expect(await isGone(pid)).toBe(false);
    await processes.dispose();
    expect(await isGone(pid)).toBe(true);
  });

  it('with args runs the program itself, each argument as it is', async () => {
    const definition = {
      type: 'command',
      command: 'printf',
      args: ['[%s]', 'a b', '$(touch evil)', ';', `\${CLAUDE_PROJECT_DIR}/x`, `\${HOME}`],
    };
    const env = { PATH: process.env.PATH ?? '', CLAUDE_PROJECT_DIR: '/the project', HOME: '/h' };
    expect(await run('', { definition, env })).toEqual({
      text: `[a b][$(touch evil)][;][/the project/x][\${HOME}]`,
    });
    await expect(readFile(join(cwd, 'evil'))).rejects.toThrow('ENOENT');
  });

  it('a guard started with args refuses, and one whose program or args are no good has failed', async () => {
    await writeFile(join(cwd, 'guard.mjs'), 'console.error("no"); process.exit(2)');
    const guard = { type: 'command', command: process.execPath, args: ['guard.mjs'] };
    expect(await run('', { definition: guard })).toEqual({ block: 'no' });
    await expect(run('', { definition: { ...guard, command: './missing' } })).rejects.toThrow('127');
    await expect(run('', { definition: { ...guard, args: 'guard.mjs' } })).rejects.toThrow('"args"');
    await expect(run('', { definition: { ...guard, args: [1] } })).rejects.toThrow('"args"');
  });

  it('an async hook is not waited for, answers later, and dies with the session', async () => {
    const { later, ...now } = await run('echo \'{"systemMessage": "done"}\'', { async: true });
    expect(now).toEqual({});
    expect(await later).toEqual({ message: 'done' });
    const endless = await run('echo $$ > pid; sleep 300; exit 2', { async: true });
    const pid = Number(await contentOf('pid'));
    await processes.dispose();
    await expect(endless.later).rejects.toThrow('SIGTERM');
    expect(await isGone(pid)).toBe(true);
  });

  it('continues in the background once its first line says so, even if the run is interrupted', async () => {
    const controller = new AbortController();
    const answer = { hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: 'found' } };
    const script = `echo '{"async": true, "asyncTimeout": 60000}'; until [ -e go ]; do sleep 0.01; done
echo noise; echo '${JSON.stringify(answer)}'`;
    const { later } = await run(script, { signal: controller.signal });
    controller.abort();
    await writeFile(join(cwd, 'go'), '');
    expect(await later).toEqual({ context: 'found' });
  });

  it('ends a background hook whose time is up', async () => {
    const { later } = await run('echo \'{"async": true, "asyncTimeout": 50}\'; exec sleep 300');
    await expect(later).rejects.toThrow('longer than 0.05 s in the background');
  });

  it('a hook with asyncRewake hands over what it prints when it ends with exit code 2', async () => {
    const definition = { type: 'command', command: 'echo found; exit 2', asyncRewake: true };
    expect(await (await run('', { definition })).later).toEqual({ block: 'found' });
  });

  it('other first lines are an answer, not an announcement', async () => {
    expect(await run('echo \'{"async": false}\'')).toEqual({});
    expect(await run('echo text; echo \'{"async": true}\'')).toEqual({ text: 'text\n{"async": true}' });
  });
});
