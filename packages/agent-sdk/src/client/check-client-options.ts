import {
  AgentError,
  type AnyShape,
  callback,
  checkArguments,
  either,
  fieldOf,
  flag,
  instance,
  list,
  object,
  objectInstance,
  type Report,
  record,
  schemaProblem,
  text,
  words,
} from '@robota-sdk/agent-core';
import {
  agents,
  checkOptions,
  extensions,
  isServer,
  positive,
  rules,
  type Shapes,
  sandboxOption,
  settingShapes,
  textList,
} from '../assembly/check-options.ts';
import type { ClientOptions, QueryOptions, RunLimits, SessionOptions, TurnOptions } from './options.ts';
import { schemaOf } from './tool.ts';

/** Checks the options of the client, a session, a run or a query. */
export function checkClientOptions(entry: keyof typeof shapes, options: object): void {
  checkArguments(entry, { options: [options, objectInstance] });
  for (const key of Object.keys(options)) {
    const owner = owners.find((each) => shapes[each].keys?.includes(key));
    if (owner === undefined || shapes[entry].keys?.includes(key)) continue;
    const usual = owner === 'Robota' ? 'new Robota' : owner;
    throw new AgentError('usage', `${entry}: "${key}" is an option of ${usual}; set it there.`);
  }
  checkOptions(entry, options, shapes[entry]);
}

/** The calls that take options, the longest-lived first. */
const owners = ['Robota', 'createSession', 'run'] as const;

const provider = instance(
  'a provider made by defineProvider',
  (value): value is object => fieldOf(value, 'provider') !== undefined,
);

const tool = instance('a tool, such as tool({ … }) makes', (value): value is object =>
  ['execute', 'input', 'name'].every((name) => fieldOf(value, name) !== undefined),
);

const sessionChoice = either(
  words('memory', 'new', 'latest'),
  instance(
    '{ resume }, { id } or { file }',
    (value): value is object =>
      ['resume', 'id', 'file'].filter((name) => typeof fieldOf(value, name) === 'string').length === 1,
  ),
);

/** A schema of zod or JSON Schema. */
const output: AnyShape = {
  json: {},
  expected: 'a schema of zod or jsonSchema',
  parse(value, report: Report) {
    if (typeof value !== 'object' || value === null) return report.reportUnfit(output.expected, value);
    const problem = schemaProblem(schemaOf(value as Parameters<typeof schemaOf>[0]).json);
    return problem === undefined ? value : report.reportUnfit(`a usable schema (${problem})`, value);
  },
};

const limits: Shapes<RunLimits> = { maxCost: positive, maxTimeMs: positive };

const clientFields: Shapes<ClientOptions> = {
  home: text,
  env: objectInstance,
  connections: objectInstance,
  providers: list(provider),
  store: objectInstance,
  logger: objectInstance,
  dailyBudget: positive,
};

const sessionFields: Shapes<SessionOptions> = {
  ...limits,
  cwd: text,
  session: sessionChoice,
  model: either(text, provider),
  permissions: rules,
  mayBypass: flag,
  authorize: callback,
  questions: either(words('deny', 'wait'), callback),
  sandbox: sandboxOption,
  trustProject: flag,
  tools: list(tool),
  builtInTools: either(flag, textList),
  excludeTools: textList,
  hooks: objectInstance,
  agents,
  mcpServers: record(
    instance(
      'a server with a "command" or a "url", or with tools',
      (value): value is object =>
        isServer(value) || ['tools', 'instance'].some((name) => fieldOf(value, name) !== undefined),
    ),
  ),
  extensions,
  plugins: textList,
  systemPrompt: either(text, object({ append: text })),
  settings: objectInstance,
  sources: either(
    words('all', 'none'),
    object(
      {},
      { settings: flag, instructions: flag, extensions: flag, skills: either(flag, textList), mcp: flag },
    ),
  ),
  budget: positive,
  cassette: object({ file: text, mode: words('record', 'replay', 'auto') }),
  editor: objectInstance,
};

const turnFields: Shapes<TurnOptions> = {
  ...limits,
  signal: instance('an AbortSignal', (value): value is AbortSignal => value instanceof AbortSignal),
  output,
};

const queryFields: Shapes<QueryOptions> = {
  ...sessionFields,
  ...turnFields,
  onTextDelta: callback,
  onCompact: callback,
  onServerToolUse: callback,
};

const shapes = {
  Robota: object({}, { ...settingShapes('client'), ...clientFields }),
  createSession: object({}, { ...settingShapes('session', 'turn'), ...sessionFields }),
  run: object({}, { ...settingShapes('turn'), ...turnFields }),
  query: object({}, { ...settingShapes('session', 'turn'), ...queryFields }),
};
