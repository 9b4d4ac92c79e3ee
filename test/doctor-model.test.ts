import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  jsonReply,
  type OllamaAnswer,
  ollamaReply,
  openaiChatReply,
  openaiError,
  type RecordedRequest,
  type Reply,
} from '@robota-sdk/agent-testing';
import { describe, expect, it } from 'vitest';
import { stagePerTest } from './stage-per-test.ts';

interface Body {
  readonly tools?: unknown;
  readonly messages?: readonly { readonly content: string }[];
}

type Routes = Readonly<Record<string, unknown>>;

const stage = stagePerTest();

const counting = { text: '1 2 3' };
const nativeCall = { calls: [{ name: 'report_number', input: { number: 7 } }] };
const writtenCall = {
  text: '!unquote_start\n<tool_call id="c1" #>\nExt.report_number({ number: 7 })\n</#>\n!unquote_end',
};

type Answer = OllamaAnswer | Reply;

/** A server with models that can do just this in either API, and other addresses that answer with JSON. */
function serve(
  can: { readonly native?: Answer; readonly written?: Answer; readonly answer?: Answer },
  routes: Routes = {},
) {
  const answerTo = (request: RecordedRequest) => {
    const { tools, messages = [] } = (request.body ?? {}) as Body;
    const isOllama = request.path === '/api/chat';
    if (request.path !== '/v1/chat/completions' && !isOllama) {
      const answer = routes[`${request.method} ${request.path.replace(/\?.*/, '')}`];
      return answer === undefined ? jsonReply(404, { error: 'not found' }) : jsonReply(200, answer);
    }
    const say = (answer: Answer) => {
      if ('chunks' in answer) return answer;
      const text = answer.text?.split(/(?<= )/) ?? [];
      return isOllama ? ollamaReply(answer) : openaiChatReply({ ...answer, text });
    };
    if (tools !== undefined) return say(can.native ?? openaiError(400, 'tiny does not support tools'));
    if (messages[0]?.content.includes('# Calling tools')) return say(can.written ?? { text: 'Seven!' });
    return say(can.answer ?? counting);
  };
  stage.server.handle(answerTo);
  stage.server.handleQuestions(answerTo);
}

async function probe(model: string, env: Record<string, string> = {}) {
  const nobody = 'http://127.0.0.1:1/v1';
  const result = await stage.robota(['doctor', '--model', model, '--json'], {
    env: {
      OLLAMA_HOST: stage.server.url,
      LMSTUDIO_BASE_URL: `${stage.server.url}/v1`,
      LLAMA_CPP_BASE_URL: `${stage.server.url}/v1`,
      OPENAI_BASE_URL: nobody,
      ...env,
    },
  });
  const { ok, findings } = JSON.parse(result.stdout) as {
    readonly ok: boolean;
    readonly findings: readonly { readonly what: string; readonly why?: string; readonly advice?: string }[];
  };
  return { ...result, ok, findings };
}

