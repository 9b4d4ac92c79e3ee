import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type {
  Client,
  ClientCapabilities,
  ClientOptions,
  PriorDiscovery,
  Transport,
} from '@modelcontextprotocol/client';
import type { HookProcesses } from '@robota-sdk/agent-core';
import { orAborted } from '@robota-sdk/agent-core';
import { httpFetch } from '@robota-sdk/agent-http';
import { defaultStartMs, type McpServerSettings } from '../contract/mcp-server-settings.ts';
import type { McpServersOptions } from '../contract/mcp-servers-options.ts';
import type { ClientLibrary } from './client-library.ts';
import type { ElicitationAnswers } from './default-answers.ts';
import { probeEra } from './era-probe.ts';
import { followLists } from './follow-lists.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { inOrder } from './in-order.ts';
import { machineProvider } from './machine-provider.ts';
import { ProcessTransport } from './process-transport.ts';
import { ProgramTransport } from './program-transport.ts';
import { TaskCalls, tasksExtension } from './task-calls.ts';

export interface ConnectOptions {
  readonly config: McpServerSettings;
  readonly options: McpServersOptions;
  readonly processes: HookProcesses;
  readonly elicitor: ElicitationAnswers | undefined;
  readonly signal: AbortSignal;
  /** The era that the server was found to speak before. */
  readonly prior?: PriorDiscovery | undefined;
  /** Hears of each process that is started, so that its last words are known when it fails. */
  onProcess(process: ProcessTransport): void;
  onClose(client: Client): void;
  /** The stream of answers broke off and could not be taken up again. */
  onBreak(client: Client): void;
  /** The server continues with a task. */
  onAlive(): void;
  /** The server has other tools or prompts now. */
  onListChange(): void;
}

/** A server that answers. */
export interface McpConnection {
  readonly client: Client;
  /** The era it speaks, for the next connection. */
  readonly prior: PriorDiscovery;
  /** The process, where the server is one of ours. */
  readonly process: ProcessTransport | undefined;
  close(): Promise<void>;
}

/** Connects over a transport; the era is asked for where it is not known. */
type Reach = (
  transport: Transport,
  prior: PriorDiscovery | undefined,
  signal: AbortSignal,
) => Promise<McpConnection>;

/** How long an HTTP server may leave the question of the new revision unanswered. */
const httpPatienceMs = 3000;

/** Reaches a server of any revision; what it throws is not yet named after the server. */
export async function connectServer(connect: ConnectOptions): Promise<McpConnection> {
  const { clientLibrary: library } = await import('./client-library.ts');
  const { config, signal, prior } = connect;
  const reach: Reach = async (transport, known, within) => {
    within.throwIfAborted();
    const process = transport instanceof ProcessTransport ? transport : undefined;
    const client = createClient(library.Client, connect, known);
    const follower = new AbortController();
    const close = async () => {
      follower.abort();
      client.onclose = () => {};
      await client.close();
      await transport.close();
    };
    try {
      const request = { signal: within, timeout: unlimitedMs, ...(known ? { prior: known } : {}) };
      const tasks = new TaskCalls(transport, connect.onAlive);
      const ordered = inOrder(transport, (message) => tasks.take(message));
      await orAborted(client.connect(ordered, request), within);
    } catch (thrown) {
      await close();
      throw thrown;
    }
    process?.unref();
    client.onclose = () => connect.onClose(client);
    // The library tries to take a stream up again, and says in no other way that it gave up.
    client.onerror = ({ message }) => {
      if (message.startsWith('Maximum reconnection attempts')) connect.onBreak(client);
    };
    void followLists(client, connect.onListChange, follower.signal);
    const discover = client.getDiscoverResult();
    return { client, process, close, prior: discover ? { kind: 'modern', discover } : { kind: 'legacy' } };
  };
  switch (config.transport.kind) {
    case 'stdio':
      return connectProcess(connect, reach);
    case 'program':
      return reach(programOf(connect), { kind: 'legacy' }, signal);
    case 'sse':
      return reach(httpTransports(library, connect).sse(), { kind: 'legacy' }, signal);
    case 'http': {
      const { http, sse } = httpTransports(library, connect);
      const { EraNegotiationFailed } = library.SdkErrorCode;
      const streamable = prior
        ? reach(http(), prior, signal)
        : eitherEra(signal, {
            modern: (within) => reach(http(), undefined, within),
            legacy: (within) => reach(http(), { kind: 'legacy' }, within),
            patienceMs: httpPatienceMs,
            isUnclear: (thrown) =>
              library.SdkError.isInstance(thrown) && thrown.code === EraNegotiationFailed,
          });
      return streamable.catch((thrown: unknown) => {
        const code = library.SdkHttpError.isInstance(thrown) ? thrown.status : 0;
        // Replies of older servers to an unknown request.
        if (![400, 404, 405, 406, 415, 501].includes(code)) throw thrown;
        return reach(sse(), { kind: 'legacy' }, signal).catch(() => {
          throw thrown;
        });
      });
    }
  }
}

