import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeProblem, type ModelProvider } from '@robota-sdk/agent-core';
import { ScriptedProvider, testChoice, testTool } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { openSession } from '../fixtures/open-session.ts';
import { FileSessionLogger, type ISessionLogger, SilentSessionLogger } from './session-logger.ts';

let home: string;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'robota-log-'));
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

const read = (file: string) =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

const filesBelow = (directory: string) =>
  readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('FileSessionLogger', () => {
  it('writes a line of JSON per event, for the owner only', async () => {
    proves('R-9');
    const file = join(home, 'logs', 's1.jsonl');
    const logger = new FileSessionLogger({ file, sessionId: 's1' });
    for (const event of ['pre_run', 'user', 'assistant', 'server_tool', 'tool_call', 'tool_result'])
      logger.log(event, { n: 1 });
    await logger.flush();
    logger.log('error', { error: new Error('broken') });
    await logger.close();
    const lines = read(file);
    expect(lines.map(({ event }) => event)).toEqual([
      'pre_run',
      'user',
      'assistant',
      'server_tool',
      'tool_call',
      'tool_result',
      'error',
    ]);
    expect(lines[0]).toEqual({
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
      sessionId: 's1',
      event: 'pre_run',
      n: 1,
    });
    expect(lines[6].error).toBe('Error: broken');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(home, 'logs')).mode & 0o777).toBe(0o700);
  });

  it('hides secrets, also in what it moves out of the log', async () => {
    const file = join(home, 'log.jsonl');
    const logger = new FileSessionLogger({ file, sessionId: 's1', secrets: ['my-own-key'] });
    logger.log('request', { headers: { Authorization: 'Bearer abc' }, text: 'the key is my-own-key' });
    logger.log('tool_result', { output: `${'x'.repeat(40_000)}my-own-key` });
    await logger.close();
    const [request, large] = read(file);
    expect(request).toMatchObject({
      headers: { Authorization: '[redacted]' },
      text: 'the key is [redacted]',
    });
    const payload = readFileSync(join(home, large.output.payload), 'utf8');
    expect(JSON.parse(payload)).toBe(`${'x'.repeat(40_000)}[redacted]`);
    expect(large.output.bytes).toBe(payload.length);
  });

  it('keeps a large field once, in a file named by its content', async () => {
    const logger = new FileSessionLogger({ file: join(home, 'log.jsonl'), sessionId: 's1' });
    for (let count = 0; count < 2; count++) logger.log('tool_result', { output: 'y'.repeat(40_000) });
    await logger.close();
    const [name = '', ...others] = readdirSync(join(home, 'payloads'));
    expect(others).toEqual([]);
    expect(name).toMatch(/^[0-9a-f]{64}\.json$/);
    expect(statSync(join(home, 'payloads', name)).mode & 0o777).toBe(0o600);
  });

  it('passes over deltas, whose whole is logged anyway', async () => {
    const file = join(home, 'log.jsonl');
    const logger = new FileSessionLogger({ file, sessionId: 's1' });
    for (let count = 0; count < 1_000; count++) logger.log('text_delta', { text: 'x' });
    logger.log('assistant', { text: 'x'.repeat(1_000) });
    await logger.close();
    expect(read(file)).toHaveLength(1);
  });

  it('never breaks a run: a log that can’t be written is mentioned once', async () => {
    writeFileSync(join(home, 'logs'), 'a file in the way');
    const problems: string[] = [];
    const logger = new FileSessionLogger({
      file: join(home, 'logs', 'x.jsonl'),
      sessionId: 's1',
      onProblem: (problem) => problems.push(describeProblem(problem)),
    });
    const circle: Record<string, unknown> = { large: 1n };
    circle.self = circle;
    logger.log('error', circle);
    logger.log('assistant', { output: 'z'.repeat(40_000) });
    await logger.flush();
    logger.log('assistant', { text: 'hi' });
    await logger.close();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(/The session itself continues/);
  });

  it('waits for a disk that fails, and then writes all it was told', async () => {
    const problems: string[] = [];
    const file = join(home, 'blocked', 'log.jsonl');
    writeFileSync(join(home, 'blocked'), 'a file instead of a directory');
    const logger = new FileSessionLogger({
      file,
      sessionId: 's',
      onProblem: (problem) => problems.push(describeProblem(problem)),
    });
    for (const event of ['one', 'two']) {
      logger.log(event);
      await logger.flush();
    }
    expect(problems).toEqual([expect.stringContaining(file)]);
    rmSync(join(home, 'blocked'));
    logger.log('three');
    await logger.close();
    expect(read(file).map(({ event }) => event)).toEqual(['one', 'two', 'three']);
  });
});

