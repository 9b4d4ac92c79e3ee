import { readFile, stat } from 'node:fs/promises';
import { type HostEnvironment, updatePrivateFile, userPaths } from '@robota-sdk/agent-config';
import { checked, count, lazy, list, number, object, parseJson, text, words } from '@robota-sdk/agent-core';
import { isListable, mostModels } from '../servers/list-models.ts';

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

function serversIn(kept: string): readonly ListedServer[] {
  const { servers = [] } = fileShape.parse(parseJson(kept)) ?? {};
  return servers.map(({ models, ...server }) => ({ ...server, models: models.slice(0, mostModels) }));
}

/** A damaged entry costs only itself. */
const fileShape = lazy(() => {
  const id = checked(text, 'the name of a model', isListable);
  const model = object({ id }, { window: count, server: words('vllm') });
  const server = object({ vendor: text, baseUrl: text, at: number, models: list(model) });
  return object({}, { servers: list(server) });
});
