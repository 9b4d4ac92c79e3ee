import { isLanguage, settingOwners } from '@robota-sdk/agent-config';
import { AgentError, endSentence, nearest, permissionModes, thinkingLevels } from '@robota-sdk/agent-core';
import type { CreateSessionOptions } from '../contract/create-session-options.ts';
import type { InteractiveSessionOptions } from '../session/create-interactive-session.ts';

/** The problem of a value, as text that follows the name of its option; undefined if it is valid. */
export type Check = (value: unknown) => string | undefined;

/** Checks the options that a program gives, so that a slip of the pen is told and does not loosen or lose anything. */
export function checkOptions(entry: keyof typeof entries, options: object): void {
  checkFields(entry, options, entries[entry]());
}

/** Checks options by a table of their names. */
export function checkFields(entry: string, options: object, checks: Readonly<Record<string, Check>>): void {
  if (typeof options !== 'object' || options === null)
    throw wrong(`${entry}: the options must be an object.`);
  const problem = fieldProblem(options, checks);
  if (problem !== undefined) throw wrong(endSentence(`${entry}: ${problem}`));
}

const wrong = (message: string) => new AgentError('usage', message);

const entries = {
  createSession: () => sessionChecks,
  createInteractiveSession: () => interactiveChecks,
};

/** The first field that is unknown or can't be used. */
function fieldProblem(fields: object, checks: Readonly<Record<string, Check>>): string | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (!check) return `there is no option "${name}". ${hintFor(name, Object.keys(checks))}`;
    const problem = value === undefined ? undefined : check(value);
    if (problem !== undefined) return `the option "${name}" ${problem}`;
  }
  return undefined;
}

function hintFor(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  return near.length > 0 ? `Did you mean "${near.join('" or "')}"?` : `The options are ${names.join(', ')}.`;
}

function shown(value: unknown): string {
  const text = typeof value === 'function' ? 'a function' : (JSON.stringify(value) ?? String(value));
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}

export function must(what: string, isRight: (value: unknown) => boolean): Check {
  return (value) => (isRight(value) ? undefined : `must be ${what}, not ${shown(value)}`);
}

export const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = must('a text', (value) => typeof value === 'string');
export const flag = must('true or false', (value) => typeof value === 'boolean');
export const count = must('a whole number above 0', (value) => Number.isInteger(value) && Number(value) > 0);
export const amount = must('a number above 0', (value) => typeof value === 'number' && value > 0);
const notNegative = must('a number that is not negative', (value) => typeof value === 'number' && value >= 0);
export const callback = must('a function', (value) => typeof value === 'function');
export const object = must('an object', isObject);
const language = must(
  'a language code such as ko, or the name of a language',
  (value) => typeof value === 'string' && isLanguage(value),
);
export const texts: Check = (value) => listProblem(value, 'texts');
const rules: Check = (value) => listProblem(value, 'rules');

/** A single text would be read letter by letter. */
function listProblem(value: unknown, what: string): string | undefined {
  if (typeof value === 'string') return `must be a list of ${what}; write [${JSON.stringify(value)}]`;
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  return isList ? undefined : `must be a list of ${what}, not ${shown(value)}`;
}

export function oneOf(choices: readonly string[]): Check {
  return (value) => {
    if (typeof value === 'string' && choices.includes(value)) return undefined;
    const [near] = typeof value === 'string' ? nearest(value, choices) : [];
    const hint = near === undefined ? '' : `; did you mean "${near}"?`;
    return `must be one of ${choices.join(', ')}, not ${shown(value)}${hint}`;
  };
}

/** An object of known fields. */
export function shape(checks: Readonly<Record<string, Check>>): Check {
  const names = Object.keys(checks).join(', ');
  return (value) => {
    if (!isObject(value)) return `must be an object with ${names}, not ${shown(value)}`;
    const problem = fieldProblem(value, checks);
    return problem === undefined ? undefined : `cannot be used: ${problem}`;
  };
}

export function listOf(check: (item: unknown, place: string) => string | undefined): Check {
  return (value) => {
    if (!Array.isArray(value)) return `must be a list, not ${shown(value)}`;
    for (const [index, item] of value.entries()) {
      const problem = check(item, `its item ${index + 1}`);
      if (problem !== undefined) return `cannot be used: ${problem}`;
    }
    return undefined;
  };
}

function agentProblem(item: unknown, place: string): string | undefined {
  if (!isObject(item)) return `${place} must be an agent: { name, description, systemPrompt }`;
  const fields = item as Readonly<Record<string, unknown>>;
  const title = typeof fields.name === 'string' && fields.name !== '' ? `the agent "${fields.name}"` : place;
  const missing = ['name', 'description', 'systemPrompt'].find(
    (name) => typeof fields[name] !== 'string' || fields[name] === '',
  );
  if (missing !== undefined) return `${title} has no "${missing}"`;
  const problem = fieldProblem(item, agentChecks);
  return problem === undefined ? undefined : `${title}: ${problem}`;
}

