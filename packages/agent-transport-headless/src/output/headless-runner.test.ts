import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { Writable } from 'node:stream';
import {
  createInteractiveSession,
  createZodFunctionTool,
  type Extension,
  type InteractiveSession,
} from '@robota-sdk/agent-sdk/front-end';
import { ScriptedProvider, type ScriptedTurn, temporaryDirectory } from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createHeadlessRunner, type TOutputFormat } from './headless-runner.ts';
import { createHeadlessTransport } from './headless-transport.ts';
import { type Output, streamOutput } from './output.ts';
import { showProgress } from './show-progress.ts';

async function open(
  script: readonly ScriptedTurn[],
  extensions: readonly Extension<InteractiveSession>[] = [],
): Promise<InteractiveSession> {
  const home = await temporaryDirectory();
  const provider = new ScriptedProvider(script);
  const vendors: Extension = {
    name: 'vendors',
    setup: (host) => host.provider('anthropic', async () => provider),
  };
  return createInteractiveSession({
    host: { env: {}, home },
    cwd: home,
    model: 'claude-sonnet-4-6',
    apiKey: 'sk-test',
    store: 'none',
    extensions: [...extensions, vendors],
  });
}

/** An output that remembers. */
function memory(): Output & { readonly text: string } {
  const output = {
    text: '',
    colour: false,
    closed: new AbortController().signal,
    clean: (text: string) => text,
    write: (text: string) => {
      output.text += text;
    },
    say: (text: string) => output.write(`${text}\n`),
    flush: async () => {},
  };
  return output;
}

async function run(session: InteractiveSession, prompt: string, format: TOutputFormat | 'verbose') {
  const stdout = memory();
  const stderr = memory();
  const options =
    format === 'verbose' ? ({ outputFormat: 'text', verbose: true } as const) : { outputFormat: format };
  const code = await createHeadlessRunner({ session, stdout, stderr, ...options }).run(prompt);
  return { code, stdout: stdout.text, stderr: stderr.text };
}

