import {
  AgentError,
  type Config,
  didYouMean,
  type KeyOrigin,
  keyOrigins,
  loadConfig,
  readOptions,
  storeKey,
  tryKey,
  type UserInterface,
  type Vendor,
} from '@robota-sdk/agent-sdk/front-end';
import { optionsOf } from '../arguments/row-options.ts';
import { lineInterface, lineReader } from '../ask/line-interface.ts';
import { openLines } from '../ask/open-lines.ts';
import { watchInterrupts } from '../terminal/interrupts.ts';
import { readStdin } from '../terminal/read-stdin.ts';
import { terminalOutput } from '../terminal/terminal-output.ts';
import { askKey, cleanKey } from './ask-key.ts';

/** Runs `robota login …`. */
export async function loginCommand(given: readonly string[]): Promise<number> {
  const options = readOptions(given, optionsOf('login'));
  const config = await loadConfig(process.cwd());
  const [name, ...rest] = options.words;
  // `codex login status`
  if (options.has('list') || name === 'status' || name === 'list')
    return listKeys(keyOrigins(config), { json: options.has('json') });
  if (rest.length > 0)
    throw new AgentError(
      'usage',
      `robota login takes one vendor, not "${options.words.join(' ')}". Put a prompt in quotes.`,
    );
  const vendor = name === undefined ? undefined : vendorNamed(name, config);
  const noCheck = options.has('no-check');
  if (options.has('key-from-stdin')) return fromStdin(vendor, { config, noCheck });
  if (!process.stdin.isTTY || !process.stdout.isTTY)
    throw new AgentError('usage', 'No terminal to ask for a key. Pipe it in: --key-from-stdin.');
  return fromTerminal(vendor, { config, noCheck });
}

/** A vendor that takes keys, by its id. */
export function vendorNamed(name: string, { catalogue }: Pick<Config, 'catalogue'>): Vendor {
  const vendors = catalogue.vendors.filter(({ needsKey }) => needsKey);
  const found = vendors.find(({ id }) => id === name.toLowerCase());
  if (found) return found;
  const ids = vendors.map(({ id }) => id);
  const keyless = catalogue.vendors.find(({ id }) => id === name.toLowerCase());
  if (keyless?.cloud)
    throw new AgentError('usage', `${keyless.name} takes no key: it uses the login of its own tools.`, {
      hint: 'Run gcloud auth application-default login, then robota doctor.',
    });
  if (keyless) throw new AgentError('usage', `${name} runs on this machine and needs no key.`);
  const hint = didYouMean(name, ids) ?? `Available: ${ids.join(', ')}.`;
  throw new AgentError('usage', `Unknown vendor "${name}". ${hint}`);
}

interface LoginContext {
  readonly config: Config;
  readonly noCheck: boolean;
}

async function fromStdin(vendor: Vendor | undefined, { config, noCheck }: LoginContext): Promise<number> {
  if (!vendor) {
    const run = ['login', 'VENDOR', '--key-from-stdin'];
    throw new AgentError('usage', 'Missing vendor.', { hint: { text: 'Name it', run } });
  }
  const key = cleanKey(await readStdin(new AbortController().signal));
  if (key === '') throw new AgentError('usage', 'No key on standard input.');
  if (/\s/.test(key)) throw new AgentError('usage', 'A key is one line without blanks.');
  const trial = noCheck ? undefined : await tryKey({ vendor, key }, config);
  if (trial !== undefined && trial.verdict !== 'accepted') {
    const advice = 'Nothing was saved; --no-check saves it anyway.';
    throw new AgentError('usage', trial.message, { hint: advice });
  }
  return keep(vendor, key, config);
}

async function fromTerminal(given: Vendor | undefined, { config, noCheck }: LoginContext): Promise<number> {
  return withTerminal(async (ui) => {
    const { chooseVendor } = await import('./choose-vendor.ts');
    const vendor = given ?? (await chooseVendor(config, ui));
    if (!vendor) return keepNothing();
    const entered = noCheck ? await askUnchecked(vendor, ui) : (await askKey(vendor, config, ui))?.key;
    return entered === undefined ? keepNothing() : keep(vendor, entered, config);
  });
}

async function askUnchecked(vendor: Vendor, ui: Parameters<typeof askKey>[2]): Promise<string | undefined> {
  const answer = await ui.ask({ kind: 'text', title: `The key for ${vendor.name}`, masked: true });
  const key = answer.kind === 'text' ? cleanKey(answer.text) : '';
  return key === '' ? undefined : key;
}

async function keepNothing(): Promise<number> {
  await terminalOutput(process.stdout).write('No key was saved.\n');
  return 2;
}

async function keep(vendor: Vendor, key: string, { host }: Config): Promise<number> {
  await storeKey(vendor.id, key, host);
  const kept = `The key for ${vendor.name} is saved. Use it: robota --model ${vendor.id}`;
  await terminalOutput(process.stdout).write(`${[kept, ...otherKey(vendor, host)].join('\n')}\n`);
  return 0;
}

/** Asks for a key in a session, as `robota login` does; returns what to tell. */
export async function loginInSession(
  name: string,
  { ui, cwd }: { readonly ui: UserInterface; readonly cwd: string },
): Promise<string> {
  const config = await loadConfig(cwd);
  const { chooseVendor } = await import('./choose-vendor.ts');
  const vendor = name === '' ? await chooseVendor(config, ui) : vendorNamed(name, config);
  const entered = vendor && (await askKey(vendor, config, ui));
  if (!entered) return 'No key was saved.';
  await storeKey(vendor.id, entered.key, config.host);
  const other = otherKey(vendor, config.host);
  const use = other.length === 0 ? ' and used from the next request on' : '';
  return [`The key for ${vendor.name} is saved${use}.`, ...other].join('\n');
}

/** A variable that comes before the stored key. */
function otherKey({ keyVariables }: Vendor, { env }: Config['host']): readonly string[] {
  const variable = keyVariables.find((name) => env[name]);
  return variable === undefined
    ? []
    : [`${variable} is set as well and comes first; unset it to use this key.`];
}

/** Lets a subcommand ask at the terminal; Ctrl+C cancels. */
async function withTerminal<T>(work: (ui: UserInterface) => Promise<T>): Promise<T> {
  const interrupts = watchInterrupts();
  const { editor, input } = openLines({ interrupts, historySize: 0 });
  interrupts.signal.addEventListener('abort', () => editor.close());
  try {
    return await work(
      lineInterface(lineReader(editor, { onStray: () => true, input }), terminalOutput(process.stdout)),
    );
  } finally {
    editor.close();
    interrupts.stop();
  }
}

/** Prints where the key of each vendor comes from; never a key. */
async function listKeys(
  origins: readonly KeyOrigin[],
  { json }: { readonly json: boolean },
): Promise<number> {
  const rows = origins.map(({ vendor: { id, name }, origin, hidden }) => ({
    vendor: id,
    name,
    key: origin ?? null,
    hidden: [...hidden],
  }));
  const width = Math.max(...rows.map(({ vendor }) => vendor.length));
  const lines = rows.map(({ vendor, key, hidden }) => {
    const more = hidden.length === 0 ? '' : ` (hides ${hidden.join(', ')})`;
    return `${vendor.padEnd(width)}  ${key ?? 'no key'}${more}`;
  });
  const output = terminalOutput(process.stdout);
  await output.write(json ? `${JSON.stringify(rows)}\n` : output.clean(`${lines.join('\n')}\n`));
  return 0;
}