function extensionProblem(item: unknown, place: string): string | undefined {
  const { name, setup } = (item ?? {}) as { readonly name?: unknown; readonly setup?: unknown };
  if (typeof name !== 'string') return `${place} must be an extension: { name, setup(host) }`;
  return typeof setup === 'function' ? undefined : `the extension "${name}" has no function "setup"`;
}

function serversProblem(value: unknown): string | undefined {
  if (!isObject(value)) return `must be an object like { name: { command: "…" } }, not ${shown(value)}`;
  for (const [name, server] of Object.entries(value)) {
    const { command, url } = (isObject(server) ? server : {}) as Readonly<Record<string, unknown>>;
    const isProgram = isObject(server) && 'type' in server && server.type === 'sdk';
    if (!isProgram && typeof command !== 'string' && typeof url !== 'string')
      return `cannot be used: the server "${name}" has neither a "command" nor a "url"`;
  }
  return undefined;
}

function storeProblem(value: unknown): string | undefined {
  if (value === 'new' || value === 'none' || value === 'latest') return undefined;
  const { open, path } = (isObject(value) ? value : {}) as {
    readonly open?: unknown;
    readonly path?: unknown;
  };
  if (typeof open === 'string' || typeof path === 'string') return undefined;
  return `must be "new", "none", "latest", { open: ID } or { path: FILE }, not ${shown(value)}`;
}

function hostProblem(value: unknown): string | undefined {
  const { home, env } = (value ?? {}) as { readonly home?: unknown; readonly env?: unknown };
  return typeof home === 'string' && isObject(env) ? undefined : 'must be { home: DIRECTORY, env: {…} }';
}

function terminalProblem(value: unknown): string | undefined {
  const { ask, notify } = (value ?? {}) as { readonly ask?: unknown; readonly notify?: unknown };
  if (typeof ask === 'function' && typeof notify === 'function') return undefined;
  return 'must have the functions "ask" and "notify"';
}

const agentChecks: Readonly<Record<string, Check>> = {
  name: text,
  description: text,
  systemPrompt: text,
  model: text,
  maxTurns: count,
  tools: texts,
  disallowedTools: texts,
  permissionMode: oneOf(permissionModes),
  isolation: oneOf(['worktree']),
  source: text,
};

/** One check for each option, so that the compiler knows when one is missing. */
export type Checks<T> = { readonly [K in keyof Required<T>]: Check };

export const sessionChecks: Checks<CreateSessionOptions> = {
  config: object,
  context: object,
  reloadContext: callback,
  projectInfo: object,
  terminal: terminalProblem,
  authorize: callback,
  editor: object,
  cwd: text,
  project: text,
  permissionMode: oneOf(permissionModes),
  rules: shape({ allow: rules, ask: rules, deny: rules }),
  additionalDirectories: texts,
  sandbox: shape({
    mode: oneOf(['off', 'auto', 'required']),
    writable: texts,
    readable: texts,
    hosts: texts,
  }),
  model: text,
  fallbackModels: texts,
  apiKey: text,
  baseUrl: text,
  allowInsecureHttp: flag,
  idleTimeoutMs: notNegative,
  thinking: oneOf(thinkingLevels),
  maxTurns: count,
  steeringMode: oneOf(['one-at-a-time', 'all']),
  followUpMode: oneOf(['one-at-a-time', 'all']),
  toolExecution: oneOf(['parallel', 'sequential']),
  maxCost: amount,
  budget: shape({ turn: amount, session: amount, day: amount }),
  retry: shape({
    maxRetries: notNegative,
    baseDelayMs: notNegative,
    maxDelayMs: notNegative,
    maxRetryAfterMs: notNegative,
  }),
  language,
  systemPrompt: text,
  appendSystemPrompt: text,
  tools: shape({ only: texts, exclude: texts, none: flag }),
  builtInTools: flag,
  agents: listOf(agentProblem),
  extensions: listOf(extensionProblem),
  hookExecutors: object,
  handle: object,
  logger: object,
  tap: object,
  live: object,
  onCompact: callback,
};

export const interactiveChecks: Checks<InteractiveSessionOptions> = {
  ...sessionChecks,
  host: hostProblem,
  store: storeProblem,
  fork: flag,
  keep: flag,
  keepUnused: flag,
  hiddenCommands: texts,
  contextFiles: flag,
  extensionFiles: flag,
  builtInCommands: flag,
  skills: (value) => (typeof value === 'boolean' ? undefined : texts(value)),
  settings: listOf((item, place) => (isObject(item) ? undefined : `${place} must be an object`)),
  settingSources: listOf((item, place) =>
    settingOwners.some((owner) => owner === item)
      ? undefined
      : `${place} must be one of ${settingOwners.join(', ')}`,
  ),
  debugFile: text,
  sessionId: text,
  pluginDirectories: texts,
  programServers: callback,
  elicit: callback,
  mcpServers: serversProblem,
  strictMcpConfig: flag,
  trustProject: flag,
  record: text,
  replay: text,
};
