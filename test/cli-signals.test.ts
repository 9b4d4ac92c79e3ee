import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anthropicChunks,
  anthropicError,
  anthropicReply,
  eventStream,
  type Reply,
  type RobotaOptions,
  robotaBin,
  sharedCode,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, vi } from 'vitest';
import { isRunning, untilIdle } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

/** An answer that begins and then hangs. */
const hanging: Reply = eventStream([
  ...anthropicChunks({ text: ['The first half', '!'] }).slice(0, 4),
  { hang: true },
]);

/** Sends a signal once the output contains a text. */
function whenShown(text: string, ...signals: NodeJS.Signals[]): Pick<RobotaOptions, 'onOutput'> {
  let sent = false;
  return {
    onOutput: (stdout, process) => {
      if (sent || !stdout.includes(text)) return;
      sent = true;
      for (const signal of signals) process.kill(signal);
    },
  };
}

/** Text deltas become visible only in stream-json and with --verbose; both flush them as they come. */
const streaming = ['-p', 'hi', '--output-format', 'stream-json'];

function lastObject(stdout: string) {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Record<string, unknown>;
}

/** Starts the command by hand, for tests that need the process itself. */
function start(args: readonly string[], stdin: 'pipe' | 'ignore' = 'ignore'): ChildProcess {
  return spawn(process.execPath, [robotaBin, ...args], childOptions(stdin));
}

function childOptions(stdin: 'pipe' | 'ignore' = 'ignore') {
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: stage.home,
    ...sharedCode(),
    ANTHROPIC_API_KEY: 'sk-test',
    ANTHROPIC_BASE_URL: stage.server.url,
  };
  return { cwd: stage.cwd, env, stdio: [stdin, 'pipe', 'pipe'] satisfies StdioOptions };
}

async function ended(child: ChildProcess) {
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return { code, signal };
}

/** The pids a command wrote into a file of the project. */
async function writtenPids(name: string): Promise<number[]> {
  return vi.waitFor(async () => {
    const pids = (await readFile(join(stage.cwd, name), 'utf8')).trim().split(/\s+/).map(Number);
    expect(pids).toHaveLength(3);
    return pids;
  });
}

/** A command with a child and a grandchild that would all live for long. */
const family = 'bash -c "sleep 1000 & echo \\$\\$ \\$! >> pids; wait" & echo $$ >> pids; wait';

describe('Ctrl+C', () => {
  it('while the answer streams: the partial answer is kept, exit 0, the session has it', async () => {
    proves('H-18');
    stage.server.reply(hanging);
    const result = await stage.robota(streaming, whenShown('first half', 'SIGINT'));
    expect(result).toMatchObject({ code: 0, signal: null });
    expect(lastObject(result.stdout)).toMatchObject({
      subtype: 'success',
      interrupted: true,
      result: 'The first half',
    });
    const kept = await stage.sessionLines('session.jsonl');
    expect(JSON.stringify(kept.at(-1))).toContain('The first half');
  });

  it('in text format the partial answer is printed', async () => {
    proves('H-18');
    stage.server.reply(hanging);
    const child = start(['-p', 'hi']);
    await vi.waitFor(() => expect(stage.server.requests).toHaveLength(1));
    await untilIdle(child.pid ?? 0);
    child.kill('SIGINT');
    const [end, text] = await Promise.all([ended(child), readAll(child)]);
    expect({ ...end, text }).toEqual({ code: 0, signal: null, text: 'The first half\n' });
  });

  it('while a command with grandchildren runs: all of them are gone', async () => {
    stage.server.reply(anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: family } }] }));
    const child = start(['-p', 'go', '--permission-mode', 'bypassPermissions', '--output-format', 'json']);
    const pids = await writtenPids('pids');
    expect(pids.every(isRunning)).toBe(true);
    child.kill('SIGINT');
    const [end, text] = await Promise.all([ended(child), readAll(child)]);
    expect(end).toEqual({ code: 0, signal: null });
    expect(lastObject(text)).toMatchObject({ interrupted: true });
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]));
    const kept = JSON.stringify(await stage.sessionLines('session.jsonl'));
    expect(kept).toContain('Interrupted before it finished.');
  });

  it('while it waits for a retry', async () => {
    stage.server.handle(() => anthropicError(529, 'Overloaded', { headers: { 'retry-after': '60' } }));
    const result = await stage.robota(['-p', 'hi'], {
      onError: (stderr, process) => {
        if (stderr.endsWith('(overloaded)\n')) process.kill('SIGINT');
      },
    });
    expect(result).toMatchObject({ code: 0, signal: null, stdout: '' });
    expect(result.stderr).toMatch(/\nrobota: interrupted\n$/);
    expect(stage.server.requests).toHaveLength(1);
  });

  it('while it waits for standard input', async () => {
    const child = start(['-p', 'hi'], 'pipe');
    child.stdin?.write('half a ');
    await untilIdle(child.pid ?? 0);
    child.kill('SIGINT');
    expect(await ended(child)).toEqual({ code: 0, signal: null });
    expect(stage.server.requests).toHaveLength(0);
  });

  it('a second one ends the process at once with 130, and its children with it', async () => {
    stage.server.reply(
      anthropicReply({ toolCalls: [{ name: 'Bash', input: { command: `trap '' TERM INT; ${family}` } }] }),
    );
    const child = start(['-p', 'go', '--permission-mode', 'bypassPermissions']);
    const pids = await writtenPids('pids');
    child.kill('SIGINT');
    // Two signals at once count as one.
    const status = () => readFile(`/proc/${child.pid}/status`, 'utf8');
    await vi.waitFor(async () => expect(await status()).toMatch(/^ShdPnd:\s+0+$/m));
    child.kill('SIGINT');
    expect(await ended(child)).toEqual({ code: 130, signal: null });
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]));
  });
});

