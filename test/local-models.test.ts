import { type FakeOllama, startFakeLlama, startFakeOllama } from '@robota-sdk/agent-testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

const stage = stagePerTest();
let ollama: FakeOllama;

beforeEach(async () => {
  ollama = await startFakeOllama({
    models: [{ name: 'coder:30b' }, { name: 'old:7b', trained: 24_000, capabilities: ['completion'] }],
    // Like a real model, it works only where it sees its task and its tools.
    answer: ({ text, tools, model }) => {
      if (!text.includes('Read notes.txt')) return { text: 'Hello!' };
      if (text.includes('milk and eggs'))
        return { text: 'Buy milk.', otherwise: ['{"buy": 1}', '{"buy": "milk"}'] };
      if (model === 'old:7b')
        return {
          text: '!unquote_start\n<tool_call id="c1" #>\nSysBuiltIn.Read({ file_path: "notes.txt" })\n</#>\n!unquote_end',
        };
      return tools.includes('Read')
        ? { calls: [{ name: 'Read', input: { file_path: 'notes.txt' } }] }
        : { text: 'I have no tools.' };
    },
  });
  await stage.file('notes.txt', 'milk and eggs\n');
});

afterEach(async () => {
  await ollama.close();
});

/** The schema of a result. */
const schema = JSON.stringify({
  type: 'object',
  properties: { buy: { type: 'string' } },
  required: ['buy'],
});

const ask = (args: readonly string[]) =>
  stage.robota(['-p', 'Read notes.txt', ...args], { env: { OLLAMA_HOST: ollama.url } });

describe('a model of Ollama', () => {
  it('gets a window that holds its tools, and works', async () => {
    expect(await ask(['--model', 'ollama/coder:30b'])).toMatchObject({ code: 0, stdout: 'Buy milk.\n' });
    expect(ollama.loaded.get('coder:30b')).toEqual({ numCtx: 32_768, keepAlive: '30m' });
  });

  it('gets no more than it was trained with, and writes its calls where its template has none', async () => {
    await stage.settings({ local: { contextWindow: 65_536, keepAlive: '1h' } });
    expect(await ask(['--model', 'ollama/old:7b'])).toMatchObject({ code: 0, stdout: 'Buy milk.\n' });
    expect(ollama.loaded.get('old:7b')).toEqual({ numCtx: 24_000, keepAlive: '1h' });
    await ask(['--model', 'ollama/coder:30b']);
    expect(ollama.loaded.get('coder:30b')?.numCtx).toBe(65_536);
  });

  it('cannot miss the schema of a result once its work with tools is done', async () => {
    expect(await ask(['--model', 'ollama/coder:30b', '--json-schema', schema])).toMatchObject({
      code: 0,
      stdout: '{"buy":"milk"}\n',
    });
    const bodies = ollama.requests.flatMap(({ path, body }) => (path === '/api/chat' ? [body] : []));
    // It reads, answers freely, and is then held to the schema.
    expect(bodies).toHaveLength(3);
    for (const body of bodies.slice(0, 2)) expect(body).not.toHaveProperty('format');
    expect(bodies[2]).toMatchObject({ format: JSON.parse(schema) });
    expect(bodies[2]).not.toHaveProperty('tools');
  });
});

