import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import {
  type AnthropicAnswer,
  anthropicChunks,
  anthropicError,
  anthropicErrorEvent,
  anthropicReply,
  type Chunk,
  eventStream,
  openaiChatChunk,
  openaiChatReply,
  sse,
} from '@robota-sdk/agent-testing';
import { proves } from '@robota-sdk/agent-testing/proves';
import { describe, expect, it, vi } from 'vitest';
import { isRunning } from './stage.ts';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();

/** Retries without the usual patience. */
const quickly = { retry: { maxRetries: 3, baseDelayMs: 5, maxDelayMs: 10 } };

const ok = anthropicReply({ text: 'ok' });

async function resultOf(...args: string[]) {
  const { stdout, stderr, code } = await stage.robota(['-p', ...args, '--output-format', 'json']);
  return { ...(JSON.parse(stdout) as Record<string, unknown>), stderr, code };
}

/** Everything up to and including the event that holds a text. */
function until(text: string, chunks: readonly string[]): readonly string[] {
  return chunks.slice(0, chunks.findIndex((chunk) => chunk.includes(text)) + 1);
}

/** A run in which the model calls one tool, is told the result, and ends. */
async function oneCall(call: NonNullable<AnthropicAnswer['toolCalls']>[number], ...args: string[]) {
  stage.server.reply(anthropicReply({ toolCalls: [call] }), ok);
  const result = await stage.robota(['-p', 'go', '--permission-mode', 'bypassPermissions', ...args]);
  expect(result).toMatchObject({ code: 0, stdout: 'ok\n' });
  return stage.results(1)[0] ?? { id: '', text: '', isError: false };
}

describe('errors before the answer', () => {
  it('waits as long as retry-after says, whatever the own patience', async () => {
    await stage.settings({ retry: { baseDelayMs: 5 } });
    stage.server.reply(anthropicError(429, 'slow down', { headers: { 'retry-after': '2' } }), ok);
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok\n' });
    expect(stderr).toBe('robota: waiting for anthropic, retry 1 of 5 in 2 s (rate limited)\n');
    const [first, second] = stage.server.requests;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1990);
  });

  it('does not sleep a day: fails at once with the time of the reset', async () => {
    stage.server.reply(anthropicError(429, 'slow down', { headers: { 'retry-after': '86400' } }));
    const result = await resultOf('hi');
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 13);
    expect(result).toMatchObject({ code: 75, error_code: 'rate-limit' });
    expect(result).toHaveProperty(
      'error',
      expect.stringMatching(new RegExp(`resets at ${tomorrow.slice(0, 10)}\\S+, in 24 h\\.`)),
    );
    expect(result).toHaveProperty('resets_at', expect.stringContaining(tomorrow.slice(0, 10)));
    expect(stage.server.requests).toHaveLength(1);
  });

  it('backs off exponentially with a cap, says so, and gives up with the reason', async () => {
    await stage.settings({ retry: { maxRetries: 4, baseDelayMs: 20, maxDelayMs: 60 } });
    stage.server.handle(() => anthropicError(529, 'Overloaded'));
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('robota: waiting for anthropic, retry 2 of 4 in 1 s (overloaded)\n');
    expect(stderr.split('\n').at(-2)).toMatch(/^robota: anthropic \(HTTP 529\): the service is overloaded/);
    expect(stage.server.requests).toHaveLength(5);
    const log = await stage.sessionLines('log.jsonl');
    const delays = log.filter(({ event }) => event === 'retry').map(({ delayMs }) => Number(delayMs));
    expect(delays).toHaveLength(4);
    [20, 40, 60, 60].forEach((full, index) => {
      expect(delays[index]).toBeGreaterThanOrEqual(full * 0.75 - 1);
      expect(delays[index]).toBeLessThanOrEqual(full * 1.25 + 1);
    });
  });

  it.each([408, 409, 500, 503])('tries again after %i', async (status) => {
    await stage.settings(quickly);
    stage.server.reply(anthropicError(status, 'for a moment'), ok);
    expect(await stage.robota(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'ok\n' });
  });

  it('a conversation that is too long is shortened once, then it is a clear error', async () => {
    await stage.settings(quickly);
    stage.server.reply(...['a', 'b', 'c'].map((text) => anthropicReply({ text: text.repeat(30_000) })));
    for (const prompt of ['one', 'two', 'three']) await stage.robota(['-p', '-c', prompt]);
    const isSummary = (text: string) => !text.includes('"tools"');
    stage.server.handle(({ text }) =>
      isSummary(text)
        ? anthropicReply({ text: '## Goal\nto test' })
        : anthropicError(400, 'prompt is too long: 210000'),
    );
    const result = await resultOf('four', '-c');
    expect(result).toMatchObject({ code: 1, error_code: 'context-overflow' });
    expect(result).toHaveProperty('error', expect.stringContaining('no longer fits'));
    const sent = stage.server.requests.slice(3).map(({ text }) => text);
    expect(sent.filter((text) => !isSummary(text))).toHaveLength(2);
    expect(new Set(sent).size).toBe(sent.length);
  });

  it('an unknown model is not asked for again, and named', async () => {
    stage.server.reply(anthropicError(404, 'model: claude-opus-99'));
    const result = await resultOf('hi', '--model', 'anthropic/claude-opus-99');
    expect(result).toMatchObject({ code: 1, error_code: 'model-not-found' });
    expect(result).toHaveProperty('error', expect.stringContaining('model claude-opus-99 not found'));
    expect(stage.server.requests).toHaveLength(1);
  });

  it('a login page of the network is not an answer', async () => {
    await stage.settings(quickly);
    const page = '<html><title>Hotel Wi-Fi</title></html>';
    stage.server.handle(() => ({ headers: { 'content-type': 'text/html' }, chunks: [page] }));
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi']);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain('not an event stream');
    expect(stderr).toContain('Hotel Wi-Fi');
    expect(stage.server.requests.length).toBeLessThanOrEqual(2);
  });

  it('a key does not travel in clear text to another machine', async () => {
    const { code, stderr } = await stage.robota(['-p', 'hi'], {
      env: { ANTHROPIC_BASE_URL: 'http://example.com' },
    });
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /http:\/\/example\.com\S* would send the key .* unencrypted\. Use https, or .*--allow-insecure-http/,
    );
  });

  it('a certificate that is not accepted is not retried and says what to set', async () => {
    const pem = await readFile(new URL('./fixtures/self-signed.pem', import.meta.url), 'utf8');
    const server = createServer({ key: pem, cert: pem }, (_, response) => response.end('{}'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    try {
      const env = { ANTHROPIC_BASE_URL: `https://127.0.0.1:${port}` };
      const { code, stderr } = await stage.robota(['-p', 'hi'], { env });
      expect(code).toBe(1);
      expect(stderr).toContain('NODE_EXTRA_CA_CERTS');
      expect(stderr).not.toContain('retry');
    } finally {
      server.close();
    }
  });
});

