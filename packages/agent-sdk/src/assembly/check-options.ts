import {
  hostShape,
  type OptionScope,
  optionRows,
  type SettingOptions,
  settingOwners,
  valueAt,
} from '@robota-sdk/agent-config';
import {
  AgentError,
  type AnyShape,
  anyValue,
  callback,
  count,
  describeMismatch,
  either,
  endSentence,
  fieldOf,
  flag,
  having,
  instance,
  isJsonObject,
  lazy,
  list,
  nonEmptyText,
  numberWithin,
  object,
  objectInstance,
  permissionModes,
  Report,
  record,
  type ShapeProblem,
  summarizeProblem,
  text,
  thinkingLevels,
  words,
} from '@robota-sdk/agent-core';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { InteractiveSessionOptions } from '../session/create-interactive-session.ts';

/** Refuses options that do not exist, naming the nearest that does, and values that cannot be used. */
export function checkOptions(entry: string, options: unknown, shape: AnyShape): void {
  const report = new Report();
  try {
    shape.parse(options, report);
    void { ...Object(options) };
  } catch (cause) {
    throw new AgentError('usage', `${entry}: the options cannot be read.`, { cause });
  }
  const [problem] = report.problems;
  if (problem) throw new AgentError('usage', `${entry}: ${sentenceOf(problem, options)}`);
}

function sentenceOf(problem: ShapeProblem, options: unknown): string {
  const { message, ...rest } = describeMismatch(problem, { noun: 'option' });
  if (problem.path.length === 0) return 'the options must be an object.';
  const value = isJsonObject(options) ? valueAt(options, problem.path) : undefined;
  const isList = problem.kind === 'unfit' && problem.expected === 'a list';
  // A single text would be read letter by letter.
  const advice = isList && typeof value === 'string' ? `Write [${JSON.stringify(value)}].` : undefined;
  const known = problem.kind === 'unknown' ? `The options are ${problem.known.join(', ')}.` : undefined;
  return endSentence(summarizeProblem({ ...rest, message, hint: rest.hint ?? advice ?? known }));
}

/** Shapes of the options that are settings too, as the option table has them. */
export function settingShapes(...scopes: readonly OptionScope[]): Readonly<Record<string, AnyShape>> {
  const rows = optionRows.filter(([, { scope }]) => scope !== undefined && scopes.includes(scope));
  return Object.fromEntries(rows.map(([name, { shape }]) => [name, shape]));
}

/** One shape for each option that is not a setting, so that the compiler reports a missing one. */
export type Shapes<T> = { readonly [K in Exclude<keyof T, keyof SettingOptions>]-?: AnyShape };

export const textList = list(text);
/** US dollars or milliseconds. */
export const positive = numberWithin({ exclusiveMinimum: 0 });

export const rules = object({}, { allow: textList, ask: textList, deny: textList });

export const sandboxOption = object(
  {},
  { mode: words('off', 'auto', 'required'), writable: textList, readable: textList, hosts: textList },
);

export const agents = list(
  object(
    { name: nonEmptyText, description: nonEmptyText, systemPrompt: nonEmptyText },
    {
      model: text,
      maxTurns: count,
      tools: textList,
      disallowedTools: textList,
      permissionMode: words(...permissionModes),
      effort: words(...thinkingLevels),
      isolation: words('worktree'),
      background: flag,
      omitInstructions: flag,
      skills: textList,
      hooks: instance('hooks of an agent file', Array.isArray),
      source: text,
    },
  ),
);

export const extensions = list(
  instance(
    'an extension: { name, setup(host) }',
    (value): value is object =>
      typeof fieldOf(value, 'name') === 'string' && typeof fieldOf(value, 'setup') === 'function',
  ),
);

/** True if a server can be started or reached. */
export function isServer(value: unknown): value is object {
  const isProgram = fieldOf(value, 'type') === 'sdk';
  return isProgram || ['command', 'url'].some((name) => typeof fieldOf(value, name) === 'string');
}

/** The parts of a loaded configuration that a session cannot begin without. */
const loadedConfig = having({
  settings: having({
    permissions: having({ allow: list(anyValue), ask: list(anyValue), deny: list(anyValue) }),
    budget: objectInstance,
  }),
  host: having({ home: text, env: objectInstance }),
  catalogue: having({ vendors: list(objectInstance), models: list(objectInstance) }),
  profiles: list(objectInstance),
  storedKeys: objectInstance,
  sources: list(text),
  problems: list(anyValue),
});

const sessionFields = (): Shapes<CreateSessionOptions> => ({
  config: loadedConfig,
  context: having({ instructions: list(anyValue) }),
  reloadContext: callback,
  projectInfo: objectInstance,
  terminal: having({ ask: callback, notify: callback }),
  authorize: callback,
  editor: objectInstance,
  cwd: text,
  project: text,
  rules,
  ignoreAllowRules: flag,
  sandbox: sandboxOption,
  model: text,
  apiKey: text,
  baseUrl: text,
  isProgram: flag,
  maxCost: positive,
  waitsForLimits: flag,
  systemPrompt: text,
  appendSystemPrompt: text,
  planInstructions: text,
  movesEnvironment: flag,
  mayBypass: flag,
  dontAsk: flag,
  tools: object({}, { only: textList, exclude: textList, aliases: objectInstance, none: flag }),
  builtInTools: flag,
  questionPreviews: words('markdown', 'html'),
  agents,
  extensions,
  hookExecutors: objectInstance,
  handle: objectInstance,
  logger: objectInstance,
  recovery: having({ beforeExecute: callback, resolvePending: callback }),
  tap: objectInstance,
  live: objectInstance,
  onCompact: callback,
});

const interactiveFields = (): Shapes<InteractiveSessionOptions> => {
  const { config, live, ...shared } = sessionFields();
  return {
    ...shared,
    host: hostShape,
    store: either(
      words('new', 'none', 'latest'),
      instance('{ open: ID } or { path: FILE }', (value): value is object =>
        ['open', 'path'].some((name) => typeof fieldOf(value, name) === 'string'),
      ),
    ),
    sessions: callback,
    fork: flag,
    keep: flag,
    keepUnused: flag,
    hiddenCommands: textList,
    contextFiles: flag,
    extensionFiles: flag,
    builtInCommands: flag,
    skills: either(flag, textList),
    settings: list(objectInstance),
    settingSources: list(words(...settingOwners)),
    settingFiles: flag,
    debugFile: text,
    sessionId: text,
    name: text,
    agent: text,
    pluginDirectories: textList,
    programServers: callback,
    elicit: callback,
    mcpServers: record(instance('a server with a "command" or a "url"', isServer)),
    strictMcpConfig: flag,
    trustProject: flag,
    trust: objectInstance,
    onConfig: callback,
    withModels: callback,
    record: text,
    replay: text,
  };
};

const settingFields = () => settingShapes('client', 'session', 'turn');

/** Options of `createSession`. */
export const sessionShape = lazy(() => object({}, { ...settingFields(), ...sessionFields() }));

/** Options of `createInteractiveSession`. */
export const interactiveShape = lazy(() => object({}, { ...settingFields(), ...interactiveFields() }));
