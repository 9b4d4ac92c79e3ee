import { existsSync } from 'node:fs';
import {
  AgentError,
  type Config,
  childEnvironment,
  errorReport,
  findLocalServers,
  findProgram,
  freePort,
  type LocalServer,
  loadConfig,
  planServer,
  processHost,
  type ServerPlan,
  startLocalServer,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes, plainText, truncateText } from '@robota-sdk/agent-tui';
import { parseArguments } from '../arguments/args.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';

/** Runs a session with words of the command line. */
type StartSession = (words: readonly string[]) => Promise<number>;

/**
 * Runs `robota local [MODEL]`: a session with a model on this machine. A server that runs already is used; otherwise the
 * one that is installed is started, and stopped with the session.
 */
export async function localCommand(words: readonly string[], startSession: StartSession): Promise<number> {
  const [first = ''] = words;
  const named = first === '' || first.startsWith('-') ? undefined : first;
  const rest = named === undefined ? words : words.slice(1);
  checkOptions(rest);
  const config = await loadConfig(process.cwd(), { host: await processHost() });
  const wanted = named ?? localModelOf(config);
  const running = await runningModel(wanted, config);
  if (running !== undefined) return startSession(['--model', running, ...rest]);
  const { plan, file } = await planFor(wanted, config);
  process.stderr.write(`Starting ${[plan.program, ...plan.words].join(' ')}\n`);
  const progress = progressLine(process.stderr);
  const env = childEnvironment(config);
  const server = await startLocalServer(plan, { file, env, onLine: progress.show }).finally(progress.clear);
  try {
    Object.assign(process.env, plan.sessionEnv);
    const model = plan.model === 'ollama/' ? await onlyModelOfOllama(config) : plan.model;
    return await startSession(['--model', model, ...rest]);
  } finally {
    const failure = await server.stop();
    if (failure) await terminalOutput(process.stderr).say(`robota: ${errorReport(failure)}`);
  }
}

/** Shows the last line that a starting server printed, in one row of a terminal: a download takes minutes. */
function progressLine(stream: NodeJS.WriteStream): { show(line: string): void; clear(): void } {
  const replace = (text: string) => {
    if (stream.isTTY) stream.write(`\r\x1b[K${text}`);
  };
  return {
    show: (line) => replace(truncateText(plainText(filterEscapes(line.trim())), (stream.columns || 80) - 1)),
    clear: () => replace(''),
  };
}

/** Finds mistakes in the options of the session now: a server may take minutes to load its model. */
function checkOptions(words: readonly string[]): void {
  const args = parseArguments(words);
  const model = args.value('model');
  if (model === undefined) return;
  throw new AgentError('usage', '--model has no effect on robota local.', {
    hint: `Use: robota local ${model}`,
  });
}

/** The model of the settings, if it is one of this machine. */
function localModelOf({ settings: { model } }: Config): string | undefined {
  return model !== undefined && /^(?:ollama|llama\.cpp)\//.test(model) ? model : undefined;
}

/** The model on a server that runs already: the wanted one, or the only one. A file is served by a server of its own. */
async function runningModel(wanted: string | undefined, config: Config): Promise<string | undefined> {
  if (wanted !== undefined && isFile(wanted)) return undefined;
  const servers = await findLocalServers(config);
  if (wanted === undefined) return onlyModel(servers);
  const server = servers.find((each) => hasModel(each, wanted));
  const ollama = servers.find(({ vendor }) => vendor.id === 'ollama');
  if (!server && ollama && !isForLlama(wanted)) throw missingModel(idOf(wanted), ollama);
  return server && `${server.vendor.id}/${idOf(wanted)}`;
}

/** A second Ollama would have no other models than the one that runs. */
function missingModel(model: string, { models }: LocalServer): AgentError {
  const known = models.length === 0 ? '' : ` It has: ${models.join(', ')}.`;
  return new AgentError('usage', `Ollama is running, but has no model ${model}.${known}`, {
    hint: `Get it: ollama pull ${model}`,
  });
}

function hasModel({ vendor, models }: LocalServer, wanted: string): boolean {
  const isNamed = !wanted.includes('/') || wanted.startsWith(`${vendor.id}/`);
  return isNamed && models.some((model) => model === idOf(wanted) || model === `${idOf(wanted)}:latest`);
}

function idOf(name: string): string {
  return name.replace(/^(?:ollama|llama\.cpp|lmstudio)\//, '');
}

function isFile(name: string): boolean {
  return name.toLowerCase().endsWith('.gguf');
}

/** Files and repositories of Hugging Face are for llama.cpp; names are Ollama's. */
function isForLlama(name: string): boolean {
  return isFile(name) || /^(?:llama\.cpp\/|(?!ollama\/)[^/]+\/)/.test(name);
}

interface PlannedServer {
  readonly plan: ServerPlan;
  /** The file of its program. */
  readonly file: string;
}

async function planFor(wanted: string | undefined, { settings, host }: Config): Promise<PlannedServer> {
  const model = wanted === undefined ? '' : idOf(wanted);
  if (isFile(model) && !existsSync(model)) throw new AgentError('usage', `File not found: ${model}.`);
  const { program, file } = programFor(wanted, host.env);
  const { contextWindow: window, keepAlive } = settings.local;
  return { file, plan: planServer({ program, model, port: await freePort(), window, keepAlive }) };
}

function programFor(
  wanted: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): { readonly program: ServerPlan['program']; readonly file: string } {
  const isLlama = wanted !== undefined && isForLlama(wanted);
  const program = isLlama ? 'llama-server' : 'ollama';
  const file = findProgram(program, { env });
  if (file !== undefined) return { program, file };
  const other = isLlama ? '' : ' For a GGUF file, llama-server of llama.cpp is enough.';
  throw new AgentError('config', `${program} is not installed, or not in PATH.${other}`, {
    hint: isLlama ? 'Get it from https://github.com/ggml-org/llama.cpp.' : 'Get it from https://ollama.com.',
  });
}

/** Without a name, the only model there is. */
function onlyModel(servers: readonly LocalServer[]): string | undefined {
  const names = servers.flatMap(({ vendor, models }) => models.map((model) => `${vendor.id}/${model}`));
  if (names.length < 2) return names[0];
  throw new AgentError('usage', `Several models are available: ${names.join(', ')}.`, {
    hint: 'Name one: robota local MODEL',
  });
}

async function onlyModelOfOllama(config: Config): Promise<string> {
  const host = { ...config.host, env: { ...config.host.env, OLLAMA_HOST: process.env.OLLAMA_HOST } };
  const servers = await findLocalServers({ ...config, host });
  const only = onlyModel(servers.filter(({ vendor }) => vendor.id === 'ollama'));
  if (only !== undefined) return only;
  throw new AgentError('usage', 'Ollama has no model yet.', { hint: 'Get one: ollama pull qwen3:8b' });
}
