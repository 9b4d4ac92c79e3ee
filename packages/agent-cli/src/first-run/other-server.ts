import {
  type Config,
  editSetting,
  listServerModels,
  type ModelListing,
  storeKey,
  type UserInterface,
} from '@robota-sdk/agent-sdk/front-end';
import { cleanKey } from '../login/ask-key.ts';

/** The server's name in the settings. */
const profile = 'server';
const patienceMs = 5_000;
/** More than these are named by their id. */
const maxListed = 20;

interface ServerSetupServices {
  readonly cwd: string;
  readonly ui: UserInterface;
}

/** Sets up an OpenAI-compatible server; resolves with its profile, or undefined if the user went back. */
export async function setUpServer(
  config: Config,
  services: ServerSetupServices,
): Promise<string | undefined> {
  const baseUrl = await askAddress(services.ui);
  if (baseUrl === undefined) return undefined;
  const given = await services.ui.ask({
    kind: 'text',
    title: `The key for ${new URL(baseUrl).host}`,
    trail: `Key for ${new URL(baseUrl).host}`,
    detail: 'What you type or paste stays hidden. Leave empty if it needs none.',
    masked: true,
  });
  if (given.kind !== 'text') return undefined;
  const key = cleanKey(given.text);
  const { apiBaseUrl, listing } = await listAt(baseUrl, key);
  const model = await askModel(apiBaseUrl, listing, services.ui);
  if (model === undefined) return undefined;
  const { host } = config;
  if (key !== '') await storeKey(profile, key, host);
  const written = JSON.stringify([
    { name: profile, provider: profile, model, baseUrl: apiBaseUrl, apiKind: 'openai' },
  ]);
  const path = ['models', 'profiles'];
  await editSetting({ path, scope: 'user', action: 'set', text: written }, { cwd: services.cwd, host });
  return profile;
}

async function askAddress(ui: UserInterface, problem = ''): Promise<string | undefined> {
  const answer = await ui.ask({
    kind: 'text',
    title: 'Where is the server?',
    trail: 'Server',
    detail: `${problem}Such as https://models.example.com/v1. Leave empty to go back.`,
  });
  const typed = answer.kind === 'text' ? answer.text.trim() : '';
  if (typed === '') return undefined;
  const address = typed.includes('://') ? typed : `${isLocalAddress(typed) ? 'http' : 'https'}://${typed}`;
  const isUsable = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  return isUsable ? address : askAddress(ui, `"${typed}" is not a URL. `);
}

/** The models of a server, and its base URL with `/v1` where only that works. */
async function listAt(
  baseUrl: string,
  key: string,
): Promise<{ readonly apiBaseUrl: string; readonly listing: ModelListing }> {
  const server = { baseUrl, api: 'openai', ...(key === '' ? {} : { apiKey: key }) } as const;
  const listing = await listServerModels(server, patienceMs);
  if (listing.ok || listing.apiBaseUrl === undefined) return { apiBaseUrl: baseUrl, listing };
  return listAt(listing.apiBaseUrl, key);
}

async function askModel(
  baseUrl: string,
  listing: ModelListing,
  ui: UserInterface,
): Promise<string | undefined> {
  if (!listing.ok)
    ui.notify({ level: 'warning', text: `Could not list the models of ${baseUrl}: ${listing.why}.` });
  const models = listing.ok ? listing.models.slice(0, maxListed) : [];
  if (models.length === 0) {
    const named = await ui.ask({ kind: 'text', title: 'What is the model called there?', trail: 'Model' });
    return (named.kind === 'text' && named.text.trim()) || undefined;
  }
  const answer = await ui.ask({
    kind: 'select',
    title: 'Which model?',
    trail: 'Model',
    options: models.map((label) => ({ label })),
    words: 'the name of another one',
  });
  return answer.kind === 'selected' ? (answer.text ?? models[answer.indexes[0] ?? -1]) : undefined;
}

/** This machine and private networks speak plain HTTP; without a scheme that is what is meant there. */
export function isLocalAddress(address: string): boolean {
  const host = /^(\[[^\]]*\]|[^:/]*)/.exec(address)?.[1]?.toLowerCase() ?? '';
  if (/^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^0\.0\.0\.0$|^169\.254\./.test(host))
    return /^[\d.]+$/.test(host);
  return (
    /^(?:localhost|\[::1\]|\[f[cd][^\]]*\])$|\.(?:local|localhost|lan|internal)$/.test(host) ||
    /^[a-z][\w-]*$/.test(host)
  );
}
