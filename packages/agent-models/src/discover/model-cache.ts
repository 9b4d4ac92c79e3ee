import { readFile, stat } from 'node:fs/promises';
import { type HostEnvironment, updatePrivateFile, userPaths } from '@robota-sdk/agent-config';
import { isJsonObject, type JsonObject, type JsonValue, parseJson } from '@robota-sdk/agent-core';
import { countIn, isListable, mostModels } from '../servers/list-models.ts';

/** The models of a server as it listed them last. */
export interface ListedServer {
  readonly vendor: string;
  readonly baseUrl: string;
  /** Unix milliseconds. */
  readonly at: number;
  readonly models: readonly ListedModel[];
}

export interface ListedModel {
  readonly id: string;
  /** Tokens, where the server tells them. */
  readonly window?: number;
  /** The program of the server, where that matters. */
  readonly server?: 'vllm';
}

/** A larger file is forgotten: each start would wait for it. */
const mostBytes = 4 * 1024 * 1024;
const mostServers = 20;

/** A server that is gone for good is forgotten. */
const longestMemoryMs = 90 * 24 * 60 * 60_000;

/** Reads the lists that were kept; none where there is no file, or it cannot be read. */
export async function readListedServers(host: HostEnvironment): Promise<readonly ListedServer[]> {
  const path = userPaths(host).servedModels;
  const isSmall = await stat(path).then(
    ({ size }) => size <= mostBytes,
    () => false,
  );
  return isSmall ? serversIn(await readFile(path, 'utf8').catch(() => '')) : [];
}

/** Keeps the lists of servers; those of others stay. */
export async function keepListedServers(
  host: HostEnvironment,
  listed: readonly ListedServer[],
): Promise<void> {
  const isFresh = ({ at }: ListedServer) => at > Date.now() - longestMemoryMs;
  await updatePrivateFile(userPaths(host).servedModels, (before = '') => {
    const others = serversIn(before.length > mostBytes ? '' : before).filter(
      (old) => !listed.some(({ vendor, baseUrl }) => vendor === old.vendor && baseUrl === old.baseUrl),
    );
    const servers = [...listed, ...others].filter(isFresh).slice(0, mostServers);
    return `${JSON.stringify({ servers })}\n`;
  });
}

function serversIn(text: string): readonly ListedServer[] {
  const kept = parseJson(text);
  const servers = isJsonObject(kept) && Array.isArray(kept.servers) ? kept.servers : [];
  return servers.flatMap((each: JsonValue) => (isJsonObject(each) ? serverIn(each) : []));
}

function serverIn({ vendor, baseUrl, at, models }: JsonObject): readonly ListedServer[] {
  if (typeof vendor !== 'string' || typeof baseUrl !== 'string' || typeof at !== 'number') return [];
  const rows = Array.isArray(models) ? models.slice(0, mostModels) : [];
  const known = rows.flatMap((row: JsonValue) => {
    if (!isJsonObject(row) || typeof row.id !== 'string' || !isListable(row.id)) return [];
    const window = countIn(row.window);
    const server = row.server === 'vllm' ? ({ server: 'vllm' } as const) : {};
    return [{ id: row.id, ...(window === undefined ? {} : { window }), ...server }];
  });
  return [{ vendor, baseUrl, at, models: known }];
}
