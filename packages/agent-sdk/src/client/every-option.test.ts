import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  anthropicError,
  anthropicReply,
  type ModelServer,
  startModelServer,
} from '@robota-sdk/agent-testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { makeTestProject, type TestProject } from '../fixtures/test-project.ts';
import { memoryStore } from '../testing/memory-store.ts';
import { call, scriptedModel } from '../testing/scripted-model.ts';
import { defineExtension } from './define-extension.ts';
import type { ClientOptions, SessionOptions } from './options.ts';
import { Robota } from './robota.ts';
import type { Session } from './session.ts';
import { tool } from './tool.ts';

type Option = keyof SessionOptions | keyof ClientOptions;

/** Traces of a session with every option at once. */
interface Evidence {
  readonly session: Session;
  readonly server: ModelServer;
  readonly place: TestProject;
  /** The names of what the session called in the program. */
  readonly called: ReadonlySet<string>;
}

const system = ({ server }: Evidence) => JSON.stringify(bodyOf(server, 0).system);
const first = ({ server }: Evidence) => JSON.stringify(server.requests[0]?.body);
const last = ({ server }: Evidence) => JSON.stringify(server.requests.at(-1)?.body);
const settings = ({ session }: Evidence) => session.settings?.config.settings;
const bodyOf = (server: ModelServer, at: number) => server.requests[at]?.body as Record<string, unknown>;
const limited = async (options: SessionOptions, place: TestProject) => {
  const model = scriptedModel((_, turn) => call('Glob', { pattern: `*${turn}` }));
  const robota = new Robota({ home: place.home, env: {} });
  const result = await robota.query('go', { cwd: place.cwd, model, ...options }).result;
  await robota.close();
  return result.status === 'completed' ? undefined : result.error.code;
};

/** For each option, what shows that it is in force. An option without one does not compile. */
const signs: Readonly<Record<Option, (evidence: Evidence) => unknown>> = {
  // of a session
  cwd: (e) => system(e).includes(e.place.cwd),
  session: ({ session }) => session.id === 'chosen-id',
  model: ({ server }) => bodyOf(server, 0).model === 'claude-sonnet-4-6',
  fallbackModels: ({ server }) => bodyOf(server, 1).model === 'claude-haiku-4-5',
  thinking: ({ server }) => bodyOf(server, 0).thinking !== undefined,
  language: (e) => system(e).includes('Japanese'),
  permissionMode: ({ place }) => existsSync(join(place.cwd, 'written.txt')),
  additionalDirectories: (e) => last(e).includes('NOTE-IN-MORE'),
  steeringMode: (e) => settings(e)?.steeringMode === 'all',
  followUpMode: (e) => settings(e)?.followUpMode === 'all',
  toolExecution: (e) => settings(e)?.toolExecution === 'sequential',
  waitForLimit: (e) => settings(e)?.waitForLimit === 60_000,
  permissions: (e) => last(e).includes('Bash(echo denied*)'),
  mayBypass: ({ session }) => session.permissions?.mayBypass,
  authorize: ({ called }) => called.has('authorize'),
  questions: ({ called }) => called.has('question'),
  sandbox: (e) => JSON.stringify(e.session.settings?.place.overrides?.sandbox).includes('writable'),
  trustProject: (e) => last(e).includes('from-project'),
  tools: ({ called }) => called.has('tool'),
  builtInTools: (e) => !first(e).includes('"name":"Edit"'),
  excludeTools: (e) => !first(e).includes('"name":"Grep"'),
  hooks: ({ called }) => called.has('hook'),
  agents: (e) => first(e).includes('AGENT-TEXT'),
  mcpServers: (e) => last(e).includes('ourserver'),
  extensions: (e) => first(e).includes('extended_tool'),
  plugins: (e) => first(e).includes('PLUGIN-SKILL'),
  systemPrompt: (e) => system(e).includes('APPENDED-TEXT'),
  settings: (e) => last(e).includes('Bash(echo given*)'),
  sources: (e) => !first(e).includes('INSTRUCTIONS-OF-FILE'),
  budget: (e) => settings(e)?.budget.session === 5,
  cassette: ({ place }) => existsSync(join(place.cwd, 'tape.jsonl')),
  editor: ({ called }) => called.has('editor'),
  maxTurns: ({ place }) => limited({ maxTurns: 1 }, place).then((code) => code === 'max-turns'),
  maxCost: ({ place }) => limited({ maxCost: 0.000_000_1 }, place).then((code) => code === 'max-cost'),
  maxTimeMs: ({ place }) => limited({ maxTimeMs: 1 }, place).then((code) => code !== undefined),
  // of a client
  home: (e) => last(e).includes('user-allowed'),
  env: ({ server }) => server.requests[0]?.headers['anthropic-beta']?.includes('beta-of-env'),
  connections: ({ server }) => server.requests[0]?.headers['x-team'] === 'blue',
  providers: ({ session }) =>
    session.settings?.config.catalogue.models.some(({ vendor }) => vendor === 'scripted'),
  store: ({ called }) => called.has('store'),
  logger: ({ called }) => called.has('logger'),
  dailyBudget: (e) => settings(e)?.budget.day === 7,
  retry: (e) => settings(e)?.retry.maxRetries === 0,
  idleTimeoutMs: (e) => settings(e)?.idleTimeoutMs === 33_000,
  allowInsecureHttp: (e) => settings(e)?.allowInsecureHttp,
};