describe('other ends', () => {
  it.each([
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('stream-049 %s: all is written, children are gone, exit %i', async (signal, code) => {
    stage.server.reply(
      anthropicReply({ text: 'Working on it.', toolCalls: [{ name: 'Bash', input: { command: family } }] }),
    );
    const child = start(['-p', 'go', '--permission-mode', 'bypassPermissions', '--output-format', 'json']);
    const pids = await writtenPids('pids');
    child.kill(signal);
    const [end, text] = await Promise.all([ended(child), readAll(child)]);
    expect(end).toEqual({ code, signal: null });
    expect(lastObject(text)).toMatchObject({ interrupted: true, result: 'Working on it.' });
    await vi.waitFor(() => expect(pids.filter(isRunning)).toEqual([]));
    const roles = (await stage.sessionLines('session.jsonl')).map(
      (line) => (line['message'] as { role?: string })?.role,
    );
    expect(roles.slice(-3)).toEqual(['user', 'assistant', 'toolResult']);
  });
});

describe('readers and writers', () => {
  it('a reader that goes away ends the run quietly', async () => {
    stage.server.handle(() => anthropicReply({ text: Array.from({ length: 2000 }, () => 'x'.repeat(1000)) }));
    const line = `"${process.execPath}" "${robotaBin}" -p hi --verbose | head -c 10; echo " \${PIPESTATUS[0]}"`;
    const child = spawn('bash', ['-c', line], childOptions());
    const errors = readAll(child, 'stderr');
    const text = await readAll(child);
    expect(text).toBe('xxxxxxxxxx 0\n');
    expect(await errors).toBe('');
  });

  it.each(['text', 'json'])('a slow reader of a long %s answer gets every byte', async (format) => {
    const pieces = Array.from({ length: 500 }, (_, index) => `${index} ${'é'.repeat(5000)}\n`);
    stage.server.reply(anthropicReply({ text: pieces }));
    const child = start(['-p', 'hi', '--output-format', format]);
    const stdout = child.stdout;
    if (!stdout) throw new Error('no output');
    stdout.pause();
    await vi.waitFor(() => expect(stage.server.requests).toHaveLength(1));
    await untilIdle(child.pid ?? 0);
    expect(child.exitCode).toBe(null);
    const text = await readAll(child);
    const answer = format === 'json' ? String(JSON.parse(text).result) : text.slice(0, -1);
    expect(answer.trimEnd()).toBe(pieces.join('').trimEnd());
    expect(Buffer.byteLength(text)).toBeGreaterThan(5_000_000);
  });

  it('a slow pipe is waited for', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    const line = `(sleep 1; echo late) | "${process.execPath}" "${robotaBin}" -p why`;
    expect(await readAll(spawn('bash', ['-c', line], childOptions()))).toBe('ok\n');
    expect(JSON.stringify(stage.messages(0))).toContain('late');
  });

  it('a caller that leaves a silent socket open does not hold it up', async () => {
    stage.server.reply(anthropicReply({ text: 'ok' }));
    const child = start(['-p', 'hi'], 'pipe');
    expect(await readAll(child)).toBe('ok\n');
    child.stdin?.end();
  });
});

async function readAll(child: ChildProcess, name: 'stdout' | 'stderr' = 'stdout'): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of child[name] ?? []) parts.push(part as Buffer);
  return Buffer.concat(parts).toString('utf8');
}
