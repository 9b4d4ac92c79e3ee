import {
  type Config,
  editSetting,
  expectedLanguage,
  findLocalServers,
  isLanguage,
  keyOrigins,
  type LocalServer,
  storeKey,
  type UserInterface,
  type Vendor,
} from '@robota-sdk/agent-sdk/front-end';
import { askKey } from '../login/ask-key.ts';
import { chooseVendor } from '../login/choose-vendor.ts';

/** The model that the user chose. */
export interface FirstSetup {
  readonly model: string;
}

interface Way {
  readonly label: string;
  readonly description?: string;
  /** The resulting model; undefined if the user went back. */
  take(): Promise<string | undefined>;
}

/**
 * Asks the user for a model: a key, a local server, or the offline model. Where no model is configured, it also asks for
 * the language and writes both to the user's settings. A configured model stays as it is: the choice is for this session.
 * Returns nothing if the user cancelled.
 */
export async function firstRun(config: Config, desk: FirstRunContext): Promise<FirstSetup | undefined> {
  const servers = await findLocalServers(config);
  const model = await chooseModel(config, servers, desk);
  if (model === undefined) return undefined;
  if (desk.unusable !== undefined) return { model };
  const known = config.settings.language;
  const language = await askLanguage(desk.ui, { known: known ?? 'en' });
  if (language === undefined) return undefined;
  const place = { cwd: desk.cwd, host: config.host };
  const { file } = await editSetting({ path: ['model'], scope: 'user', action: 'set', text: model }, place);
  if (language !== known)
    await editSetting({ path: ['language'], scope: 'user', action: 'set', text: language }, place);
  const { home } = config.host;
  const shown = file.startsWith(`${home}/`) ? `~${file.slice(home.length)}` : file;
  const text = `Written to ${shown}. Change it with /config, or robota config set.`;
  desk.ui.notify({ level: 'info', text });
  return { model };
}

interface FirstRunContext {
  readonly cwd: string;
  readonly ui: UserInterface;
  /** Runs the tour; absent where there is no screen for it. */
  tour?(): Promise<void>;
  /** The configured model and why it cannot be used. */
  readonly unusable?: string;
}

const firstQuestion = {
  title: 'Welcome to Robota. Which model would you like to use?',
  dismissal: 'quit',
};

/** The question where a configured model cannot be used. */
function otherQuestion(unusable: string) {
  return {
    title: 'Which model would you like to use in this session?',
    detail: `${unusable}\nYour settings stay as they are; a key that you enter is stored.`,
  };
}

/** The vendors that are offered at once. */
const firstVendors: readonly string[] = ['anthropic', 'openai', 'google'];

async function chooseModel(
  config: Config,
  servers: readonly LocalServer[],
  desk: FirstRunContext,
): Promise<string | undefined> {
  const { ui } = desk;
  const ways: readonly Way[] = [
    ...vendorWays(config, ui, 'found'),
    ...servers.map((server) => localWay(server, ui)),
    ...vendorWays(config, ui, 'missing'),
    ...(servers.length > 0 ? [] : [noServerWay(ui)]),
    {
      label: 'Another vendor…',
      description: 'API key for OpenRouter, DeepSeek, Groq, …',
      take: async () => {
        const vendor = await chooseVendor(config, ui);
        return vendor && withKey(vendor, config, ui);
      },
    },
    {
      label: 'Another server…',
      description: 'any OpenAI-compatible URL; http for localhost',
      take: async () => {
        const { setUpServer } = await import('./other-server.ts');
        return setUpServer(config, desk);
      },
    },
    {
      label: 'Offline',
      description: 'no key, not AI: rules that show how Robota works',
      take: async () => 'offline',
    },
    ...(desk.tour ? [tourWay(desk.tour)] : []),
  ];
  for (;;) {
    const answer = await ui.ask({
      kind: 'select',
      ...(desk.unusable === undefined ? firstQuestion : otherQuestion(desk.unusable)),
      trail: 'Model',
      options: ways.map(({ label, description }) => ({
        label,
        ...(description === undefined ? {} : { description }),
      })),
    });
    if (answer.kind !== 'selected') return undefined;
    const model = await ways[answer.indexes[0] ?? -1]?.take();
    if (model !== undefined) return model;
  }
}