describe('every option of a program', () => {
  let evidence: Evidence;
  let robota: Robota;

  beforeAll(async () => {
    const place = await makeTestProject();
    const server = await startModelServer();
    const called = new Set<string>();
    const { put, cwd, home } = place;
    await put('~/.robota/settings.json', { permissions: { allow: ['Bash(echo user-allowed*)'] } });
    await put('.robota/settings.json', { permissions: { allow: ['Bash(echo from-project*)'] } });
    await put('AGENTS.md', 'INSTRUCTIONS-OF-FILE');
    await put('~/more/note.txt', 'NOTE-IN-MORE');
    await put('~/plug/.claude-plugin/plugin.json', { name: 'plug', version: '1.0.0' });
    await put('~/plug/skills/sing/SKILL.md', '---\nname: sing\ndescription: PLUGIN-SKILL\n---\nSing.\n');
    const bash = ['denied', 'given', 'user-allowed', 'from-project'].map((word) => `echo ${word}`);
    const toolCalls = [
      ...bash.map((command) => ({ name: 'Bash', input: { command } })),
      { name: 'Read', input: { file_path: join(home, 'more/note.txt') } },
      { name: 'Write', input: { file_path: 'written.txt', content: 'x' } },
      { name: 'Bash', input: { command: 'touch asked.txt' } },
      { name: 'own_tool', input: {} },
    ].map((each, index) => ({ ...each, id: `c${index}` }));
    server.reply(anthropicError(529, 'busy'), anthropicReply({ toolCalls }), anthropicReply({ text: 'ok' }));
    const judge = resolve('test/fixtures/mcp/judge-server.mjs');
    const own = tool({
      name: 'own_tool',
      description: 'Ours',
      input: z.object({}),
      readOnly: true,
      execute: () => {
        called.add('tool');
        return 'done';
      },
    });
    const store = memoryStore();
    const client: Required<ClientOptions> = {
      home,
      env: { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: server.url, ANTHROPIC_BETAS: 'beta-of-env' },
      connections: { anthropic: { headers: { 'x-team': 'blue' } } },
      providers: [scriptedModel([])],
      store: new Proxy(store, {
        get: (target, name) => {
          called.add('store');
          const value: unknown = Reflect.get(target, name);
          return typeof value === 'function' ? value.bind(target) : value;
        },
      }),
      logger: {
        log: () => void called.add('logger'),
        flush: async () => {},
        close: async () => {},
      },
      dailyBudget: 7,
      retry: { maxRetries: 0 },
      idleTimeoutMs: 33_000,
      allowInsecureHttp: true,
    };
    robota = new Robota(client);
    const options: Required<SessionOptions> = {
      cwd,
      session: { id: 'chosen-id' },
      model: 'claude-sonnet-4-6',
      fallbackModels: ['claude-haiku-4-5'],
      thinking: 'high',
      language: 'ja',
      permissionMode: 'acceptEdits',
      additionalDirectories: [join(home, 'more')],
      steeringMode: 'all',
      followUpMode: 'all',
      toolExecution: 'sequential',
      waitForLimit: '1m',
      permissions: { deny: ['Bash(echo denied*)'] },
      mayBypass: true,
      authorize: () => {
        called.add('authorize');
        return undefined;
      },
      questions: () => {
        called.add('question');
        return undefined;
      },
      sandbox: { mode: 'off', writable: [cwd] },
      trustProject: true,
      tools: [own],
      builtInTools: ['Bash', 'Read', 'Write', 'Grep', 'Agent'],
      excludeTools: ['Grep'],
      hooks: {
        'tool-before': () => {
          called.add('hook');
          return undefined;
        },
      },
      agents: [{ name: 'judge', description: 'AGENT-TEXT', systemPrompt: 'You judge.' }],
      mcpServers: { ourserver: { command: process.execPath, args: [judge] } },
      extensions: [
        defineExtension({
          name: 'extended',
          tools: [{ ...own, name: 'extended_tool' }],
        }),
      ],
      plugins: [join(home, 'plug')],
      systemPrompt: { append: 'APPENDED-TEXT' },
      settings: { permissions: { deny: ['Bash(echo given*)'] } },
      sources: { instructions: false },
      budget: 5,
      cassette: { file: join(cwd, 'tape.jsonl'), mode: 'record' },
      editor: {
        readText: async () => {
          called.add('editor');
          return undefined;
        },
      },
      maxTurns: 9,
      maxCost: 9,
      maxTimeMs: 60_000,
    };
    const session = robota.createSession(options);
    await session.run('go');
    evidence = { session, server, place, called };
  });

  afterAll(async () => {
    await robota.close();
    await evidence.server.close();
  });

  it.each(Object.keys(signs) as Option[])('%s is in force', async (option) => {
    expect(await signs[option](evidence), last(evidence)).toBeTruthy();
  });
});