describe('errors within the answer', () => {
  const begun = until('Hello', anthropicChunks({ text: ['Hello wor', 'never sent'] }));

  const breaks: readonly [string, readonly Chunk[]][] = [
    ['stream-015 an error event', [anthropicErrorEvent('overloaded_error', 'Overloaded')]],
    ['stream-017 a connection reset', [{ reset: true }]],
    ['a connection that closes too early', []],
  ];

  it.each(breaks)('%s after some text: the rest is asked for, nothing is shown twice', async (_, fault) => {
    await stage.settings(quickly);
    stage.server.reply(eventStream([...begun, ...fault]), anthropicReply({ text: 'ld, all is well.' }));
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi', '--output-format', 'stream-json']);
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^robota: waiting for anthropic, retry 1 of 3 in 1 s \((overloaded|network error)\)\n$/,
    );
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    const shown = lines.slice(0, -1).map(({ event }) => event.delta.text);
    expect(shown.join('')).toBe('Hello world, all is well.');
    expect(lines.at(-1).result).toBe('Hello world, all is well.');
    expect(JSON.stringify(stage.messages(1))).toContain('Hello wor');
  });

  it('a model that says all of it again is not shown twice either', async () => {
    await stage.settings(quickly);
    stage.server.reply(eventStream(begun), anthropicReply({ text: ['Hello ', 'world, ', 'again.'] }));
    const { stdout } = await stage.robota(['-p', 'hi', '--verbose']);
    expect(stdout).toBe('Hello world, again.\n');
  });

  it('when every attempt breaks, the partial answer is kept and the run fails', async () => {
    await stage.settings({ retry: { maxRetries: 1, baseDelayMs: 1 } });
    stage.server.handle(() => eventStream([...begun, { reset: true }]));
    expect(await resultOf('hi')).toMatchObject({
      code: 1,
      result: '',
      partial_result: 'Hello wor',
      error_code: 'network',
    });
    const text = await stage.robota(['-p', 'hi', '--no-session']);
    expect(text).toMatchObject({ code: 1, stdout: 'Hello wor\n' });
    const kept = await stage.sessionLines('session.jsonl');
    expect(JSON.stringify(kept)).toContain('Hello wor');
  });

  it('a stream that stays silent is given up and asked for again', async () => {
    await stage.settings({ ...quickly, idleTimeoutMs: 1000 });
    const { server } = stage;
    const silence = new Promise<never>(() => {});
    server.handle(() => {
      if (server.requests.length === 1) return silence;
      return server.requests.length === 2
        ? eventStream([...begun, { hang: true }])
        : anthropicReply({ text: 'ld' });
    });
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello world\n' });
    expect(stderr).toMatch(/retry 1 of 3 in 1 s \(stalled\)\n.*retry 2 of 3 in 1 s \(stalled\)\n$/);
  });

  it('as long as pings arrive it waits', async () => {
    await stage.settings({ retry: { maxRetries: 0 }, idleTimeoutMs: 1500 });
    const ping = sse({ type: 'ping' }, 'ping');
    const pings = Array.from({ length: 8 }, (): Chunk[] => [ping, { pauseMs: 250 }]).flat();
    stage.server.reply(eventStream([...pings, ...anthropicChunks({ text: 'worth the wait' })]));
    expect(await stage.robota(['-p', 'hi'])).toMatchObject({ code: 0, stdout: 'worth the wait\n' });
  });

  it('an unknown stop reason is the end of the turn, with a note', async () => {
    stage.server.reply(anthropicReply({ text: 'done', stopReason: 'new_reason' }));
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' });
    expect(stderr).toContain('new_reason');
  });

  it('an answer cut off by the output limit says so', async () => {
    stage.server.reply(anthropicReply({ text: 'half of i', stopReason: 'max_tokens' }));
    const { code, stdout, stderr } = await stage.robota(['-p', 'hi']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'half of i\n' });
    expect(stderr).toContain('cut off by the output limit');
  });
});