describe('robota doctor --model', () => {
  it('finds that a model answers, streams, calls tools, and runs with the window of Ollama', async () => {
    serve({ native: nativeCall }, ollama({ context_length: 131_072 }));
    const { code, findings } = await probe('ollama/tiny:1b');
    expect(code).toBe(0);
    expect(findings).toMatchObject([
      {
        area: 'models',
        status: 'ok',
        what: expect.stringMatching(
          /^ollama\/tiny:1b answers: first token after \d+ ms, [\d.]+ tokens a second$/,
        ),
      },
      { status: 'ok', what: 'it calls tools natively' },
      { status: 'ok', what: 'its context window on the server is 131,072 tokens' },
    ]);
  });

  it('warns of a window that Ollama gives although it was asked for more, and says how to change it', async () => {
    serve({ native: nativeCall }, ollama({ context_length: 4096 }));
    const small = (await probe('ollama/tiny:1b')).findings[2];
    expect(small).toMatchObject({
      status: 'warning',
      what: 'its context window on the server is 4,096 tokens',
      why: expect.stringContaining('silently cut off'),
      advice: expect.stringContaining('OLLAMA_CONTEXT_LENGTH'),
    });
    expect(small?.why).toContain('The model supports 131,072 tokens.');
  });

  it('asks Ollama for a window that fits, whatever its default is', async () => {
    serve({ native: nativeCall }, ollama());
    expect((await probe('ollama/tiny:1b')).findings[2]).toMatchObject({
      status: 'ok',
      what: 'Robota asks Ollama for a context window of 32,768 tokens',
    });
    expect(stage.server.requests.find(({ path }) => path === '/api/chat')?.body).toMatchObject({
      options: { num_ctx: 32_768 },
    });
  });

  it.each([
    ['llama.cpp/tiny', { 'GET /props': { default_generation_settings: { n_ctx: 2048 } } }, 'llama-server -c'],
    [
      'lmstudio/tiny',
      {
        'GET /api/v0/models': {
          data: [{ id: 'tiny', max_context_length: 32_768, loaded_context_length: 2048 }],
        },
      },
      'LM Studio',
    ],
    [
      'lab/tiny',
      { 'GET /v1/models': { data: [{ id: 'other' }, { id: 'tiny', max_model_len: 2048 }] } },
      '--max-model-len',
    ],
  ])('knows how %s tells its window', async (model, routes, advice) => {
    await lab();
    serve({ native: nativeCall }, routes);
    expect((await probe(model)).findings[2]).toMatchObject({
      status: 'warning',
      what: 'its context window on the server is 2,048 tokens',
      advice: expect.stringContaining(advice),
    });
  });

  it('says so where no server tells its window', async () => {
    await lab();
    serve({ native: nativeCall });
    expect((await probe('lab/tiny')).findings[2]).toMatchObject({
      status: 'note',
      what: expect.stringMatching(/^its context window is unknown; assuming [\d,]+ tokens$/),
    });
  });

  it('suggests calls in the text where native ones fail, with the line that sets it; it works then', async () => {
    serve({ written: writtenCall }, ollama({ context_length: 131_072 }));
    const { code, findings } = await probe('ollama/tiny:1b');
    expect(code).toBe(0);
    expect(findings[1]).toMatchObject({
      status: 'warning',
      what: 'it does not call tools natively',
      why: expect.stringContaining('does not support tools'),
    });
    expect(findings[1]).toMatchObject({ fix: { path: ['toolProtocols', 'ollama/tiny:1b'], text: 'xnl' } });
    const line = /robota (config set) '(.*)' (xnl)$/.exec(findings[1]?.advice ?? '');
    const words = [...(line?.[1] ?? '').split(' '), line?.[2] ?? '', line?.[3] ?? ''];
    expect(await stage.robota(words)).toMatchObject({ code: 0 });
    const again = await probe('ollama/tiny:1b');
    expect(again.findings[1]).toMatchObject({ status: 'ok', what: 'it calls tools as text (xnl)' });
    serve({ native: { text: 'I would call it.' }, written: writtenCall });
    expect((await probe('ollama/other')).findings[1]).toMatchObject({
      why: expect.stringContaining('with text'),
    });
  });

  it('advises another model where the window is all that the model supports', async () => {
    serve({ native: nativeCall }, ollama({ context_length: 4096 }, '', 4096));
    expect((await probe('ollama/tiny:1b')).findings[2]).toMatchObject({
      status: 'warning',
      what: 'its context window on the server is 4,096 tokens',
      advice: 'Use a model with a larger window: this one supports no more.',
    });
  });

  it('applies what it recommends with --fix, and tries again', async () => {
    await stage.settings({ local: { contextWindow: 4096 } });
    serve({ written: writtenCall }, ollama({ context_length: 4096 }));
    const env = { OLLAMA_HOST: stage.server.url };
    const fixed = await stage.robota(['doctor', '--model', 'ollama/tiny:1b', '--fix'], { env });
    expect(fixed.stdout).toMatch(/set toolProtocols\["ollama\/tiny:1b"\] to xnl in \S+settings\.json/);
    expect(fixed.stdout).toMatch(/set local\.contextWindow to 32768 in/);
    expect(fixed.stdout).toContain('ok      it calls tools as text (xnl)');
    const settings = JSON.parse(await readFile(join(stage.home, '.robota', 'settings.json'), 'utf8'));
    expect(settings).toEqual({
      local: { contextWindow: 32_768 },
      toolProtocols: { 'ollama/tiny:1b': 'xnl' },
    });
    expect(await stage.robota(['doctor', '--fix'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--fix needs a model'),
    });
  });

  it('says what prevents work: no server, no such model, no calls at all, no stream', async () => {
    const gone = await probe('ollama/tiny', { OLLAMA_HOST: '127.0.0.1:1' });
    expect(gone.code).toBe(1);
    expect(gone.findings).toMatchObject([{ status: 'broken', what: 'ollama/tiny does not answer' }]);
    serve({ answer: openaiError(404, 'model "tiny" not found') });
    expect((await probe('ollama/tiny')).findings).toMatchObject([
      { status: 'broken', why: expect.stringContaining('tiny') },
    ]);
    serve({ answer: { text: '1,2,3' } });
    const dull = await probe('ollama/tiny');
    expect(dull.code).toBe(1);
    expect(dull.findings).toMatchObject([
      { status: 'note', why: expect.stringContaining('does not stream') },
      { status: 'broken', what: expect.stringContaining('neither natively nor as text') },
      { status: 'note' },
    ]);
    serve({ native: { calls: [{ name: 'count', input: { to: 7 } }] } });
    expect((await probe('ollama/tiny')).findings[1]).toMatchObject({
      why: 'It made a different call: count {"to":7}',
    });
  });

  it('finds nothing wrong with the model that needs no server', async () => {
    const { code, findings } = await probe('offline');
    expect(code).toBe(0);
    expect(findings).toMatchObject([{ status: 'ok', what: 'offline/offline answers' }]);
  });

  it('prints for people, refuses what makes no sense, and never prints a key', async () => {
    await lab('sk-lab-secret-1234');
    serve({ answer: openaiError(401, 'wrong key sk-lab-secret-1234') });
    const { stdout, code } = await stage.robota(['doctor', '--model', 'lab/tiny']);
    expect(code).toBe(1);
    expect(stdout).toContain('BROKEN  lab/tiny does not answer');
    expect(stdout).not.toContain('secret');
    expect(stdout).toContain('Store a valid key: robota login lab');
    expect(await stage.robota(['doctor', '--model', 'lab/tiny', '--no-network'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--model and --no-network cannot be used together'),
    });
    expect(await stage.robota(['doctor', '--model', 'nobody/x'])).toMatchObject({
      stderr: expect.stringContaining('Unknown vendor "nobody"'),
    });
  });
});

async function lab(apiKey?: string): Promise<void> {
  const server = { baseUrl: `${stage.server.url}/v1`, api: 'openai-completions', models: [{ id: 'tiny' }] };
  const providers = { lab: apiKey === undefined ? server : { ...server, apiKey } };
  await mkdir(join(stage.home, '.robota'), { recursive: true });
  await writeFile(join(stage.home, '.robota', 'models.json'), JSON.stringify({ providers }));
}

/** Ollama's facts about a model: training, configuration and running state. */
function ollama(running?: Readonly<Record<string, number>>, parameters = '', trained = 131_072): Routes {
  return {
    'POST /api/show': { parameters, model_info: { 'general.name': 'tiny', 'tiny.context_length': trained } },
    'GET /api/ps': { models: running ? [{ name: 'tiny:1b', model: 'tiny:1b', ...running }] : [] },
  };
}
