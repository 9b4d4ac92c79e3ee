import {
  AgentError,
  type Config,
  findLocalServers,
  type LocalServer,
  loadConfig,
  processHost,
} from '@robota-sdk/agent-sdk/front-end';
import { parseArguments } from '../arguments/args.ts';

/** Runs a session with words of the command line. */
type StartSession = (words: readonly string[]) => Promise<number>;

/** Runs `robota local [MODEL]`: a session with a model of a server that runs on this machine. */
export async function localCommand(words: readonly string[], startSession: StartSession): Promise<number> {
  const [first = ''] = words;
  const named = first === '' || first.startsWith('-') ? undefined : first;
  const rest = named === undefined ? words : words.slice(1);
  const model = parseArguments(rest).value('model');
  if (model !== undefined)
    throw new AgentError('usage', '--model has no effect on robota local.', {
      hint: `Use: robota local ${model}`,
    });
  const config = await loadConfig(process.cwd(), { host: await processHost() });
  const found = chooseModel(named ?? localModelOf(config), await findLocalServers(config));
  return startSession(['--model', found, ...rest]);
}

/** The model of the settings, if it is one of this machine. */
function localModelOf({ settings: { model } }: Config): string | undefined {
  return model !== undefined && /^(?:ollama|llama\.cpp|lmstudio)\//.test(model) ? model : undefined;
}

/** The wanted model, or the only one that the servers have. */
function chooseModel(wanted: string | undefined, servers: readonly LocalServer[]): string {
  const names = servers.flatMap(({ vendor, models }) => models.map((model) => `${vendor.id}/${model}`));
  const [only] = names;
  const isWanted = (name: string) => {
    const id = name.slice(name.indexOf('/') + 1);
    return [name, id].some((known) => known === wanted || known === `${wanted}:latest`);
  };
  const found = wanted === undefined ? (names.length === 1 ? only : undefined) : names.find(isWanted);
  if (found !== undefined) return found;
  if (wanted === undefined && only !== undefined)
    throw new AgentError('usage', `Several models are available: ${names.join(', ')}.`, {
      hint: 'Name one: robota local MODEL',
    });
  if (servers.length === 0)
    throw new AgentError('config', 'No model server is running on this machine.', {
      hint: 'Start one: ollama serve, or llama-server -m FILE.gguf -c 32768 --jinja',
    });
  const known = only === undefined ? '' : ` There is: ${names.join(', ')}.`;
  const missing = wanted === undefined ? 'a model yet' : `the model ${wanted}`;
  throw new AgentError('usage', `No running server has ${missing}.${known}`, {
    hint: `Get it: ollama pull ${wanted ?? 'qwen3:8b'}`,
  });
}
