import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as root from '@robota-sdk/agent-sdk';
import * as compat from '@robota-sdk/agent-sdk/compat';
import * as testing from '@robota-sdk/agent-sdk/testing';
import * as headless from '@robota-sdk/agent-transport-headless';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';

type Call = (...args: unknown[]) => unknown;

/** A call with good arguments: each of them is replaced by bad ones in turn. */
interface Case {
  readonly call: Call;
  readonly good: readonly unknown[];
  /** Number of the arguments that may not be left out. */
  readonly required: number;
}

const folder = await mkdtemp(join(tmpdir(), 'robota-arguments-'));
const host = { home: folder, env: { PATH: process.env.PATH, ANTHROPIC_API_KEY: 'k' } };
let server: testing.ModelServer;
let cases: Map<string, Case>;
const closing: (() => unknown)[] = [];

beforeAll(async () => {
  server = await testing.modelServer([]);
  Object.assign(host.env, server.env);
  cases = new Map(Object.entries(await allCases()));
});

afterAll(async () => {
  for (const close of closing) await close();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** The names a program can call: functions, constructors, their methods, and tools. */
function callables(): string[] {
  const modules: readonly (readonly [string, object])[] = [
    ['', root],
    ['compat/', compat],
    ['testing/', testing],
    ['headless/', { ...headless }],
  ];
  return modules.flatMap(([prefix, module]) =>
    Object.entries(module)
      .filter(([name]) => prefix !== 'headless/' || seedNames.has(name))
      .flatMap(([name, value]) => namesOf(value, `${prefix}${name}`)),
  );
}

/** The rest of that package is for front ends. */
const seedNames: ReadonlySet<string> = new Set(['createHeadlessRunner', 'createHeadlessTransport']);

function namesOf(value: unknown, name: string): string[] {
  if (typeof value === 'object') return value !== null && 'execute' in value ? [`${name}.execute`] : [];
  if (typeof value !== 'function') return [];
  if (!/^class/.test(Function.prototype.toString.call(value))) return [name];
  const methods: string[] = [];
  for (let each = value.prototype; each && !builtIn.has(each); each = Object.getPrototypeOf(each)) {
    for (const [key, { value: method }] of Object.entries(Object.getOwnPropertyDescriptors(each)))
      if (key !== 'constructor' && typeof method === 'function' && method.length + hidden(method) > 0)
        methods.push(`${name}.${key}`);
  }
  return [`new ${name}`, ...new Set(methods)];
}

const builtIn: ReadonlySet<unknown> = new Set([Object.prototype, Error.prototype]);

/** Parameters with a default do not count in `length`. */
const hidden = (method: Call) => (/^(?:async |static |\*)*\*?[\w$#]+\(\s*\)/.test(String(method)) ? 0 : 1);

/** Methods that take nothing of a program: JavaScript's own protocols, and those of the class itself. */
const exempt: ReadonlySet<string> = new Set(
  `new AgentError.toJSON Run.then Run.catch Run.finally Run.abort SessionStore.copyFiles
  compat/SilentSessionLogger.log new compat/SilentSessionLogger new compat/BundleLoader
  compat/InteractiveSession.stopWatching testing/memoryStore compat/FileSessionLogger.log`
    .split(/\s+/)
    .flatMap((name) => [name, `new ${name}`]),
);

async function allCases(): Promise<Record<string, Case>> {
  const on = (target: object, prefix: string, methods: Record<string, readonly unknown[]>, required = 1) =>
    Object.fromEntries(
      Object.entries(methods).map(([name, good]) => [
        `${prefix}.${name}`,
        {
          call: (...args: unknown[]) => (target as Record<string, Call>)[name]?.(...args),
          good,
          required: Math.min(required, good.length),
        },
      ]),
    );
  const fn = (call: unknown, good: readonly unknown[], required = good.length): Case => ({
    call: call as Call,
    good,
    required,
  });
  const create = (made: unknown, good: readonly unknown[], required = good.length): Case =>
    fn((...args: unknown[]) => new (made as new (...given: unknown[]) => unknown)(...args), good, required);

  const session = root.createSession({ cwd: folder });
  const store = new root.SessionStore({ home: folder });
  const client = new root.Robota({ home: folder, env: host.env });
  const model = testing.scriptedModel([]);
  const conversation = new compat.Session({ tools: [], provider: model.provider, systemMessage: '' });
  const interactive = await compat.createInteractiveSession({ cwd: folder, host, store: 'none' });
  const config = await root.loadConfig(folder, { host });
  const context = await root.loadContext(folder, { host });
  const definition = { name: 'a', description: 'b', systemPrompt: 'c' };
  const run = root.query('x', { cwd: folder, model });
  await run.result;
  const files = new compat.WorkspaceFiles(folder);
  const plugins = { cwd: folder, host, scope: 'user' };
  const source = { kind: 'local', path: folder };
  const text = [{ type: 'text', text: 'x' }];
  const signal = new AbortController().signal;
  const hookCall = { definition: { type: 'prompt', prompt: 'x' }, payload: {}, cwd: folder, env: {}, signal };
  const wholeTool = {
    name: 't',
    description: 'd',
    input: z.object({}),
    execute: () => 'x',
  };
  const handle = await store.create({ cwd: folder });
  const logs = join(folder, 'logs');
  const noUser = { level: 'info', text: 'x' };
  const totals = { usage: {}, cost: 0, modelCalls: 0 };
  closing.push(
    () => session.close(),
    () => client.close(),
    () => conversation.close(),
    () => interactive.shutdown(),
    () => handle.close(),
  );
  return {
    'new AgentError': create(root.AgentError, ['usage', 'x']),
    'new Robota': create(root.Robota, [{ home: folder }], 0),
    ...on(client, 'Robota', { query: ['x', { cwd: folder, model }], subscribe: [() => {}] }),
    ...on(client, 'Robota', { createSession: [{ cwd: folder }], models: [{ cwd: folder }] }, 0),
    'new Run': create(root.Run, [{ session, execute: async () => ({}), steer: async () => false }]),
    ...on(run, 'Run', { steer: ['x'] }),
    'new Session': create(root.Session, [{}, { options: {}, opened() {}, closed() {}, publish() {} }]),
    ...on(session, 'Session', {
      run: ['x', { model }],
      rewind: ['x'],
      setModel: ['x'],
      setPermissionMode: ['plan'],
      subscribe: [() => {}],
    }),
    ...on(session, 'Session', { answer: ['x', { text: 'y' }] }, 2),
    ...on(session, 'Session', { review: ['session'], compact: ['x'] }, 0),
    'new SessionStore': create(root.SessionStore, [{ home: folder }], 0),
    ...on(store, 'SessionStore', {
      create: [{ cwd: folder }],
      open: ['none', {}],
      latest: [folder],
      follow: ['none', {}],
      delete: ['none'],
      has: ['none'],
      fork: ['none', {}],
      copy: [handle, {}],
      save: [{ cwd: folder, messages: [] }],
      load: ['none'],
    }),
    ...on(store, 'SessionStore', { list: [{}] }, 0),
    ...on(store, 'SessionStore', { createWhole: [{ cwd: folder }, { fill: async () => false }] }, 2),
    createSession: fn(root.createSession, [{ cwd: folder }], 0),
    defineExtension: fn(root.defineExtension, [{ name: 'x' }]),
    defineProvider: fn(root.defineProvider, [{ vendor: 'v', models: model.models, stream: model.stream }]),
    describeProblem: fn(root.describeProblem, [{ code: 'c', severity: 'error', message: 'm' }]),
    detectProject: fn(root.detectProject, [folder]),
    jsonSchema: fn(root.jsonSchema, [{ type: 'object' }]),
    loadConfig: fn(root.loadConfig, [folder, { host }], 1),
    loadContext: fn(root.loadContext, [folder, { host }], 1),
    query: fn(root.query, ['x', { cwd: folder, model }], 1),
    sseResponse: fn(root.sseResponse, [run, {}], 1),
    textOutput: fn(root.textOutput, ['x', {}], 1),
    tool: fn(root.tool, [wholeTool]),

    'compat/projectPaths': fn(compat.projectPaths, [folder]),
    'compat/userPaths': fn(compat.userPaths, [host], 0),
    'compat/evaluatePermission': fn(compat.evaluatePermission, ['Bash', {}, 'default', {}], 3),
    'new compat/BundleInstaller': create(compat.BundleInstaller, [plugins]),
    ...on(new compat.BundleInstaller(plugins as never), 'compat/BundleInstaller', {
      install: [{ source, confirm: async () => false }],
      uninstall: ['x'],
      disable: ['x'],
      find: ['x'],
    }),
    ...on(
      new compat.BundleInstaller(plugins as never),
      'compat/BundleInstaller',
      { enable: ['x', async () => false] },
      2,
    ),
    ...on(new compat.BundleLoader(), 'compat/BundleLoader', { load: [folder, {}] }),
    'new compat/MarketplaceClient': create(compat.MarketplaceClient, [plugins]),
    ...on(new compat.MarketplaceClient(plugins), 'compat/MarketplaceClient', {
      add: [source],
      update: ['x'],
      remove: ['x'],
      get: ['x'],
      open: ['x'],
      search: [{ text: 'x' }],
    }),
    'new compat/FileSessionLogger': create(compat.FileSessionLogger, [{ file: logs, sessionId: 'x' }]),
    'new compat/Session': create(compat.Session, [
      { tools: [], provider: model.provider, systemMessage: '' },
    ]),
    ...on(conversation, 'compat/Session', {
      subscribe: [() => {}],
      notify: [noUser],
      run: ['x', {}],
      prompt: [text, {}],
      keepSpent: [totals, { purpose: 'agents' }],
      steer: [text],
      followUp: [text],
      useModel: [conversation.models, {}],
      setModel: [conversation.models, {}],
      setThinking: ['off'],
    }),
    ...on(conversation, 'compat/Session', { abort: [{}], compact: ['x'] }, 0),
    'compat/userInterfaceOf': fn(compat.userInterfaceOf, [compat.noTerminalOutput]),
    ...Object.fromEntries(
      (
        [
          [compat.bashTool, { command: 'true' }],
          [compat.editTool, { file_path: '/nonexistent', old_string: 'a', new_string: 'b' }],
          [compat.globTool, { pattern: 'no-such-*', path: folder }],
          [compat.grepTool, { pattern: 'x', path: folder }],
          [compat.readTool, { file_path: '/nonexistent' }],
          [compat.webFetchTool, { url: 'http://127.0.0.1:1/' }],
          [compat.webSearchTool, {}],
          [compat.writeTool, { file_path: join(folder, 'x'), content: '' }],
        ] as const
      ).map(([each, input]) => [
        `compat/${each.name.charAt(0).toLowerCase()}${each.name.slice(1)}Tool.execute`,
        fn((...args: unknown[]) => (each.execute as Call)(...args), [input, {}], 1),
      ]),
    ),
    'compat/createZodFunctionTool': fn(compat.createZodFunctionTool, [z.object({}), wholeTool]),
    'new compat/FunctionTool': create(compat.FunctionTool, [
      { name: 'x', description: 'y', parameters: { type: 'object' } },
      () => 'x',
    ]),
    'new compat/WorkspaceFiles': create(compat.WorkspaceFiles, [folder]),
    ...on(files, 'compat/WorkspaceFiles', { readFile: ['none'], runCommand: ['true', {}] }),
    ...on(files, 'compat/WorkspaceFiles', { writeFile: ['x', 'y'] }, 2),
    ...on(files, 'compat/WorkspaceFiles', { listDirectory: ['.'] }, 0),
    'compat/commandSourceExtension': fn(compat.commandSourceExtension, [
      { name: 'x', getCommands: () => [] },
    ]),
    'new compat/AgentDefinitionLoader': create(compat.AgentDefinitionLoader, [folder, folder], 0),
    ...on(new compat.AgentDefinitionLoader(folder, folder), 'compat/AgentDefinitionLoader', { get: ['x'] }),
    'new compat/AgentExecutor': create(compat.AgentExecutor, [{ config, context }]),
    ...on(new compat.AgentExecutor({ config, context }), 'compat/AgentExecutor', {
      run: [{ ...hookCall, definition: { type: 'agent', prompt: 'x' } }],
    }),
    'new compat/PromptExecutor': create(compat.PromptExecutor, [{}], 0),
    ...on(new compat.PromptExecutor(), 'compat/PromptExecutor', { run: [hookCall] }),
    'compat/runHooks': fn((request: unknown) => compat.runHooks({}, request as never), [{ event: 'Stop' }]),
    'compat/createSubagentSession': fn(compat.createSubagentSession, [{ definition, config, context }]),
    'compat/completeCommand': fn(compat.completeCommand, [interactive, '/he', signal], 2),
    'compat/buildSystemPrompt': fn(compat.buildSystemPrompt, [{ context, tools: [], cwd: folder }]),
    'compat/createInteractiveSession': fn(
      async (options: unknown) =>
        options !== undefined && (await compat.createInteractiveSession(options as never)).shutdown(),
      [{ cwd: folder, host, store: 'none' }],
      0,
    ),
    'new compat/InteractiveSession': create(compat.InteractiveSession, [undefined]),
    ...on(interactive, 'compat/InteractiveSession', {
      redact: ['x'],
      setModel: ['x'],
      moveTo: [null, {}],
      useModel: ['x'],
      subscribe: [() => {}, {}],
      publish: [{ type: 'none' }],
      submit: ['x', {}],
      executeCommand: ['none', '', {}],
      nearCommands: ['x'],
      findCommand: ['x'],
      setThinking: ['off'],
      applySettings: [{}],
      notify: [noUser],
      steer: [text],
      followUp: [text],
      getBackgroundTask: ['x'],
      cancelBackgroundTask: ['x', 'y'],
      closeBackgroundTask: ['x'],
      readBackgroundTaskLog: ['x', {}],
      createBackgroundJobGroup: [{ waitPolicy: 'all', taskIds: [] }],
      getBackgroundJobGroup: ['x'],
      waitBackgroundJobGroup: ['x', signal],
      spawnAgentJob: [{ prompt: 'x', agentType: 'none' }],
      cancelAgentJob: ['x', 'y'],
      closeAgentJob: ['x'],
    }),
    ...on(
      interactive,
      'compat/InteractiveSession',
      {
        on: ['text_delta', () => {}],
        off: ['text_delta', () => {}],
        sendBackgroundTask: ['x', { prompt: 'y' }],
        sendAgentJob: ['x', 'y'],
      },
      2,
    ),
    ...on(
      interactive,
      'compat/InteractiveSession',
      { abort: [{}], compact: ['x'], listBackgroundTasks: [{}], listAgentJobs: [{}], listenerCount: [] },
      0,
    ),
    'compat/assembleSubagentPrompt': fn(compat.assembleSubagentPrompt, [
      { agentBody: 'x', context, cwd: folder },
    ]),
    'compat/createSubagentLogger': fn(compat.createSubagentLogger, ['x', 'y', logs]),
    'compat/runSubagent': fn(compat.runSubagent, [undefined]),

    'testing/call': fn(testing.call, ['x', {}], 1),
    'testing/checkProvider': fn(testing.checkProvider, [model, {}], 1),
    'testing/modelServer': fn(
      async (script: unknown) => (await testing.modelServer(script as never))[Symbol.asyncDispose](),
      [[]],
    ),
    'testing/runTool': fn(testing.runTool, [root.tool(wholeTool), {}, {}], 1),
    'testing/scriptedModel': fn(testing.scriptedModel, [[]]),
    'testing/temporaryProject': fn(
      async (given?: unknown) => (await testing.temporaryProject(given as never))[Symbol.asyncDispose](),
      [{}],
      0,
    ),
    'headless/createHeadlessRunner': fn(headless.createHeadlessRunner, [{ session }]),
    'headless/createHeadlessTransport': fn(headless.createHeadlessTransport, [{ prompt: 'x' }]),
  };
}

/** Values that a program may pass by mistake, or on purpose. Created for each call: some can be used only once. */
const badValues = (): Record<string, unknown> => {
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const throwing = () => {
    throw new TypeError('hostile');
  };
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  return {
    undefined: undefined,
    null: null,
    number: 5,
    'not a number': Number.NaN,
    bigint: 5n,
    flag: true,
    symbol: Symbol('x'),
    'empty text': '',
    'text with NUL': 'a\0b',
    list: [],
    'list of nothing': [undefined],
    'list of lists': [[]],
    object: {},
    'bare object': Object.create(null),
    cyclic,
    function: () => {},
    'throwing getters': {
      get cwd() {
        return throwing();
      },
      get name() {
        return throwing();
      },
      get type() {
        return throwing();
      },
    },
    'throwing proxy': new Proxy(
      {},
      { get: throwing, has: throwing, ownKeys: throwing, getPrototypeOf: throwing },
    ),
    'revoked proxy': revoked.proxy,
  };
};

/** Arguments that are whatever a model could have written. */
const takesAnything: ReadonlySet<string> = new Set(['testing/call 2', 'testing/runTool 2']);

/** Calls it, and waits for what it returns; the error if there is one. */
async function errorOf(call: () => unknown): Promise<unknown> {
  try {
    const returned = await call();
    if (typeof returned === 'object' && returned !== null && Symbol.asyncIterator in returned)
      await (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]().next();
    return undefined;
  } catch (thrown) {
    return thrown ?? 'nothing was thrown';
  }
}

/** Such as a missing file: nothing is wrong with the argument. */
const isAboutFiles = (thrown: unknown) => thrown instanceof Error && 'errno' in thrown;

const described = (thrown: unknown) =>
  thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);

describe('wrong arguments at the public names', () => {
  it('has a case for every name that can be called', () => {
    const names = callables().filter((name) => !exempt.has(name));
    expect(names.filter((name) => !cases.has(name))).toEqual([]);
    expect([...cases.keys()].filter((name) => !names.includes(name))).toEqual([]);
  });

  it('are an AgentError, never an error of JavaScript', async () => {
    const wrong: string[] = [];
    for (const [name, { call, good }] of cases)
      for (const index of good.keys())
        for (const [kind, value] of Object.entries(badValues())) {
          const args = good.with(index, value);
          const thrown = await errorOf(() => call(...args));
          if (thrown !== undefined && !root.AgentError.is(thrown) && !isAboutFiles(thrown))
            wrong.push(`${name}, argument ${index + 1}, ${kind}: ${described(thrown)}`);
        }
    expect(wrong).toEqual([]);
  });

  it('are errors of the kind usage where something is missing or a symbol', async () => {
    const wrong: string[] = [];
    for (const [name, { call, good, required }] of cases)
      for (let index = 0; index < good.length; index++) {
        if (takesAnything.has(`${name} ${index + 1}`)) continue;
        const missing = index < required ? [['missing', good.slice(0, index)] as const] : [];
        for (const [kind, args] of [...missing, ['a symbol', good.with(index, Symbol('x'))] as const]) {
          const thrown = await errorOf(() => call(...args));
          if (!root.AgentError.is(thrown) || thrown.kind !== 'usage')
            wrong.push(`${name}, argument ${index + 1}, ${kind}: ${described(thrown)}`);
        }
      }
    expect(wrong).toEqual([]);
  });

  it('are named with the call and the argument', async () => {
    const store = new root.SessionStore({ home: folder });
    const draft = { cwd: folder, messages: [{ role: 'user', content: [{ type: 'text', text: 'hi' }] }] };
    await expect(store.save(draft as never)).rejects.toThrow(
      'SessionStore.save: record.messages[0].id: expected a string, got nothing.',
    );
    await expect(compat.bashTool.execute({ command: 5 } as never)).rejects.toThrow('Bash.execute: command');
    const client = new compat.MarketplaceClient({ cwd: folder, host });
    await expect(client.search('nope' as never)).rejects.toThrow(
      'MarketplaceClient.search: search: expected an object, got a string.',
    );
    await writeFile(join(folder, randomUUID()), '');
  });
});
