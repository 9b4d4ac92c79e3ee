import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  anthropicError,
  anthropicReply,
  googleReply,
  jsonReply,
  ollamaReply,
  openaiChatReply,
  openaiError,
  openaiResponsesReply,
  type Reply,
  runRobota,
  temporaryDirectory,
} from '@robota-sdk/agent-testing';
import { modelServerPerTest } from '@robota-sdk/agent-testing/each-test';
import { proves } from '@robota-sdk/agent-testing/proves';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  awsKeys,
  azureRequest,
  bedrockRequest,
  startFront,
} from '../packages/agent-cloud/src/fixtures/cloud-front.ts';

const server = modelServerPerTest();
let cwd: string;
let home: string;

beforeEach(async () => {
  cwd = await temporaryDirectory();
  home = await temporaryDirectory('robota-home');
  await writeFile(join(cwd, 'greeting.txt'), 'hello world\n');
});

interface Step {
  readonly text?: string;
  readonly call?: { readonly name: string; readonly input: Record<string, unknown> };
}

/** The same answers in each format. */
const wires: Readonly<
  Record<'anthropic' | 'chat' | 'responses' | 'google' | 'ollama', (step: Step) => Reply>
> = {
  anthropic: ({ text, call }) => anthropicReply({ ...given({ text }), toolCalls: call ? [call] : [] }),
  chat: ({ text, call }) => openaiChatReply({ ...given({ text }), calls: call ? [call] : [] }),
  responses: ({ text, call }) => openaiResponsesReply({ ...given({ text }), calls: call ? [call] : [] }),
  ollama: ({ text, call }) => ollamaReply({ ...given({ text }), calls: call ? [call] : [] }),
  google: ({ text, call }) =>
    googleReply({
      chunks: [
        [
          ...(text === undefined ? [] : [{ text }]),
          ...(call ? [{ functionCall: { name: call.name, args: call.input } }] : []),
        ],
      ],
    }),
};