describe("a model of llama.cpp's server", () => {
  const broken = '!unquote_start\n<tool_call id="c1" #>\nSysBuiltIn.Raed({ path: "notes.txt" ';
  const whole = (code: string) => `!unquote_start\n<tool_call id="c1" #>\n${code}\n</#>\n!unquote_end`;

  it('cannot write a malformed call, and tells how much of the prompt was read', async () => {
    const llama = await startFakeLlama({
      window: 24_000,
      supportsTools: false,
      template: '{% if enable_thinking %}<think>{% endif %}',
      answer: (prompt) =>
        prompt.includes('milk and eggs')
          ? ['Buy milk.']
          : [broken, whole('SysBuiltIn.Raed({})'), whole('SysBuiltIn.Read({ file_path: "notes.txt" })')],
    });
    const result = await stage.robota(
      ['-p', 'Read notes.txt', '--model', 'llama.cpp/small', '--output-format', 'stream-json', '--verbose'],
      { env: { LLAMA_CPP_BASE_URL: `${llama.url}/v1` } },
    );
    expect(result).toMatchObject({ code: 0, stdout: expect.stringContaining('Buy milk.') });
    expect(llama.requests).toHaveLength(2);
    expect(llama.requests[0]?.body).toMatchObject({
      return_progress: true,
      chat_template_kwargs: { enable_thinking: false },
    });
    const [first, second] = llama.uses;
    expect(first?.written).toContain('SysBuiltIn.Read({ file_path: "notes.txt" })');
    expect(second?.cached).toBeGreaterThan(0.9 * (first?.total ?? Infinity));
    await llama.close();
  });

  it('cannot miss the schema of a result, and keeps what the server has read', async () => {
    const llama = await startFakeLlama({
      window: 24_000,
      supportsTools: false,
      answer: (prompt) =>
        prompt.includes('milk and eggs')
          ? ['Buy milk.', '{"buy": 1}', '{"buy": "milk"}']
          : [whole('SysBuiltIn.Read({ file_path: "notes.txt" })')],
    });
    const result = await stage.robota(
      ['-p', 'Read notes.txt', '--model', 'llama.cpp/small', '--json-schema', schema],
      { env: { LLAMA_CPP_BASE_URL: `${llama.url}/v1` } },
    );
    expect(result).toMatchObject({ code: 0, stdout: '{"buy":"milk"}\n' });
    const [reading, free, held] = llama.requests.map(({ body }) => body);
    for (const body of [reading, free]) expect(body).not.toHaveProperty('response_format');
    expect(held).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { schema: JSON.parse(schema) } },
    });
    expect(held).not.toHaveProperty('grammar');
    expect(llama.uses[2]?.cached).toBeGreaterThan(0.9 * (llama.uses[1]?.total ?? Infinity));
    await llama.close();
  });

  it('gets fewer tools, a short prompt and short results where its window is small, and the user is told', async () => {
    await stage.file('AGENTS.md', 'Be kind. '.repeat(2_000));
    await stage.file('.claude/CLAUDE.md', 'Be brief. '.repeat(100));
    await stage.file('long.txt', `${'many words in a line\n'.repeat(2_000)}`);
    const llama = await startFakeLlama({
      window: 8_192,
      supportsTools: false,
      answer: (prompt) =>
        prompt.includes('many words') ? ['Long.'] : [whole('SysBuiltIn.Read({ file_path: "long.txt" })')],
    });
    const env = { LLAMA_CPP_BASE_URL: `${llama.url}/v1` };
    const result = await stage.robota(['-p', 'Read it', '--model', 'llama.cpp/small', '--allow', 'Read'], {
      env,
    });
    expect(result).toMatchObject({
      code: 0,
      stdout: 'Long.\n',
      stderr: expect.stringContaining('has a window of 8,192 tokens: it gets fewer tools'),
    });
    const [first, second] = llama.requests.map(({ body }) => body as { messages: { content: string }[] });
    const prompt = first?.messages[0]?.content ?? '';
    expect(prompt).toContain('Grep');
    expect(prompt).not.toContain('TodoWrite');
    expect(prompt).toContain('[The rest is left out; read');
    expect(llama.uses[0]?.total).toBeLessThan(4_096);
    expect(second?.messages.at(-1)?.content.length).toBeLessThan(5_000);
    expect(second?.messages.at(-1)?.content).toContain('There are more lines; read on with offset');
    const context = await stage.robota(['-p', '/context', '--model', 'llama.cpp/small'], { env });
    const [files] = /~(\d+) {2}instructions .*AGENTS\.md/.exec(context.stdout)?.slice(1) ?? [];
    expect(Number(files)).toBeGreaterThan(1);
    expect(Number(files)).toBeLessThan(8_192 / 8 + 100);
    await llama.close();
  });
});