/** Starts a program. One that ends at the unknown question, or hangs, is started once more as one of an older revision. */
async function connectProcess(connect: ConnectOptions, reach: Reach): Promise<McpConnection> {
  const { config, options, elicitor, signal, prior } = connect;
  let last: ProcessTransport | undefined;
  const start = () => {
    last = processOf(connect);
    connect.onProcess(last);
    return last;
  };
  if (prior) return reach(start(), prior, signal);
  const hello = { clientInfo: options.clientInfo, capabilities: capabilitiesFor(elicitor, undefined) };
  return eitherEra(signal, {
    modern: async (within) => {
      const process = start();
      try {
        return await reach(process, await orAborted(probeEra(process, hello), within), within);
      } catch (thrown) {
        await process.close();
        throw thrown;
      }
    },
    legacy: (within) => reach(start(), { kind: 'legacy' }, within),
    // Programs that are slow to start are more frequent than ones that hang.
    patienceMs: (config.startTimeoutMs ?? defaultStartMs) / 2,
    isUnclear: () => last?.end !== undefined,
  });
}

interface EitherEra {
  modern(signal: AbortSignal): Promise<McpConnection>;
  legacy(signal: AbortSignal): Promise<McpConnection>;
  /** How long to wait until the server is greeted as an old one beside. */
  readonly patienceMs: number;
  /** True if an error may only mean that the server does not know the new revision. */
  isUnclear(thrown: unknown): boolean;
}

/**
 * Connects as to a server of the new revision; where that has no clear result, and while it has none, also as to an old one.
 * The connection that succeeds first is used.
 */
async function eitherEra(signal: AbortSignal, { modern, legacy, patienceMs, isUnclear }: EitherEra) {
  const attempt = (connect: (within: AbortSignal) => Promise<McpConnection>) => {
    const given = new AbortController();
    const connection = connect(AbortSignal.any([signal, given.signal]));
    const giveUp = async () => {
      given.abort(new Error('another attempt succeeded'));
      await connection.then(({ close }) => close()).catch(() => {});
    };
    return { connection, giveUp };
  };
  const first = attempt(modern);
  const patience = new AbortController();
  const early = await Promise.race([
    first.connection.catch((thrown: unknown) => {
      if (signal.aborted || !isUnclear(thrown)) throw thrown;
    }),
    pause(patienceMs, undefined, { ref: false, signal: patience.signal }).catch(() => {}),
  ]).finally(() => patience.abort());
  if (early) return early;
  const second = attempt(legacy);
  const { connection, other } = await Promise.any([
    first.connection.then((connection) => ({ connection, other: second })),
    second.connection.then((connection) => ({ connection, other: first })),
  ]).catch(async () => ({ connection: await second.connection, other: first }));
  void other.giveUp();
  return connection;
}

/** Makes the transport of a server that is a process. */
function processOf({ config, options, processes }: ConnectOptions): ProcessTransport {
  const { transport } = config;
  if (transport.kind !== 'stdio') throw new Error('no program');
  const place = { env: { ...options.env, ...transport.env }, cwd: transport.cwd ?? options.cwd };
  return new ProcessTransport({
    command: transport.command,
    args: transport.args ?? [],
    ...place,
    processes,
    enclose: async () => options.enclose?.(config, place),
  });
}

function programOf({ config, options }: ConnectOptions): Transport {
  if (!options.program)
    throw new Error(
      'it lives in a program, and no program drives this session over --input-format stream-json',
    );
  return new ProgramTransport(options.program(config.name));
}

/**
 * Disables the library's timeouts: waiting is limited here, where time for the user's answers is excluded.
 */
export const unlimitedMs = 2 ** 31 - 1;

function createClient(
  ClientClass: typeof Client,
  { options, elicitor, onListChange }: ConnectOptions,
  prior: PriorDiscovery | undefined,
): Client {
  const client = new ClientClass(options.clientInfo, {
    capabilities: capabilitiesFor(elicitor, prior),
    versionNegotiation: { mode: 'auto' },
    jsonSchemaValidator: lenientValidator,
  });
  client.setRequestHandler('roots/list', () => ({ roots: rootsOf(options.roots()) }));
  if (elicitor)
    client.setRequestHandler('elicitation/create', (request, context) =>
      elicitor.answer(request.params, context.mcpReq.signal),
    );
  client.setNotificationHandler('notifications/tools/list_changed', () => onListChange());
  client.setNotificationHandler('notifications/prompts/list_changed', () => onListChange());
  return client;
}

function capabilitiesFor(
  elicitor: ElicitationAnswers | undefined,
  prior: PriorDiscovery | undefined,
): ClientCapabilities {
  return {
    // The directories of a session do not change.
    roots: {},
    ...(prior?.kind === 'legacy' ? {} : { extensions: { [tasksExtension]: {} } }),
    ...(elicitor ? { elicitation: elicitor.capability } : {}),
  };
}

/** A result that does not fit its own schema is still the best answer there is. */
const lenientValidator: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (data) => ({ valid: true, data: data as never, errorMessage: undefined }),
};

function httpTransports(library: ClientLibrary, { config, options }: ConnectOptions) {
  const { StreamableHTTPClientTransport, SSEClientTransport } = library;
  const { transport } = config;
  if (transport.kind === 'stdio' || transport.kind === 'program') throw new Error('not reached over HTTP');
  const url = new URL(transport.url);
  const login = options.machineLogin?.(config);
  const authProvider = login ? machineProvider(library, login) : options.authProvider?.(config);
  const shared = {
    requestInit: { headers: { ...transport.headers } },
    fetch: guardedFetch(options.fetch ?? httpFetch),
    ...(authProvider ? { authProvider } : {}),
  };
  return {
    http: () => new StreamableHTTPClientTransport(url, shared) as Transport,
    sse: () => new SSEClientTransport(url, shared) as Transport,
  };
}

/** Directories as servers are told of them. */
function rootsOf(directories: readonly string[]): { uri: string; name: string }[] {
  return directories.map((path) => ({ uri: pathToFileURL(path).href, name: basename(path) || path }));
}