function linesOf(text: string): Record<string, unknown>[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

const group = {
  id: 'g1',
  parentSessionId: 's1',
  waitPolicy: 'wait_all',
  taskIds: ['t1'],
  status: 'running',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  results: [],
} as const;

const background: Extension<InteractiveSession> = {
  name: 'background',
  setup: (host) =>
    host.command({
      name: 'begin',
      description: 'starts something in the background',
      run: async (_args, { session }) => {
        session.publish({ type: 'task-change', change: { type: 'background_task_closed', taskId: 't1' } });
        session.publish({ type: 'job-change', change: { type: 'background_job_group_created', group } });
        return { kind: 'notice', text: 'all done' };
      },
    }),
};

describe('createHeadlessRunner', () => {
  it('runs a prompt and resolves with the exit code', async () => {
    proves('H-1', 'H-6');
    const session = await open([{ text: ['The ', 'answer.'] }]);
    expect(await run(session, 'what?', 'text')).toEqual({ code: 0, stdout: 'The answer.\n', stderr: '' });
  });

  it('owns only formats and exit codes: no arguments, no provider, no questions', () => {
    proves('H-2');
    const directory = new URL('.', import.meta.url);
    const sources = readdirSync(directory).filter((name) => name.endsWith('.ts') && !name.includes('.test.'));
    expect(sources.length).toBeGreaterThan(3);
    for (const name of sources) {
      const text = readFileSync(new URL(name, directory), 'utf8');
      const imports = [...text.matchAll(/from '([^']+)'/g)].map(([, specifier]) => specifier);
      for (const specifier of imports)
        expect(specifier).toMatch(/^(\.\/|node:(crypto|stream)$|@robota-sdk\/agent-sdk\/front-end$)/);
      expect(text).not.toMatch(/process\.argv|process\.stdin|readline|createInteractiveSession|\.ask\(/);
    }
  });

  it('the commands are those of the session: one of an extension works, without it the name is unknown', async () => {
    proves('H-5');
    expect(await run(await open([], [background]), '/begin now', 'text')).toMatchObject({
      code: 0,
      stdout: 'all done\n',
    });
    expect(await run(await open([]), '/begin now', 'text')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Unknown command /begin'),
    });
  });

  it('background events of a command are wrapped and come before the result', async () => {
    proves('H-11', 'H-12', 'H-15');
    const session = await open([], [background]);
    const { code, stdout } = await run(session, '/begin now', 'stream-json');
    const session_id = session.id;
    const uuid = expect.stringMatching(/^[0-9a-f-]{36}$/);
    expect(code).toBe(0);
    expect(linesOf(stdout)).toEqual([
      {
        type: 'stream_event',
        event: {
          type: 'background_task_event',
          background_task_event: { type: 'background_task_closed', taskId: 't1' },
        },
        session_id,
        uuid,
      },
      {
        type: 'stream_event',
        event: {
          type: 'background_job_group_event',
          background_job_group_event: { type: 'background_job_group_created', group },
        },
        session_id,
        uuid,
      },
      expect.objectContaining({ type: 'result', subtype: 'success', result: 'all done', session_id }),
    ]);
  });

  it('/agent parallel waits by itself, and its events come before its result', async () => {
    proves('H-11', 'H-12', 'H-13', 'H-15');
    const session = await open([{ text: 'one' }, { text: 'two' }]);
    const { code, stdout } = await run(
      session,
      '/agent parallel a:"first" b=Explore:"second"',
      'stream-json',
    );
    const lines = linesOf(stdout);
    const types = lines.slice(0, -1).map(({ event }) => {
      const { type, ...rest } = event as { type: string; [name: string]: unknown };
      return (rest[type] as { type: string }).type;
    });
    expect(code).toBe(0);
    expect(types.slice(0, 2)).toEqual(['background_task_created', 'background_task_started']);
    expect(types.filter((type) => type === 'background_task_completed')).toHaveLength(2);
    expect(types).toContain('background_job_group_created');
    expect(types).toContain('background_job_group_completed');
    const summary =
      /^group-\w+: 2 total, 2 completed, 0 failed, 0 cancelled, 0 pending\n- a \(\w+\) completed: (one|two)\n- b /;
    const result = expect.stringMatching(summary);
    expect(lines.at(-1)).toMatchObject({ type: 'result', subtype: 'success', result });
    await session.shutdown();
  });

  it('--detach returns at once; /agent wait gives what came of it', async () => {
    proves('H-13');
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const session = await open([{ text: 'late', before: () => gate }]);
    const { stdout } = await run(session, '/agent parallel --detach a:"x"', 'text');
    const [id = ''] = /group-\w+/.exec(stdout) ?? [];
    expect(session.getBackgroundJobGroup(id)).toMatchObject({ waitPolicy: 'detached', status: 'running' });
    release();
    expect((await run(session, `/agent wait ${id}`, 'text')).stdout).toContain('completed: late');
    expect(await run(session, '/agent wait group-none', 'text')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Unknown group "group-none"'),
    });
    await session.shutdown();
  });

  it('prints text where no format is given, and refuses a format that does not exist', async () => {
    proves('H-1');
    const session = await open([{ text: 'hi' }]);
    let printed = '';
    const sink = new Writable({
      write: (chunk, _encoding, done) => {
        printed += String(chunk);
        done();
      },
    });
    expect(await createHeadlessRunner({ session, stdout: streamOutput(sink) }).run('x')).toBe(0);
    expect(printed).toBe('hi\n');
    expect(() => createHeadlessRunner({ session, outputFormat: 'xml' as 'text' })).toThrow(
      'Unknown output format "xml". Choose one of text, json, stream-json, codex-json.',
    );
  });

  it('the last line of stream-json is what json prints', async () => {
    proves('H-10');
    const volatile = { session_id: '', uuid: '', duration_ms: 0, duration_api_ms: 0 };
    const [json] = linesOf((await run(await open([{ text: 'hi' }]), 'x', 'json')).stdout);
    const last = linesOf((await run(await open([{ text: 'hi' }]), 'x', 'stream-json')).stdout).at(-1);
    expect({ ...last, ...volatile }).toEqual({ ...json, ...volatile });
  });

  it('an interrupted run keeps the partial answer and exits with 0', async () => {
    proves('H-18');
    for (const format of ['text', 'json'] as const) {
      const session = await open([{ text: ['as far as', ' it never goes'] }]);
      session.on('text_delta', () => void session.abort());
      const { code, stdout } = await run(session, 'go', format);
      expect(code).toBe(0);
      if (format === 'text') expect(stdout).toBe('as far as\n');
      else
        expect(JSON.parse(stdout)).toMatchObject({
          subtype: 'success',
          result: 'as far as',
          interrupted: true,
        });
    }
  });

  it('an error is exit 1, with the partial answer apart from the empty result', async () => {
    proves('H-8', 'H-18');
    const failure = { code: 'overloaded', message: 'try later', retryable: false } as const;
    const json = await run(await open([{ text: 'half', failure }]), 'go', 'json');
    expect(json.code).toBe(1);
    expect(JSON.parse(json.stdout)).toMatchObject({
      subtype: 'error',
      result: '',
      partial_result: 'half',
      error_code: 'overloaded',
      error: 'try later',
    });
    const text = await run(await open([{ failure }]), 'go', 'text');
    expect(text).toEqual({ code: 1, stdout: '', stderr: 'robota: try later\n' });
  });

  it('a session that is busy or closed is an error, not a hang, and steers no run', async () => {
    proves('H-18');
    let release = () => {};
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const session = await open([{ text: 'mine', before: () => gate }]);
    const running = session.submit('first');
    expect(await run(session, 'second', 'json')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('busy'),
    });
    release();
    expect(await running).toMatchObject({ response: 'mine' });
    await session.shutdown();
    expect(await run(session, 'third', 'json')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('closed'),
    });
  });

  it('no listener is left behind, whether it went well or not', async () => {
    proves('H-19');
    const failure = { code: 'auth', message: 'no', retryable: false } as const;
    const session = await open([{ text: 'a' }, { text: 'b' }, { text: 'c' }, { failure }]);
    for (const format of ['verbose', 'json', 'stream-json', 'stream-json'] as const) {
      await run(session, 'go', format);
      expect(session.listenerCount()).toBe(0);
    }
  });

  it('json tells why the last answer ended, whose it was and what it cost', async () => {
    proves('H-7');
    const usage = { input: 100, output: 60, cacheRead: 1 };
    const [cut] = linesOf(
      (await run(await open([{ text: 'half', stopReason: 'length', usage }]), 'x', 'json')).stdout,
    );
    expect(cut).toMatchObject({
      subtype: 'success',
      stop_reason: 'max_tokens',
      model: 'anthropic/claude-sonnet-4-6',
      total_cost_usd: 0.0012003,
    });
    const [done] = linesOf((await run(await open([{ text: 'all' }]), 'x', 'json')).stdout);
    expect(done).toMatchObject({ stop_reason: 'end_turn' });
    const failure = { code: 'server', message: 'broke', retryable: false } as const;
    const [broken] = linesOf((await run(await open([{ text: 'a', failure }]), 'x', 'json')).stdout);
    expect(broken).toMatchObject({ stop_reason: null, model: 'anthropic/claude-sonnet-4-6' });
  });

  it('an answer that was cut off comes with what to do', async () => {
    const { code, stdout, stderr } = await run(
      await open([{ text: 'half', stopReason: 'length' }]),
      'x',
      'text',
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'half\n' });
    expect(stderr).toMatch(/^robota: The answer was cut off by the output limit\. Say "continue" .*\n$/);
  });

  it('a refusal is said once', async () => {
    const note = 'The model declined: cyber.';
    const refusing = { text: '', stopReason: 'refusal', note } as const;
    expect(await run(await open([refusing]), 'x', 'text')).toEqual({
      code: 1,
      stdout: '',
      stderr: `robota: ${note}\n`,
    });
    const [json] = linesOf((await run(await open([refusing]), 'x', 'json')).stdout);
    expect(json).toMatchObject({ error_code: 'refusal', stop_reason: 'refusal' });
  });

  it('an answer without a word is said on the side', async () => {
    const { code, stdout, stderr } = await run(await open([{}]), 'x', 'text');
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain('robota: The model gave no answer. Try again');
  });

  it('what misses the schema never reaches the output', async () => {
    const stdout = memory();
    const stderr = memory();
    const session = await open([{ text: 'no' }, { text: 'never' }, { text: 'not at all' }]);
    const submit = { jsonSchema: { type: 'object' } } as const;
    const runner = createHeadlessRunner({ session, outputFormat: 'text', submit, stdout, stderr });
    expect(await runner.run('x')).toBe(1);
    expect(stdout.text).toBe('');
    expect(stderr.text).toContain('does not conform');
    expect(await runner.run('/mode')).toBe(0);
    expect(stdout.text).toBe('Permission mode: default\n');
  });

  it('verbose: results of parallel calls name their call, and lines left out are counted', async () => {
    const tool = createZodFunctionTool(z.object({ count: z.string() }), {
      name: 'Lines',
      description: 'Prints lines.',
      execute: ({ count }) => Array.from({ length: Number(count) }, (_, at) => `line ${at + 1}`).join('\n'),
    });
    const lines: Extension<InteractiveSession> = { name: 'lines', setup: (host) => host.tool(tool) };
    const call = (count: string) => ({ name: 'Lines', input: { count } });
    const session = await open(
      [{ toolCalls: [call('5'), call('6')] }, { toolCalls: [call('2')] }, { text: 'ok' }],
      [lines],
    );
    session.permissions.mode = 'bypassPermissions';
    const { stdout } = await run(session, 'go', 'verbose');
    expect(stdout).toMatch(/ {2}⎿ Lines\(5\) success: line 1\n {4}line 2\n {4}line 3\n {4}… 2 more lines\n/);
    expect(stdout).toMatch(/ {2}⎿ Lines\(6\) success: line 1\n {4}line 2\n {4}line 3\n {4}… 3 more lines\n/);
    expect(stdout).toContain('⏺ Lines(2)\n  ⎿ success: line 1\n    line 2\n');
  });

  it('verbose shows the end of a failure, and no line that only says that one line is hidden', () => {
    const stdout = memory();
    const show = showProgress(stdout);
    const call = { type: 'tool-call', id: '1', name: 'Bash', input: { command: 'npm test' } } as const;
    const end = (text: string, status: 'success' | 'error') => {
      void show({ type: 'tool-start', call } as never);
      void show({ type: 'tool-end', call, status, result: { content: [{ type: 'text', text }] } } as never);
    };
    end('> shop test\n1\n2\n3\nnot ok', 'error');
    end('1\n2\n3\n4', 'success');
    expect(stdout.text).toBe(
      '⏺ Bash(npm test)\n  ⎿ error: … 2 more lines\n    2\n    3\n    not ok\n' +
        '⏺ Bash(npm test)\n  ⎿ success: 1\n    2\n    3\n    4\n',
    );
  });

  it("verbose shows all arguments of a server's tool, and the text of a call that cannot be read", () => {
    const stdout = memory();
    const show = showProgress(stdout);
    const started = { type: 'tool-start', turn: 1 } as const;
    const call = { type: 'tool-call', id: 'a', name: 'mcp__web__get-sum', input: { a: 2, b: 3 } } as const;
    void show({ ...started, call } as never);
    const raw = '!unquote_start\n<read a\n!unquote_end';
    void show({ ...started, call: { ...call, name: 'tool_call', input: {}, invalid: 'no', raw } } as never);
    expect(stdout.text).toBe(
      '⏺ mcp__web__get-sum {"a":2,"b":3}\n⏺ a call that cannot be read: !unquote_start <read a !unquote_end\n',
    );
  });

  it('verbose prints the answer once, also that of a command', async () => {
    const session = await open([{ text: 'The answer.' }]);
    expect((await run(session, 'go', 'verbose')).stdout).toBe('The answer.\n');
    expect((await run(session, '/mode', 'verbose')).stdout).toBe('Permission mode: default\n');
  });
});