describe('SilentSessionLogger', () => {
  it('a session with it writes no file, one with the file logger its JSON lines', async () => {
    proves('R-9');
    const directories = { cwd: join(home, 'cwd'), home: join(home, 'home'), temporary: join(home, 'tmp') };
    for (const directory of Object.values(directories)) mkdirSync(directory);
    vi.stubEnv('HOME', directories.home);
    vi.stubEnv('TMPDIR', directories.temporary);
    const previous = process.cwd();
    process.chdir(directories.cwd);
    onTestFinished(() => {
      process.chdir(previous);
      vi.unstubAllEnvs();
    });
    const runWith = async (logger: ISessionLogger) => {
      const { session } = openSession([{ toolCalls: [{ name: 'Look' }] }, { text: 'done' }], {
        tools: [testTool('Look')],
        logger,
      });
      await session.run('go');
      await session.close();
      await logger.close();
    };
    await runWith(new SilentSessionLogger());
    expect(filesBelow(home)).toEqual([]);
    const file = join(directories.cwd, 'log.jsonl');
    await runWith(new FileSessionLogger({ file, sessionId: 's1' }));
    expect(filesBelow(home)).toEqual([file]);
    expect(read(file).map(({ event }) => event)).toEqual(
      expect.arrayContaining(['pre_run', 'user', 'assistant', 'tool_call', 'tool_result']),
    );
  });
});

describe('the log of a run', () => {
  it('has a search of the vendor, a call before it runs, and large results beside it', async () => {
    proves('C-84', 'R-9');
    const file = join(home, 'log.jsonl');
    let duringCall = '';
    const look = testTool('Look', {
      execute: async () => {
        duringCall = readFileSync(file, 'utf8');
        return 'x'.repeat(50_000);
      },
    });
    const script = new ScriptedProvider([{ toolCalls: [{ name: 'Look' }] }, { text: 'done' }]);
    const searching: ModelProvider = {
      vendor: 'scripted',
      async *stream(request) {
        const content = { phase: 'call', id: 's', name: 'web_search', summary: 'robots' } as const;
        yield {
          type: 'server-tool',
          index: 9,
          content: { ...content, type: 'server-tool', vendorData: null },
        };
        yield* script.stream(request);
      },
    };
    const logger = new FileSessionLogger({ file, sessionId: 's1' });
    const { session } = openSession([], { models: [testChoice(searching)], logger, tools: [look] });
    await session.run('go');
    await session.close();
    expect(duringCall).toContain('"event":"tool_call"');
    const lines = read(file);
    expect(lines.map(({ event }) => event)).toEqual([
      'pre_run',
      'user',
      'request',
      'server_tool',
      'assistant',
      'tool_call',
      'tool_result',
      'request',
      'server_tool',
      'assistant',
      'run_end',
      'session_shutdown',
    ]);
    expect(lines[3]).toMatchObject({ name: 'web_search', phase: 'call', summary: 'robots' });
    expect(lines[6].output).toEqual({ payload: expect.stringMatching(/^payloads\//), bytes: 50_002 });
  });
});