/** Keys that were found come before those that must be entered. */
function vendorWays(config: Config, ui: UserInterface, key: 'found' | 'missing'): readonly Way[] {
  return keyOrigins(config)
    .filter(
      ({ vendor, origin }) =>
        firstVendors.includes(vendor.id) && (origin !== undefined) === (key === 'found'),
    )
    .map(({ vendor, origin }) => ({
      label: vendor.name,
      description: origin === undefined ? 'API key' : `${origin} found`,
      take: async () => (origin === undefined ? withKey(vendor, config, ui) : defaultOf(vendor)),
    }));
}

async function withKey(vendor: Vendor, config: Config, ui: UserInterface): Promise<string | undefined> {
  const given = await askKey(vendor, config, ui);
  if (!given) return undefined;
  await storeKey(vendor.id, given.key, config.host);
  return defaultOf(vendor);
}

function defaultOf({ id, defaultModel }: Vendor): string {
  return `${id}/${defaultModel}`;
}

/** More than these are named by their id. */
const maxListed = 20;

function localWay({ vendor, models }: LocalServer, ui: UserInterface): Way {
  const named = models.slice(0, 3).join(', ');
  return {
    label: vendor.name,
    description:
      models.length === 0
        ? 'running here, without a model'
        : `running here: ${named}${models.length > 3 ? ', …' : ''}`,
    take: async () => {
      if (models.length === 0) return void tellEmpty(vendor.name, ui);
      const [only = ''] = models;
      if (models.length === 1) return `${vendor.id}/${only}`;
      const listed = models.slice(0, maxListed);
      const answer = await ui.ask({
        kind: 'select',
        title: `Which model of ${vendor.name}?`,
        trail: `Model of ${vendor.name}`,
        options: listed.map((label) => ({ label })),
        ...(models.length > maxListed ? { words: 'the name of another one' } : {}),
      });
      if (answer.kind !== 'selected') return undefined;
      const id = answer.text ?? listed[answer.indexes[0] ?? -1];
      return id === undefined ? undefined : `${vendor.id}/${id}`;
    },
  };
}

function tellEmpty(name: string, ui: UserInterface): void {
  const text = `${name} has no model yet. Get one, for example: ollama pull qwen3:8b. Then choose again.`;
  ui.notify({ level: 'warning', text });
}

function noServerWay(ui: UserInterface): Way {
  return {
    label: 'A server on this machine',
    description: 'none found: Ollama, LM Studio, llama.cpp',
    take: async () => {
      const places = 'Ollama (port 11434 or OLLAMA_HOST), LM Studio (1234), llama.cpp (9931 or 8080)';
      const text = `No local server found. Start one, then run robota again: ${places}.`;
      return void ui.notify({ level: 'info', text });
    },
  };
}

/** The tour comes back to the question. */
function tourWay(tour: () => Promise<void>): Way {
  return {
    label: 'Take the tour first',
    description: 'two minutes, no key, in a throw-away folder',
    take: async () => void (await tour()),
  };
}

async function askLanguage(
  ui: UserInterface,
  { known, problem }: { readonly known: string; readonly problem?: string },
): Promise<string | undefined> {
  const answer = await ui.ask({
    kind: 'text',
    title: 'Which language should the answers be in?',
    trail: 'Language',
    fallback: known,
    detail: `${problem === undefined ? '' : `${problem} `}en, ko, ja, zh, de, …; Enter alone means ${known}`,
  });
  if (answer.kind !== 'text') return undefined;
  const language = answer.text.trim() || known;
  return isLanguage(language)
    ? language
    : askLanguage(ui, { known, problem: `Expected ${expectedLanguage}.` });
}