describe('createHeadlessTransport', () => {
  it('attaches a session, runs its prompt and tells the exit code', async () => {
    proves('H-20', 'H-21');
    const stdout = memory();
    const transport = createHeadlessTransport({
      outputFormat: 'text',
      prompt: 'hi',
      stdout,
      stderr: memory(),
    });
    expect(transport.name).toBe('headless');
    await expect(transport.start()).rejects.toThrow('call attach first');
    transport.attach(await open([{ text: 'hello' }]));
    await transport.start();
    expect(stdout.text).toBe('hello\n');
    expect(transport.getExitCode()).toBe(0);
    await expect(transport.stop()).resolves.toBeUndefined();
  });

  it('the exit code of a failed run is 1', async () => {
    proves('H-21');
    const transport = createHeadlessTransport({
      outputFormat: 'json',
      prompt: '/nothing',
      stdout: memory(),
      stderr: memory(),
    });
    transport.attach(await open([]));
    await transport.start();
    expect(transport.getExitCode()).toBe(1);
  });
});

describe('streamOutput', () => {
  it('a slow reader gets every byte, and the run waits for it', async () => {
    const chunks: Buffer[] = [];
    const slow = new Writable({
      highWaterMark: 4,
      write: (chunk: Buffer, _encoding, done) => {
        chunks.push(chunk);
        setTimeout(done, 1);
      },
    });
    const deltas = Array.from({ length: 60 }, (_, index) => `Zeile ${index} ü€😀 `);
    const session = await open([{ text: deltas }]);
    const code = await createHeadlessRunner({
      session,
      outputFormat: 'stream-json',
      stdout: streamOutput(slow),
      stderr: memory(),
    }).run('go');
    expect(code).toBe(0);
    const lines = linesOf(Buffer.concat(chunks).toString('utf8'));
    expect(lines).toHaveLength(deltas.length + 1);
    expect(lines.at(-1)).toMatchObject({ result: deltas.join('') });
    expect(slow.listenerCount('drain')).toBe(0);
  });

  it('when the reader goes away the run stops', async () => {
    let writes = 0;
    const pipe = new Writable({
      highWaterMark: 1,
      write: (_chunk, _encoding, done) => {
        writes++;
        done(writes === 3 ? Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }) : undefined);
      },
    });
    const session = await open([{ text: Array.from({ length: 1_000 }, () => 'x') }]);
    const outcomes: string[] = [];
    session.on('interrupted', ({ status }) => void outcomes.push(status));
    const stdout = streamOutput(pipe);
    const code = await createHeadlessRunner({
      session,
      outputFormat: 'stream-json',
      stdout,
      stderr: memory(),
    }).run('go');
    expect(code).toBe(0);
    expect(outcomes).toEqual(['aborted']);
    expect(stdout.closed.aborted).toBe(true);
    expect(session.getMessages().at(-1)).toMatchObject({ stopReason: 'aborted' });
  });

  it('with a reader that was gone before, the model is not even asked', async () => {
    const pipe = new Writable({ write: (_chunk, _encoding, done) => done() });
    const stdout = streamOutput(pipe);
    pipe.destroy();
    await once(pipe, 'close');
    const session = await open([]);
    expect(
      await createHeadlessRunner({ session, outputFormat: 'text', stdout, stderr: memory() }).run('go'),
    ).toBe(0);
    expect(session.getMessages().filter(({ role }) => role !== 'user')).toEqual([]);
  });

  it('a replaced write, whatever it answers, does not hold up a run', async () => {
    type Write = (text: string, ...more: readonly unknown[]) => unknown;
    const told = (text: string, more: readonly unknown[]) =>
      more.forEach((each) => void (typeof each === 'function' && each(text)));
    const writes: Write[] = [
      () => true,
      () => false,
      () => undefined,
      (text, ...more) => told(text, more),
      (text, ...more) => setImmediate(() => told(text, more)),
    ];
    for (const write of writes)
      for (const outputFormat of ['text', 'json', 'stream-json'] as const) {
        const stream = new Writable({ write: (_chunk, _encoding, done) => done() });
        let printed = '';
        stream.write = ((text: string, ...more: unknown[]) => {
          printed += text;
          return write(text, ...more);
        }) as typeof stream.write;
        const session = await open([{ text: 'hello' }]);
        const stdout = streamOutput(stream);
        expect(await createHeadlessRunner({ session, outputFormat, stdout }).run('go')).toBe(0);
        expect(printed).toContain('hello');
      }
  });

  it('wrapping a stream often does not pile up listeners', () => {
    const pipe = new Writable({ write: (_chunk, _encoding, done) => done() });
    for (let count = 0; count < 20; count++) streamOutput(pipe);
    expect(pipe.listenerCount('error')).toBe(1);
  });
});