describe('calls that cannot run', () => {
  it('arguments that are no JSON: nothing runs, the model is told why', async () => {
    const result = await oneCall({ name: 'Bash', rawJson: ['{"command": ', '}'] });
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/not valid JSON \(.+\)/) });
  });

  it('arguments of OpenAI-compatible servers are joined by index', async () => {
    proves('E-28');
    const part = (index: number, text: string, first?: { id: string; name: string }) =>
      openaiChatChunk({
        delta: {
          tool_calls: [
            {
              index,
              ...(first ? { id: first.id, type: 'function' } : {}),
              function: { ...(first ? { name: first.name } : {}), arguments: text },
            },
          ],
        },
      });
    stage.server.reply(
      eventStream([
        part(0, '', { id: 'call_a', name: 'Write' }),
        part(1, '', { id: 'call_b', name: 'Write' }),
        part(1, '{"file_path": "b.txt", "con'),
        part(0, '{"file_path": "a.txt"'),
        part(1, 'tent": "B"}'),
        part(0, ', "content": "A"}'),
        openaiChatChunk({ delta: {}, finish_reason: 'tool_calls' }),
        sse('[DONE]'),
      ]),
      openaiChatReply({ text: 'ok' }),
    );
    const env = { OPENAI_API_KEY: 'x', OPENAI_BASE_URL: stage.server.url };
    const args = ['-p', 'go', '--model', 'openai/gpt-test', '--permission-mode', 'acceptEdits'];
    expect(await stage.robota(args, { env })).toMatchObject({ code: 0, stdout: 'ok\n' });
    expect(await readFile(join(stage.cwd, 'a.txt'), 'utf8')).toBe('A');
    expect(await readFile(join(stage.cwd, 'b.txt'), 'utf8')).toBe('B');
  });

  it('an unknown tool is an error result with the near name', async () => {
    expect(await oneCall({ name: 'bash', input: { command: 'ls' } })).toMatchObject({
      isError: true,
      text: expect.stringMatching(/Unknown tool "bash".*Bash/),
    });
  });

  it('arguments that miss the schema: the model is told which field and why', async () => {
    const result = await oneCall({ name: 'Read', input: { path: 'a.txt', limit: 'ten' } });
    expect(result.isError).toBe(true);
    expect(result.text).toMatch(/file_path/);
    expect(result.text).toMatch(/limit/);
  });

  it('a model that repeats itself without end is stopped with a clear message', async () => {
    stage.server.handle(() => anthropicReply({ toolCalls: [{ name: 'Glob', input: { pattern: '*' } }] }));
    const { code, stderr } = await stage.robota(['-p', 'go', '--max-turns', '50']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/Stopped: the model kept repeating the same call \(Glob\)/);
    expect(stage.server.requests.length).toBeLessThan(50);
  });
});

describe('commands that do not behave', () => {
  const bash = (command: string) => oneCall({ name: 'Bash', input: { command } });

  it('ten gigabytes of output are stopped, cut in the middle, and do not fill the memory', async () => {
    proves('C-78');
    const call = (command: string) => anthropicReply({ toolCalls: [{ name: 'Bash', input: { command } }] });
    stage.server.reply(call('yes robota | head -c 10G'), call('grep VmHWM /proc/$PPID/status'), ok);
    await stage.robota(['-p', 'go', '--permission-mode', 'bypassPermissions']);
    const [endless] = stage.results(1);
    expect(endless?.text.length).toBeLessThan(30_100);
    expect(endless?.text).toMatch(
      /^robota\nrobota\n[\s\S]*characters[\s\S]*killed after .*it printed more than 256 MB/,
    );
    const peakKilobytes = Number(stage.results(2)[0]?.text.match(/VmHWM:\s+(\d+) kB/)?.[1]);
    expect(peakKilobytes).toBeLessThan(300_000);
  });

  it('a command that waits for input gets none and returns', async () => {
    expect(await bash('cat; echo returned')).toMatchObject({
      isError: false,
      text: expect.stringContaining('returned'),
    });
  });

  it('a child in the background does not hold the call, and does not outlive the run', async () => {
    const result = await bash('sleep 1000 & echo "pid=$!"');
    const pid = Number(result.text.match(/pid=(\d+)/)?.[1]);
    expect(pid).toBeGreaterThan(0);
    await vi.waitFor(() => expect(isRunning(pid)).toBe(false));
  });
});
