import {
  type Config,
  editSetting,
  expectedLanguage,
  findLocalServers,
  isLanguage,
  keyOrigins,
  type LocalServer,
  storeKey,
  tildePath,
  type UserInterface,
  type Vendor,
} from '@robota-sdk/agent-sdk/front-end';
import { programName } from '../arguments/program-name.ts';
import { askKey } from '../login/ask-key.ts';
import { chooseVendor } from '../login/choose-vendor.ts';

/** The model that the user chose. */
export interface FirstSetup {
  readonly model: string;
}

interface Way {
  readonly label: string;
  readonly description?: string;
  /** The line that echoes this answer; empty where a later one does. */
  readonly done?: string;
  /** The resulting model; undefined if the user went back. */
  take(): Promise<string | undefined>;
}

/**
 * Asks the user for a model: a key, a local server, or the offline model; and for the language of answers, if the user wants
 * one. Where no model is configured, both are written to the user's settings. A configured model stays as it is: the choice
 * is for this session.
 * Returns nothing if the user cancelled.
 */
export async function firstRun(config: Config, services: FirstRunContext): Promise<FirstSetup | undefined> {
  const servers = await findLocalServers(config);
  const known = config.settings.language;
  const wanted = { language: known };
  const model = await chooseModel(config, servers, { ...services, wanted });
  if (model === undefined) return undefined;
  if (services.unusable !== undefined) return { model };
  const { language } = wanted;
  const place = { cwd: services.cwd, host: config.host };
  const { file } = await editSetting({ path: ['model'], scope: 'user', action: 'set', text: model }, place);
  if (language !== undefined && language !== known)
    await editSetting({ path: ['language'], scope: 'user', action: 'set', text: language }, place);
  const { home } = config.host;
  const text = `Written to ${tildePath(file, home)}. Change it with /config, or ${programName()} config set.`;
  services.ui.notify({ level: 'info', text });
  return { model };
}

/** The language of answers that the user chose. */
interface WantedLanguage {
  language: string | undefined;
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
  services: FirstRunContext & { readonly wanted: WantedLanguage },
): Promise<string | undefined> {
  const { ui } = services;
  const ways = (): readonly Way[] => [
    ...vendorWays(config, ui, 'found'),
    ...servers.map((server) => localWay(server, ui)),
    ...vendorWays(config, ui, 'missing'),
    ...(servers.length > 0 ? [] : [noServerWay(ui)]),
    {
      label: 'Another vendor…',
      done: '',
      description: 'API key for OpenRouter, DeepSeek, Groq, …',
      take: async () => {
        const vendor = await chooseVendor(config, ui);
        return vendor && withKey(vendor, config, ui);
      },
    },
    {
      label: 'Another server…',
      done: '',
      description: 'any OpenAI-compatible URL; http for localhost',
      take: async () => {
        const { setUpServer } = await import('./other-server.ts');
        return setUpServer(config, services);
      },
    },
    {
      label: 'Offline',
      description: 'no key, not AI: rules that show how Robota works',
      done: 'Offline · no key, not AI',
      take: async () => 'offline',
    },
    ...(services.tour ? [tourWay(services.tour)] : []),
    ...(services.unusable === undefined ? [languageWay(ui, services.wanted)] : []),
  ];
  for (;;) {
    const offered = ways();
    const answer = await ui.ask({
      kind: 'select',
      ...(services.unusable === undefined ? firstQuestion : otherQuestion(services.unusable)),
      trail: 'Model',
      options: offered.map(({ label, description, done }) => ({
        label,
        ...(description === undefined ? {} : { description }),
        ...(done === undefined ? {} : { done: { text: done } }),
      })),
    });
    if (answer.kind !== 'selected') return undefined;
    const model = await offered[answer.indexes[0] ?? -1]?.take();
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
      done: origin === undefined ? '' : `${vendor.name} · ${modelName(vendor, config)} · key from ${origin}`,
      take: async () => (origin === undefined ? withKey(vendor, config, ui) : defaultOf(vendor)),
    }));
}

async function withKey(vendor: Vendor, config: Config, ui: UserInterface): Promise<string | undefined> {
  const given = await askKey(vendor, config, ui);
  if (!given) return undefined;
  await storeKey(vendor.id, given.key, config.host);
  ui.notify({ level: 'info', text: `${vendor.name} · ${modelName(vendor, config)} · key stored` });
  return defaultOf(vendor);
}

/** The name of the model that a vendor begins with. */
function modelName({ id: vendor, defaultModel }: Vendor, { catalogue }: Config): string {
  const known = catalogue.models.find((model) => model.vendor === vendor && model.id === defaultModel);
  return known?.name ?? defaultModel ?? '';
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
    done: models.length === 1 ? `${vendor.name} · ${named}` : '',
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
    done: '',
    take: async () => {
      const places = 'Ollama (port 11434 or OLLAMA_HOST), LM Studio (1234), llama.cpp (9931 or 8080)';
      const text = `No local server found. Start one, then run ${programName()} again: ${places}.`;
      return void ui.notify({ level: 'info', text });
    },
  };
}

/** The tour comes back to the question. */
function tourWay(tour: () => Promise<void>): Way {
  return {
    label: 'Take the tour first',
    description: 'two minutes, no key, in a temporary folder',
    done: '',
    take: async () => void (await tour()),
  };
}

/** Asks for the language of answers, and comes back to the question. */
function languageWay(ui: UserInterface, wanted: WantedLanguage): Way {
  return {
    label: 'Language…',
    description: `of the answers: ${wanted.language ?? 'that of your prompts'}`,
    done: '',
    take: async () => {
      wanted.language = (await askLanguage(ui, { known: wanted.language ?? 'en' })) ?? wanted.language;
      return undefined;
    },
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
