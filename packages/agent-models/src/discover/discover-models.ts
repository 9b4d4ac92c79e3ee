import type { Config } from '@robota-sdk/agent-config';
import { isLoopback } from '@robota-sdk/agent-core';
import { listServerModels } from '../servers/list-models.ts';
import { findLocalServers } from '../servers/local-servers.ts';
import { describeServed, type ServedQuestion } from '../servers/served-model.ts';
import { keepListedServers, type ListedModel, type ListedServer } from './model-cache.ts';
import { type OwnServer, ownServers } from './own-server.ts';

/** A server on this machine answers at once; one in the network may take longer. */
const localPatienceMs = 1_000;
const patienceMs = 5_000;
/** Ollama tells the window of one model at a time; of more than these it is not asked. */
const mostAsked = 40;

/** Models that cannot hold a conversation. */
const otherKinds = /embed|rerank|whisper|\btts\b|transcri|moderation|dall-e|stable-diffusion/i;

/** Asks all servers of the user for their models, and keeps the lists for later sessions. */
export async function discoverModels(config: Config): Promise<readonly ListedServer[]> {
  if (!config.settings.discoverModels) return [];
  const answers: Answers = new Map();
  const lists = await Promise.all([
    ...ownServers(config)
      .filter(({ vendor, isUsual }) => !(isUsual && vendor.otherBaseUrls !== undefined))
      .map((server) => listed(server, answers)),
    ...(await findLocalServers(config, ({ otherBaseUrls }) => otherBaseUrls !== undefined)).map(
      ({ vendor, baseUrl }) =>
        listed({ vendor, isUsual: true, address: { baseUrl, api: vendor.api } }, answers),
    ),
  ]);
  const found = lists.flat();
  if (found.length > 0) await keepListedServers(config.host, found).catch(() => {});
  return found;
}

/** Answers of servers, by their address: several vendors may be reached over one. */
type Answers = Map<string, NonNullable<ServedQuestion['asked']>>;

async function listed(
  { vendor, address }: Omit<OwnServer, 'model'>,
  answers: Answers,
): Promise<readonly ListedServer[]> {
  const isLocal = URL.canParse(address.baseUrl) && isLoopback(new URL(address.baseUrl).host);
  const patience = isLocal ? localPatienceMs : patienceMs;
  const listing = await listServerModels(address, patience);
  if (!listing.ok) return [];
  const names = listing.models.filter((name) => !otherKinds.test(name));
  const asked = answers.get(address.baseUrl) ?? new Map();
  answers.set(address.baseUrl, asked);
  const models = await Promise.all(
    names.map(async (id, index): Promise<ListedModel> => {
      const isAsked = listing.windows[id] === undefined && isLocal && index < mostAsked;
      const served = isAsked
        ? await describeServed({ address, model: id, isOwn: true, patienceMs: patience, asked })
        : undefined;
      const window = listing.windows[id] ?? (served?.server === 'ollama' ? served.trained : served?.tokens);
      const server = listing.ofVllm.has(id) ? ({ server: 'vllm' } as const) : {};
      return { id, ...(window === undefined ? {} : { window }), ...server };
    }),
  );
  return [{ vendor: vendor.id, baseUrl: address.baseUrl, at: Date.now(), models }];
}

/** Lists older than this are asked for again while a user works. */
const freshMs = 60 * 60_000;
/** Not while the session begins, nor for a session that ends at once. */
const refreshDelayMs = 2_000;

/** Refreshes the kept lists in the background, where they are old. */
export function refreshLater(config: Config, lists: readonly ListedServer[]): void {
  if (lists.some(({ at }) => at > Date.now() - freshMs)) return;
  setTimeout(() => void discoverModels(config).catch(() => {}), refreshDelayMs).unref();
}