it('a prompt that is refused as busy does nothing', async () => {
  const provider = new ScriptedProvider([{ text: 'first' }, { text: 'second' }]);
  const vendors: Extension = {
    name: 'vendors',
    setup: (host) => host.provider('anthropic', async () => provider),
  };
  const home = await temporaryDirectory();
  const session = await createInteractiveSession({
    host: { env: {}, home },
    cwd: home,
    model: 'claude-sonnet-4-6',
    apiKey: 'sk-test',
    store: 'none',
    extensions: [vendors],
  });
  const outputs = [memory(), memory()];
  const codes = await Promise.all(
    ['AAA', 'BBB'].map((prompt, index) =>
      createHeadlessRunner({ session, outputFormat: 'stream-json', ...given(outputs[index]) }).run(prompt),
    ),
  );
  expect(codes).toEqual([0, 1]);
  expect(linesOf(outputs[1]?.text ?? '')).toMatchObject([
    { type: 'result', is_error: true, error_code: 'session' },
  ]);
  await createHeadlessRunner({ session, ...given(memory()) }).run('CCC');
  expect(JSON.stringify(provider.requests)).not.toContain('BBB');
  expect(JSON.stringify(session.getMessages())).not.toContain('BBB');
});

function given(stdout: Output | undefined) {
  return stdout ? { stdout, stderr: stdout } : {};
}

it('offers nothing to steer background work with', async () => {
  proves('H-14');
  const session = await open([{ text: 'ok' }]);
  expect(Object.keys(createHeadlessRunner({ session, outputFormat: 'text' }))).toEqual(['run']);
  const transport = createHeadlessTransport({ outputFormat: 'text', prompt: 'go' });
  expect(Object.keys(transport).sort()).toEqual(['attach', 'getExitCode', 'name', 'start', 'stop']);
});
