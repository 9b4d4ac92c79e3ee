import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Client, ClientOptions, Transport } from '@modelcontextprotocol/client';
import type { HookProcesses } from '@robota-sdk/agent-core';
import { orAborted } from '@robota-sdk/agent-core';
import { httpFetch } from '@robota-sdk/agent-http';
import type { McpServerSettings } from '../contract/mcp-server-settings.ts';
import type { McpServersOptions } from '../contract/mcp-servers-options.ts';
import type { ClientLibrary } from './client-library.ts';
import type { ElicitationAnswers } from './default-answers.ts';
import { guardedFetch } from './guarded-fetch.ts';
import { inOrder } from './in-order.ts';
import { machineProvider } from './machine-provider.ts';
import { ProcessTransport } from './process-transport.ts';
import { ProgramTransport } from './program-transport.ts';

/** The kinds of lists a server may change. */
type McpList = 'prompts' | 'resources' | 'tools';

export interface ConnectOptions {
  readonly config: McpServerSettings;
  readonly options: McpServersOptions;
  readonly processes: HookProcesses;
  readonly elicitor: ElicitationAnswers | undefined;
  readonly signal: AbortSignal;
  onClose(): void;
  /** The stream of answers broke off and could not be taken up again. */
  onBreak(): void;
  onListChange(list: McpList): void;
}

/** A server that answers. */
export interface McpConnection {
  readonly client: Client;
  /** The process, where the server is one of ours. */
  readonly process: ProcessTransport | undefined;
  close(): Promise<void>;
}

/** Reaches a server and shakes hands with it; what it throws is not yet named after the server. */
export async function connectServer(
  connect: ConnectOptions,
  process = processOf(connect),
): Promise<McpConnection> {
  const { clientLibrary: library } = await import('./client-library.ts');
  const { config, signal } = connect;
  const attempt = async (transport: Transport): Promise<McpConnection> => {
    signal.throwIfAborted();
    const client = createClient(library.Client, connect);
    const close = async () => {
      client.onclose = () => {};
      await client.close();
      await process?.close();
    };
    try {
      await orAborted(client.connect(inOrder(transport), { signal, timeout: unlimitedMs }), signal);
    } catch (thrown) {
      await close();
      throw thrown;
    }
    process?.unref();
    client.onclose = () => connect.onClose();
    // The library tries to take a stream up again, and says in no other way that it gave up.
    client.onerror = ({ message }) => {
      if (message.startsWith('Maximum reconnection attempts')) connect.onBreak();
    };
    return { client, process, close };
  };
  if (process) return attempt(process);
  if (config.transport.kind === 'program') return attempt(programOf(connect));
  const transports = httpTransports(library, connect);
  if (config.transport.kind === 'sse') return attempt(transports.sse());
  return attempt(transports.http()).catch((thrown: unknown) => {
    const code = library.SdkHttpError.isInstance(thrown) ? thrown.status : 0;
    // Replies of older servers to an unknown request.
    if (![400, 404, 405, 406, 415, 501].includes(code)) throw thrown;
    return attempt(transports.sse()).catch(() => {
      throw thrown;
    });
  });
}

/** The transport of a server that is a process; made first so that its last words are known when it fails. */
export function processOf({ config, options, processes }: ConnectOptions): ProcessTransport | undefined {
  const { transport } = config;
  if (transport.kind !== 'stdio') return undefined;
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
): Client {
  const changed = (list: McpList) => ({ autoRefresh: false, onChanged: () => onListChange(list) });
  const client = new ClientClass(options.clientInfo, {
    capabilities: {
      // The directories of a session do not change.
      roots: {},
      ...(elicitor ? { elicitation: elicitor.capability } : {}),
    },
    listChanged: { tools: changed('tools'), prompts: changed('prompts'), resources: changed('resources') },
    jsonSchemaValidator: lenientValidator,
  });
  client.setRequestHandler('roots/list', () => ({ roots: rootsOf(options.roots()) }));
  if (elicitor)
    client.setRequestHandler('elicitation/create', (request, context) =>
      elicitor.answer(request.params, context.mcpReq.signal),
    );
  return client;
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