function given<T extends object>(fields: T) {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

const job: readonly Step[] = [
  { text: 'I look first.', call: { name: 'Read', input: { file_path: 'greeting.txt' } } },
  {
    call: {
      name: 'Edit',
      input: { file_path: 'greeting.txt', old_string: 'world', new_string: 'robota' },
    },
  },
  { text: 'It greets robota now.' },
];

interface Way {
  readonly wire: keyof typeof wires;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  /** The end of the path that is asked. */
  readonly path: RegExp;
  readonly headers?: Record<string, unknown>;
}

/** Reads a file, changes it and answers; then what arrived is looked at. */
async function doTheJob({ wire, args = [], env = {}, path, headers = {} }: Way) {
  server.reply(...job.map(wires[wire]));
  const line = ['-p', 'greet robota instead', '--permission-mode', 'acceptEdits', ...args];
  const result = await runRobota(line, { cwd, home, env });
  expect(result).toMatchObject({ code: 0, stdout: 'It greets robota now.\n', stderr: '' });
  expect(await readFile(join(cwd, 'greeting.txt'), 'utf8')).toBe('hello robota\n');
  expect(server.requests).toHaveLength(3);
  for (const request of server.requests) {
    expect(request.path).toMatch(path);
    expect(request.headers).toMatchObject(headers);
  }
  expect(server.requests[1]?.text).toContain('hello world');
  return server.requests.map(({ body }) => body as Record<string, unknown>);
}

async function write(name: string, value: unknown) {
  await mkdir(join(home, '.robota'), { recursive: true });
  await writeFile(join(home, '.robota', name), JSON.stringify(value), { mode: 0o600 });
}

describe('a PDF that is mentioned', () => {
  it.each([
    [
      'anthropic',
      { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: '' },
      'claude-sonnet-4-6',
      /"type":"document"/,
    ],
    [
      'google',
      { GEMINI_API_KEY: 'k', GOOGLE_BASE_URL: '' },
      'gemini-2.5-pro',
      /"inlineData":\{"mimeType":"application\/pdf"/,
    ],
  ] as const)('reaches %s as a document', async (...[wire, names, model, block]) => {
    await writeFile(
      join(cwd, 'doc.pdf'),
      '%PDF-1.7\n1 0 obj << /Type /Pages /Count 1 >> endobj\nstartxref\n9\n%%EOF\n',
    );
    server.reply(wires[wire]({ text: 'Read.' }));
    const env = Object.fromEntries(Object.entries(names).map(([name, value]) => [name, value || server.url]));
    const line = ['-p', 'what does @doc.pdf say?', '--model', model, '--base-url', server.url];
    const result = await runRobota(line, { cwd, home, env });
    expect(result).toMatchObject({ code: 0, stdout: 'Read.\n' });
    expect(server.requests[0]?.text).toMatch(block);
    expect(server.requests[0]?.text).toContain(Buffer.from('%PDF-1.7').toString('base64').slice(0, 8));
  });
});

describe('the same job', () => {
  it('through the Messages API of Anthropic', async () => {
    proves('R-79', 'P-53');
    const env = { ANTHROPIC_API_KEY: 'sk-ant', ANTHROPIC_BASE_URL: server.url };
    const headers = { 'x-api-key': 'sk-ant' };
    const [first] = await doTheJob({ wire: 'anthropic', env, path: /^\/v1\/messages$/, headers });
    expect(first).toHaveProperty('model', expect.stringMatching(/^claude-/));
  });

  it('through the Responses API of OpenAI', async () => {
    proves('R-79', 'P-53', 'E-21');
    const profile = {
      name: 'mine',
      provider: 'openai',
      model: 'gpt-5',
      baseUrl: `${server.url}/v1`,
      apiKind: 'openai-responses',
    };
    await write('settings.json', { models: { profiles: [profile] } });
    const env = { OPENAI_API_KEY: 'sk-openai' };
    const headers = { authorization: 'Bearer sk-openai' };
    const [first, second] = await doTheJob({ wire: 'responses', env, path: /^\/v1\/responses$/, headers });
    expect(first).toMatchObject({ model: 'gpt-5', store: false });
    expect(second?.['input']).toContainEqual(expect.objectContaining({ type: 'function_call_output' }));
  });

  it('through any server that speaks Chat Completions', async () => {
    proves('R-79', 'P-53');
    const env = { OPENAI_API_KEY: 'sk-any', OPENAI_BASE_URL: `${server.url}/v1` };
    const headers = { authorization: 'Bearer sk-any' };
    const [first] = await doTheJob({ wire: 'chat', env, path: /^\/v1\/chat\/completions$/, headers });
    expect(first).toHaveProperty('model', expect.stringMatching(/^gpt-/));
  });

  it('with Claude by Amazon Bedrock, with the keys of a profile', async () => {
    const front = await startFront({ upstream: server.url, isFramed: true, translate: bedrockRequest });
    onTestFinished(front.close);
    await mkdir(join(home, '.aws'));
    const profile = `[work]\naws_access_key_id=${awsKeys.id}\naws_secret_access_key=${awsKeys.secret}\n`;
    await writeFile(join(home, '.aws', 'credentials'), profile);
    const model = 'bedrock/eu.anthropic.claude-haiku-4-5-20251001-v1:0';
    const cloudAccounts = { AWS_PROFILE: 'work', AWS_REGION: 'eu-west-1' };
    await write('settings.json', { model, cloudAccounts });
    const env = { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: front.url };
    const [first] = await doTheJob({ wire: 'anthropic', env, path: /^\/v1\/messages$/ });
    expect(first).toMatchObject({ model: model.slice('bedrock/'.length) });
    expect(JSON.stringify(first)).toContain('cache_control');
    const doctor = await runRobota(['doctor', '--json'], { cwd, home, env });
    expect(doctor.stdout).toContain('Amazon Bedrock: credentials found (profile work, region eu-west-1)');
    expect(doctor.stdout).not.toContain(awsKeys.secret);
  });

  it('with Azure OpenAI, with a stored key and none', async () => {
    const front = await startFront({ upstream: server.url, translate: azureRequest });
    onTestFinished(front.close);
    const env = { AZURE_OPENAI_ENDPOINT: front.url, AZURE_OPENAI_API_KEY: 'azure-key' };
    const args = ['--model', 'azure/gpt-5'];
    const [first] = await doTheJob({ wire: 'responses', env, args, path: /^\/v1\/responses$/ });
    expect(first).toMatchObject({ model: 'gpt-5' });
    const nothing = {
      AZURE_OPENAI_ENDPOINT: front.url,
      AZURE_POD_IDENTITY_AUTHORITY_HOST: 'http://127.0.0.1:1',
    };
    const failed = await runRobota(['-p', 'hi', ...args], { cwd, home, env: nothing });
    expect(failed).toMatchObject({ code: 1, stdout: '' });
    expect(failed.stderr).toContain('no key and no Entra login were found. Run az login');
    const { AZURE_OPENAI_API_KEY } = env;
    const lost = await runRobota(['-p', 'hi', ...args], { cwd, home, env: { AZURE_OPENAI_API_KEY } });
    expect(lost.stderr).toMatch(/no endpoint is set\. Set AZURE_OPENAI_ENDPOINT to \S+\.\n$/);
  });

  it('with a model of Ollama, without a key', async () => {
    proves('P-52', 'P-53');
    const env = { OLLAMA_HOST: server.url.replace('http://', '') };
    const args = ['--model', 'ollama/qwen3:8b'];
    const [first] = await doTheJob({ wire: 'ollama', env, args, path: /^\/api\/chat$/ });
    expect(first).toMatchObject({ model: 'qwen3:8b', options: { num_ctx: 32_768 } });
  });

  it.each([
    [[], 'deepseek-v4-flash'],
    [['--model', 'opencode-go/deepseek-v4-flash'], 'deepseek-v4-flash'],
    [['--model', 'opencode-go/deepseek-v4-pro'], 'deepseek-v4-pro'],
  ])('with OpenCode Go %j: %s', async (words, model) => {
    proves('P-51', 'P-53');
    const env = { OPENCODE_API_KEY: 'oc-key' };
    const args = [...words, '--base-url', `${server.url}/zen/go/v1`];
    const headers = { authorization: 'Bearer oc-key' };
    const path = /^\/zen\/go\/v1\/chat\/completions$/;
    const [first, second] = await doTheJob({ wire: 'chat', env, args, path, headers });
    expect(first).toMatchObject({ model, stream: true });
    expect(first?.['messages']).toContainEqual({ role: 'user', content: 'greet robota instead' });
    expect(first?.['tools']).toContainEqual(
      expect.objectContaining({ type: 'function', function: expect.objectContaining({ name: 'Edit' }) }),
    );
    expect(second?.['messages']).toContainEqual(expect.objectContaining({ role: 'tool' }));
  });

  it('through the Gemini API of Google', async () => {
    proves('R-79', 'P-53');
    const env = { GEMINI_API_KEY: 'g-key', GOOGLE_GEMINI_BASE_URL: server.url };
    const path = /models\/gemini-[\w.-]+:streamGenerateContent\?alt=sse$/;
    await doTheJob({ wire: 'google', env, path, headers: { 'x-goog-api-key': 'g-key' } });
  });

  it('with a vendor of models.json', async () => {
    proves('P-57');
    const vendor = {
      baseUrl: `${server.url}/llm`,
      api: 'openai-completions',
      apiKey: 'HOUSE_KEY',
      models: [{ id: 'house-1', contextWindow: 32_000, maxTokens: 4000 }],
    };
    await write('models.json', { providers: { house: vendor } });
    const env = { HOUSE_KEY: 'from-env' };
    const headers = { authorization: 'Bearer from-env' };
    const args = ['--model', 'house/house-1'];
    const [first] = await doTheJob({ wire: 'chat', env, args, path: /^\/llm\/chat\/completions$/, headers });
    expect(first).toHaveProperty('model', 'house-1');
  });

  it('with a key of auth.json', async () => {
    proves('P-56');
    await write('auth.json', { anthropic: { type: 'api_key', key: 'stored' } });
    const env = { ANTHROPIC_BASE_URL: server.url };
    await doTheJob({ wire: 'anthropic', env, path: /messages$/, headers: { 'x-api-key': 'stored' } });
  });

  it("with the key that Claude Code's apiKeyHelper prints, and with a new one where the vendor refuses it", async () => {
    const claude = join(home, '.claude');
    await mkdir(claude, { recursive: true });
    const apiKeyHelper = 'n=$(cat runs 2>/dev/null || echo 0); echo $((n + 1)) > runs; echo key-$n';
    await writeFile(join(claude, 'settings.json'), JSON.stringify({ apiKeyHelper }));
    const env = { ANTHROPIC_BASE_URL: server.url };
    server.reply(anthropicError(401, 'expired'), anthropicReply({ text: 'Done.' }));
    const run = await runRobota(['-p', 'hi'], { cwd, home, env });
    expect(run).toMatchObject({ code: 0, stdout: 'Done.\n' });
    expect(server.requests.map(({ headers }) => headers['x-api-key'])).toEqual(['key-0', 'key-1']);
    server.reply(anthropicError(401, 'no'), anthropicError(401, 'no'));
    const refused = await runRobota(['-p', 'hi'], { cwd, home, env });
    expect(refused.code).not.toBe(0);
    expect(server.requests).toHaveLength(4);
    const gateway = { apiKeyHelper, env: { ANTHROPIC_BASE_URL: 'https://gate.example' } };
    await writeFile(join(claude, 'settings.json'), JSON.stringify(gateway));
    const unset = await runRobota(['-p', 'hi'], { cwd, home, env });
    expect(unset.stderr).toContain('apiKeyHelper');
    expect(server.requests).toHaveLength(4);
  });

  it('with the model that rab would use, and with our own where rab names one we cannot reach', async () => {
    proves('P-55');
    const rab = join(home, '.rab', 'agent');
    await mkdir(rab, { recursive: true });
    const settings = (value: unknown) => writeFile(join(rab, 'settings.json'), JSON.stringify(value));
    const env = { ANTHROPIC_API_KEY: 'x', ANTHROPIC_BASE_URL: server.url };
    await settings({ defaultProvider: 'anthropic', defaultModel: 'claude-opus-4-6' });
    const [first] = await doTheJob({ wire: 'anthropic', env, path: /messages$/ });
    expect(first).toHaveProperty('model', 'claude-opus-4-6');
    await settings({ defaultProvider: 'somewhere-else', defaultModel: 'gpt-5' });
    server.reply(anthropicReply({ text: 'Done.' }));
    expect(await runRobota(['-p', 'hi'], { cwd, home, env })).toMatchObject({ code: 0, stdout: 'Done.\n' });
  });

  it('with a profile by name, which chooses server, key and format', async () => {
    proves('E-17', 'E-21');
    const profiles = [
      { name: 'other', model: 'gpt-x', baseUrl: 'http://127.0.0.1:9', apiKind: 'openai' },
      {
        name: 'claude-here',
        provider: 'anthropic',
        model: 'claude-sonnet-4-6',
        baseUrl: server.url,
        apiKey: '$ENV:MY_KEY',
        apiKind: 'anthropic',
      },
    ];
    await write('settings.json', { models: { active: 'other', profiles } });
    const env = { MY_KEY: 'mine' };
    const args = ['--model', 'claude-here'];
    await doTheJob({ wire: 'anthropic', env, args, path: /messages$/, headers: { 'x-api-key': 'mine' } });
  });

  it('--api-key and --base-url win over the environment', async () => {
    const env = { ANTHROPIC_API_KEY: 'wrong', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' };
    const args = ['--api-key', 'right', '--base-url', server.url];
    await doTheJob({ wire: 'anthropic', env, args, path: /messages$/, headers: { 'x-api-key': 'right' } });
  });
});

describe('fallback', () => {
  const quickly = { retry: { maxRetries: 1, baseDelayMs: 1 } };

  function keys() {
    return {
      ANTHROPIC_API_KEY: 'a',
      ANTHROPIC_BASE_URL: `${server.url}/anthropic`,
      OPENAI_API_KEY: 'o',
      OPENAI_BASE_URL: `${server.url}/openai`,
    };
  }

  it('continues with another vendor in the middle of the work; no tool runs twice', async () => {
    proves('P-54');
    await write('settings.json', quickly);
    const append = { name: 'Bash', input: { command: 'echo once >> log.txt' } };
    server.reply(
      wires.anthropic({ text: 'I do it.', call: append }),
      anthropicError(529, 'Overloaded'),
      anthropicError(529, 'Overloaded'),
      wires.chat({ call: { name: 'Read', input: { file_path: 'log.txt' } } }),
      wires.chat({ text: 'It was done once.' }),
    );
    const args = ['-p', 'do it', '--model', 'claude-sonnet-4-6', '--fallback-model', 'openai/gpt-5'];
    const mode = ['--permission-mode', 'bypassPermissions'];
    const result = await runRobota([...args, ...mode], { cwd, home, env: keys() });
    expect(result).toMatchObject({ code: 0, stdout: 'It was done once.\n' });
    expect(result.stderr).toBe(
      'robota: waiting for anthropic, retry 1 of 1 in 1 s (overloaded)\nrobota: claude-sonnet-4-6 failed (overloaded); continuing with gpt-5\n',
    );
    expect(await readFile(join(cwd, 'log.txt'), 'utf8')).toBe('once\n');
    const paths = server.requests.map(({ path }) => path.split('/')[1]);
    expect(paths).toEqual(['anthropic', 'anthropic', 'anthropic', 'openai', 'openai']);
    expect(server.requests[3]?.text).toContain('echo once >> log.txt');
  });

  it('a key that is refused is a reason too, an answer is not asked for twice', async () => {
    proves('P-54');
    server.reply(openaiError(401, 'bad key'), wires.anthropic({ text: 'from the second' }));
    await write('settings.json', {
      ...quickly,
      model: 'openai/gpt-5',
      fallbackModels: ['claude-sonnet-4-6'],
    });
    const result = await runRobota(['-p', 'hi'], { cwd, home, env: keys() });
    expect(result).toMatchObject({ code: 0, stdout: 'from the second\n' });
    expect(server.requests).toHaveLength(2);
  });

  it('when all have failed the last reason is given', async () => {
    await write('settings.json', { retry: { maxRetries: 0 } });
    server.reply(anthropicError(529, 'Overloaded'), openaiError(401, 'bad key'));
    const args = ['-p', 'hi', '--fallback-model', 'openai/gpt-5', '--output-format', 'json'];
    const { code, stdout } = await runRobota(args, { cwd, home, env: keys() });
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      error_code: 'auth',
      error: expect.stringContaining('bad key'),
    });
  });
});

describe('credentials that Bedrock refuses', () => {
  it.each([
    ['AccessDeniedException', 'Request access to the model', 'Renew the AWS credentials'],
    ['ExpiredTokenException:http://internal.amazon.com/', 'Renew the AWS credentials', 'Request access'],
    ['UnrecognizedClientException', 'Renew the AWS credentials', 'Request access'],
  ])('%s gets the advice that helps', async (name, advice, other) => {
    server.handle(() => jsonReply(403, { message: 'No.' }, { 'x-amzn-errortype': name }));
    const env = {
      AWS_ACCESS_KEY_ID: 'A',
      AWS_SECRET_ACCESS_KEY: awsKeys.secret,
      AWS_REGION: 'eu-west-1',
      AWS_ENDPOINT_URL_BEDROCK_RUNTIME: server.url,
    };
    const model = 'bedrock/eu.anthropic.claude-sonnet-4-5-20250929-v1:0';
    const { code, stderr } = await runRobota(['-p', 'go', '--model', model], { cwd, home, env });
    expect([code, stderr]).toEqual([1, expect.stringContaining(advice)]);
    expect(stderr).not.toContain(other);
  });
});
