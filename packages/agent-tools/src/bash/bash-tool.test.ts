import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type JsonValue, SessionState } from '@robota-sdk/agent-core';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { type BashInput, bashTool } from './bash-tool.ts';
import { textOfOutput, toolContext, until } from './fixtures/tool-context.ts';
import { processes } from './processes.ts';
import { runCommand } from './run-command.ts';

const runs = (pid: number) => {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return process.platform !== 'linux';
  }
};

const run = async (input: BashInput, context = toolContext()) => {
  const output = await bashTool.execute(input, context);
  return { ...output, text: textOfOutput(output) };
};

const pidIn = async (path: string) => {
  await until(() => existsSync(path) && /^\d+\n/.test(readFileSync(path, 'utf8')));
  return Number(readFileSync(path, 'utf8'));
};

/** Moves the clock until a process that does not end by itself is killed; before, it runs. */
const endGrace = async (pid: number) => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(runs(pid)).toBe(true);
  while (runs(pid)) {
    vi.setSystemTime(Date.now() + 2_000);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe('a command', () => {
  it('runs in the workspace and returns stdout and stderr in order with the exit code', async () => {
    proves('R-26', 'E-4', 'P-39');
    const context = toolContext();
    const result = await run({ command: 'echo one; echo two >&2; echo three; pwd; exit 3' }, context);
    expect(result.text).toBe(`one\ntwo\nthree\n${context.workspace.cwd}\n[exit code 3]`);
    expect(result.isError).toBe(true);
    expect(result).toMatchObject({ exitCode: 3, display: { kind: 'terminal', exitCode: 3 } });
  });

  it('passes the command to bash unchanged, whatever it looks like', async () => {
    proves('R-26');
    expect((await run({ command: '[[ "a b" == a* ]] && printf "%s|" \'$x\' "q\\"q"\n# end' })).text).toBe(
      '$x|q"q|',
    );
    expect((await run({ command: '-x' })).text).toMatch(/-x: command not found\n\[exit code 127\]$/);
  });

  it('says that there was no output', async () => {
    const result = await run({ command: 'true' });
    expect(result.text).toBe('(no output)');
    expect(result.isError).toBeUndefined();
    expect((await run({ command: 'false' })).text).toBe('[no output, exit code 1]');
  });

  it('gives commands that read their input an empty one', async () => {
    expect((await run({ command: 'cat; read -r line; echo "read: $?"' })).text).toBe('read: 1');
  });

  it('lets commands write to /dev/stdout and /dev/stderr', async () => {
    expect((await run({ command: 'echo a; echo b > /dev/stderr; echo c | tee /dev/stderr' })).text).toBe(
      'a\nb\nc\nc',
    );
  });

  it('reads no start-up file, uses the given environment and nothing that waits for a user', async () => {
    const context = toolContext({ env: { PATH: process.env.PATH ?? '', GIVEN: 'yes', HOME: '/nowhere' } });
    writeFileSync(join(context.workspace.cwd, '.bashrc'), 'echo from bashrc');
    const result = await run(
      { command: 'echo "$GIVEN $TERM $GIT_PAGER $GIT_TERMINAL_PROMPT"; env | grep -c VITEST' },
      context,
    );
    expect(result.text).toBe('yes dumb cat 0\n0\n[exit code 1]');
  });

  it('names the signal that ended it', async () => {
    expect((await run({ command: 'kill -SEGV $$' })).text).toBe('[no output, killed by SIGSEGV]');
    expect((await run({ command: 'sh -c "kill -KILL \\$\\$"; exit $?' })).text).toContain(
      '[exit code 137 (SIGKILL)]',
    );
  });

  it('removes colours, collapses rewritten lines and does not dump binary data', async () => {
    expect((await run({ command: 'printf "\\033[31mred\\033[0m\\n1%%\\r2%%\\r3%%\\n"' })).text).toBe(
      'red\n3%',
    );
    const binary = await run({ command: 'head -c 5000 /dev/zero; echo' });
    expect(binary.text).toBe('[binary output, 5001 bytes, not shown: write it to a file instead]');
  });

  it.each([28_500, 28_501, 29_999, 30_000])('leaves an output of %s characters whole', async (length) => {
    proves('C-78');
    const { text } = await run({ command: `head -c ${length} /dev/zero | tr '\\0' x` });
    expect(text).toBe('x'.repeat(length));
  });

  it('cuts an output from 30,001 characters on, to at most 30,000 with the marker and the exit code', async () => {
    proves('C-78');
    const { text } = await run({ command: `head -c 30001 /dev/zero | tr '\\0' x; exit 3` });
    expect(text.length).toBeLessThanOrEqual(30_000);
    expect(text).toMatch(
      /^x+\n\n\[\.\.\. \d+ characters \(0 lines\) left out; full text in .*\n\nx+\n\[.*3\]$/,
    );
  });

  it('keeps long output within the limit and all of it in a file', async () => {
    const context = toolContext();
    const result = await run({ command: 'seq 1 20000' }, context);
    expect(result.text.length).toBeLessThanOrEqual(30_000);
    expect(result.text).toMatch(/^1\n2\n/);
    expect(result.text).toMatch(/19999\n20000$/);
    const file = join(context.outputDir, 'call-1.txt');
    expect(result.text).toContain(file);
    expect(readFileSync(file, 'utf8')).toBe(
      Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join(''),
    );
  });

  it('loses nothing a command printed right before it ended', async () => {
    const result = await run({ command: 'head -c 60000 /dev/zero | tr "\\0" x | fold -w 99 | tail -n 5' });
    expect(result.text.split('\n')).toHaveLength(5);
  });

  it('says what is wrong when it cannot start', async () => {
    const context = toolContext();
    const gone = {
      ...context,
      workspace: { ...context.workspace, cwd: join(context.workspace.cwd, 'gone') },
    };
    await expect(run({ command: 'true' }, gone)).rejects.toThrow(/not started: .*gone is gone/);
    await expect(run({ command: ' ' })).rejects.toThrow('empty');
    await expect(run({})).rejects.toThrow('either command');
    await expect(run({ command: 'true', timeout: 0 })).rejects.toThrow('timeout');
    await expect(run({ command: `: ${'x'.repeat(300_000)}` })).rejects.toThrow('script file');
  });

  it('reports output while it runs', async () => {
    const seen: string[] = [];
    const context = toolContext({ progress: (text) => seen.push(text) });
    const done = run({ command: 'echo first; until [ -e go ]; do sleep 0.02; done; echo last' }, context);
    await until(() => seen.join('') === 'first\n');
    writeFileSync(join(context.workspace.cwd, 'go'), '');
    await done;
    expect(seen.join('')).toBe('first\nlast\n');
  });
});

describe('ending a command', () => {
  it('stops the whole group at the time-out and keeps what was printed', async () => {
    proves('R-26', 'P-39');
    const context = toolContext();
    const command = 'echo started; sleep 1000 & echo $! > child; wait';
    const result = await run({ command, timeout: 700 }, context);
    expect(result.text).toMatch(
      /^started\n\[timed out after 0\.7 s; .*larger timeout or run_in_background\]$/,
    );
    expect(result.isError).toBe(true);
    expect(runs(await pidIn(join(context.workspace.cwd, 'child')))).toBe(false);
  });

  it('takes timeout_secs as the time-out in seconds, and refuses what it cannot use', () => {
    proves('P-39');
    const parse = (input: JsonValue) => bashTool.input.parse(input);
    expect(parse({ command: 'x', timeout_secs: 5 })).toMatchObject({
      value: { command: 'x', timeout: 5_000 },
    });
    expect(parse({ command: 'x', timeout_secs: '0.5' })).toMatchObject({ value: { timeout: 500 } });
    expect(parse({ command: 'x', timeout_secs: null })).toMatchObject({ value: { command: 'x' } });
    for (const input of [
      { timeout_secs: 'soon' },
      { timeout_secs: true },
      { timeout_secs: [1, 2] },
      { timeout_secs: 5, timeout: 7 },
    ])
      expect(parse({ command: 'x', ...input })).toMatchObject({
        ok: false,
        error: expect.stringContaining('timeout_secs'),
      });
  });

  it('stops it after 120 s unless another time-out is asked for, and says so in the schema', async () => {
    proves('P-39');
    const { properties } = bashTool.input.json as { properties: { timeout: { description: string } } };
    expect(properties.timeout.description).toContain('default 120000');
    // The clock is moved, not waited for.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const context = toolContext();
    const self = join(context.workspace.cwd, 'self');
    const done = run({ command: 'echo $$ > self; exec sleep 1000' }, context);
    while (!existsSync(self) || !readFileSync(self, 'utf8').endsWith('\n')) await nextTurn();
    const pid = Number(readFileSync(self, 'utf8'));
    await vi.advanceTimersByTimeAsync(119_999);
    expect(runs(pid)).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    vi.useRealTimers();
    expect((await done).text).toMatch(/timed out after (2 min|120 s)/);
    expect(runs(pid)).toBe(false);
  });

  it('kills grandchildren that ignore TERM when it is interrupted', async () => {
    const controller = new AbortController();
    const context = toolContext({ signal: controller.signal });
    const stubborn = `bash -c 'trap "" TERM; echo $$ > stubborn; while :; do sleep 0.1; done'`;
    const done = run({ command: `echo begun; (${stubborn}; true); true` }, context);
    const pid = await pidIn(join(context.workspace.cwd, 'stubborn'));
    controller.abort();
    await endGrace(pid);
    const result = await done;
    expect(result.text).toMatch(/^begun\n\[interrupted after .*\]$/);
    expect(result.isError).toBe(true);
    expect(runs(pid)).toBe(false);
  });

  it('ends processes that moved to another group, as timeout does', async () => {
    if (process.platform !== 'linux') return;
    const controller = new AbortController();
    const context = toolContext({ signal: controller.signal });
    const done = run({ command: `true; timeout 900 bash -c 'echo $$ > moved; sleep 800'; true` }, context);
    const pid = await pidIn(join(context.workspace.cwd, 'moved'));
    controller.abort();
    await done;
    expect(runs(pid)).toBe(false);
  });

  it('a time-out ends processes that left the session with setsid', async () => {
    if (process.platform !== 'linux') return;
    const context = toolContext();
    const command = `setsid bash -c 'echo $$ > away; trap "" TERM; sleep 800 & wait; sleep 800' & wait`;
    const done = run({ command, timeout: 1_500 }, context);
    const pid = await pidIn(join(context.workspace.cwd, 'away'));
    await endGrace(pid);
    expect((await done).text).toContain('timed out');
    expect(runs(pid)).toBe(false);
  });

  it('an interruption that comes while the command is being started ends it as well', async () => {
    const controller = new AbortController();
    const context = toolContext({ signal: controller.signal });
    const running = runCommand({ command: 'sleep 30', timeoutMs: 60_000 }, context);
    controller.abort();
    expect(textOfOutput((await running).output)).toMatch(/interrupted after/);
  });

  it('starts nothing once interrupted', async () => {
    const context = toolContext({ signal: AbortSignal.abort() });
    await expect(run({ command: 'touch made' }, context)).rejects.toMatchObject({ code: 'aborted' });
    expect(existsSync(join(context.workspace.cwd, 'made'))).toBe(false);
  });

  it('kills a command that prints without end, in flat memory', async () => {
    const before = process.memoryUsage().rss;
    const result = await run({ command: 'yes 0123456789012345678901234567890123456789 | head -c 10G' });
    expect(result.text).toMatch(/\[killed after .* it printed more than 256 MB\..*\]$/);
    expect(result.text.length).toBeLessThanOrEqual(30_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(250 * 1024 * 1024);
  });

  it('returns when the shell is gone and keeps children as a job', async () => {
    const context = toolContext();
    // The shell waits until the child has printed, however busy the machine is.
    const child = '(echo early; echo > printed; sleep 1000) & echo $! > child';
    const command = `mkfifo printed; ${child}; read -r _ < printed; echo shell`;
    const result = await run({ command }, context);
    expect(result.text).toContain('early');
    expect(result.text).toContain('shell');
    expect(result.text).toContain('background as bash-1');
    const pid = await pidIn(join(context.workspace.cwd, 'child'));
    expect(runs(pid)).toBe(true);
    await context.state.peek(processes)?.dispose();
    expect(runs(pid)).toBe(false);
  });

  it('ends children without an open output when the session ends', async () => {
    const context = toolContext();
    await run({ command: 'sleep 1000 > /dev/null 2>&1 & echo $! > child' }, context);
    const pid = await pidIn(join(context.workspace.cwd, 'child'));
    expect(runs(pid)).toBe(true);
    await context.state.get(processes).dispose();
    expect(runs(pid)).toBe(false);
  });

  it('keeps nothing of a command that is over', async () => {
    const context = toolContext();
    const listeners = process.listenerCount('exit');
    await run({ command: 'echo done' }, context);
    expect(context.state.get(processes).list()).toEqual([]);
    expect(process.listenerCount('exit')).toBe(listeners);
  });
});

describe('background jobs', () => {
  const job = async (action: 'list' | 'read' | 'kill', context = toolContext(), id?: number) => {
    return (await run({ job: id === undefined ? { action } : { action, id } }, context)).text;
  };

  it('starts at once, reads what is new, and tells the end', async () => {
    proves('R-26');
    const context = toolContext();
    const command = 'echo one; until [ -e go ]; do sleep 0.02; done; echo two; exit 4';
    const started = await run({ command, run_in_background: true }, context);
    expect(started.text).toMatch(/^Started in the background as bash-1\./);
    let first = '';
    await until(async () => {
      first = await job('read', context, 1);
      return first.includes('one');
    });
    expect(first).toMatch(/^one\n\[bash-1: running for .*\]$/);
    expect(await job('read', context, 1)).toMatch(/^\(no new output\)\n/);
    expect(await job('list', context)).toMatch(/^bash-1 {2}running for .* echo one; until/);
    writeFileSync(join(context.workspace.cwd, 'go'), '');
    let last = '';
    await until(async () => {
      last += `${await job('read', context, 1)}\n`;
      return last.includes('ended after');
    });
    expect(last).toMatch(/^two$/m);
    expect(last).toMatch(/exit code 4\]\n$/);
    await until(() => readFileSync(join(context.outputDir, 'call-1-job.txt'), 'utf8') === 'one\ntwo\n');
  });

  it('kills a job with all its processes', async () => {
    proves('R-26');
    const context = toolContext();
    await run({ command: 'sleep 1000 & echo $! > child; wait', run_in_background: true }, context);
    const pid = await pidIn(join(context.workspace.cwd, 'child'));
    expect(await job('kill', context, 1)).toMatch(/killed on request\]$/);
    expect(runs(pid)).toBe(false);
    expect(await job('list', context)).toContain('killed on request');
  });

  it('gives the end of long output and says where the rest is', async () => {
    const context = toolContext();
    await run({ command: 'seq 1 50000', run_in_background: true }, context);
    await until(async () => (await job('list', context)).includes('exit code 0'));
    const text = await job('read', context, 1);
    expect(text).toMatch(/^\[\.\.\. \d+ characters left out; all of it in .*call-1-job\.txt \.\.\.\]\n/);
    expect(text).toContain('\n50000\n');
    expect(text.length).toBeLessThanOrEqual(30_000);
  });

  it('honours a time-out that was asked for', async () => {
    const context = toolContext();
    await run({ command: 'sleep 1000', run_in_background: true, timeout: 50 }, context);
    await until(async () => (await job('list', context)).includes('stopped by its time-out'));
  });

  it('says which jobs there are when the number is wrong', async () => {
    const context = toolContext();
    expect(await job('list', context)).toBe('No background jobs.');
    await expect(job('read', context, 7)).rejects.toThrow('Unknown job bash-7. No background jobs.');
    await run({ command: 'true', run_in_background: true }, context);
    await expect(job('kill', context, 7)).rejects.toThrow('Jobs: bash-1.');
  });

  it('dies with the session', async () => {
    const context = toolContext();
    await run(
      { command: 'trap "" TERM; echo $$ > self; while :; do sleep 0.1; done', run_in_background: true },
      context,
    );
    const pid = await pidIn(join(context.workspace.cwd, 'self'));
    const disposed = context.state.get(processes).dispose();
    await endGrace(pid);
    await disposed;
    expect(runs(pid)).toBe(false);
  });
});

describe('the tool', () => {
  it('declares the command it runs, and nothing for jobs', () => {
    const scope = { workspace: { cwd: '/w', additional: [], home: '/h' }, state: new SessionState() };
    expect(bashTool.access({ command: 'ls' }, scope)).toEqual([{ kind: 'run', command: 'ls', cwd: '/w' }]);
    expect(bashTool.access({ job: { action: 'list' } }, scope)).toEqual([]);
  });

  it('has a small schema', () => {
    const { name, description, input } = bashTool;
    expect(JSON.stringify({ name, description, input_schema: input.json }).length).toBeLessThanOrEqual(800);
  });
});
