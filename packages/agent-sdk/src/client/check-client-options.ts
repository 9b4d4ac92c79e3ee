import { schemaProblem } from '@robota-sdk/agent-core';
import {
  amount,
  type Check,
  type Checks,
  callback,
  checkFields,
  count,
  flag,
  interactiveChecks,
  isObject,
  listOf,
  must,
  object,
  oneOf,
  sessionChecks,
  shape,
  text,
  texts,
} from '../assembly/check-options.ts';
import type { ClientOptions, QueryOptions, RunLimits, SessionOptions, TurnOptions } from './options.ts';
import { schemaOf } from './tool.ts';

/** Refuses options that do not exist, naming the nearest that does, and values that cannot be used. */
export function checkClientOptions(entry: keyof typeof entries, options: object): void {
  checkFields(entry, options, entries[entry]());
}

const entries = {
  Robota: () => clientChecks,
  createSession: () => sessionOptionChecks,
  run: () => turnChecks,
  query: () => queryChecks,
};

/** Either check is enough; what is wrong is told by the second. */
function or(first: Check, second: Check): Check {
  return (value) => (first(value) === undefined ? undefined : second(value));
}

function provider(item: unknown, place = 'it'): string | undefined {
  return isObject(item) && 'provider' in item ? undefined : `${place} must be made by defineProvider`;
}

function tool(item: unknown, place: string): string | undefined {
  const isTool = isObject(item) && 'execute' in item && 'input' in item && 'name' in item;
  return isTool ? undefined : `${place} must be a tool, such as tool({ … }) makes`;
}

function schema(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be a schema of zod or jsonSchema';
  const problem = schemaProblem(schemaOf(value as Parameters<typeof schemaOf>[0]).json);
  return problem === undefined ? undefined : `cannot be used: ${problem}`;
}

const sessionChoice = or(
  oneOf(['memory', 'new', 'latest']),
  must('"memory", "new", "latest", { resume }, { id } or { file }', (value) => {
    const { resume, id, file } = (isObject(value) ? value : {}) as Readonly<Record<string, unknown>>;
    return [resume, id, file].filter((each) => typeof each === 'string').length === 1;
  }),
);

const limitChecks: Checks<RunLimits> = { maxTurns: count, maxCost: amount, maxTimeMs: amount };

const clientChecks: Checks<ClientOptions> = {
  home: text,
  env: object,
  connections: object,
  allowInsecureHttp: flag,
  idleTimeoutMs: sessionChecks.idleTimeoutMs,
  providers: listOf(provider),
  retry: sessionChecks.retry,
  store: object,
  logger: object,
  dailyBudget: amount,
};

const sessionOptionChecks: Checks<SessionOptions> = {
  ...limitChecks,
  cwd: text,
  additionalDirectories: texts,
  session: sessionChoice,
  model: or(text, provider),
  fallbackModels: texts,
  thinking: sessionChecks.thinking,
  permissionMode: sessionChecks.permissionMode,
  permissions: sessionChecks.rules,
  authorize: callback,
  questions: or(callback, oneOf(['deny', 'wait'])),
  sandbox: sessionChecks.sandbox,
  trustProject: flag,
  tools: listOf(tool),
  builtInTools: or(flag, texts),
  excludeTools: texts,
  hooks: object,
  agents: sessionChecks.agents,
  mcpServers: mcpServers,
  extensions: sessionChecks.extensions,
  plugins: texts,
  systemPrompt: or(text, shape({ append: text })),
  settings: object,
  sources: or(
    oneOf(['all', 'none']),
    shape({ settings: flag, instructions: flag, extensions: flag, skills: or(flag, texts), mcp: flag }),
  ),
  budget: amount,
  cassette: shape({ file: text, mode: oneOf(['record', 'replay', 'auto']) }),
  editor: object,
};

const turnChecks: Checks<TurnOptions> = {
  ...limitChecks,
  signal: must('an AbortSignal', (value) => value instanceof AbortSignal),
  output: schema,
};

const queryChecks: Checks<QueryOptions> = {
  ...sessionOptionChecks,
  ...turnChecks,
  onTextDelta: callback,
  onCompact: callback,
  onServerToolUse: callback,
};

/** Servers of the program have tools or an instance; the others a command or a URL. */
function mcpServers(value: unknown): string | undefined {
  if (!isObject(value)) return interactiveChecks.mcpServers(value);
  const others = Object.entries(value).filter(
    ([, server]) => !isObject(server) || !('tools' in server || 'instance' in server),
  );
  return interactiveChecks.mcpServers(Object.fromEntries(others));
}
