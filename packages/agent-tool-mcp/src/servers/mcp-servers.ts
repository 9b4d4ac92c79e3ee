import type { CompleteRequest } from '@modelcontextprotocol/client';
import {
  AgentError,
  didYouMean,
  HookProcesses,
  Listeners,
  type ToolOutput,
  type UserContent,
} from '@robota-sdk/agent-core';
import { McpServerConnection } from '../connection/mcp-server-connection.ts';
import type { McpRequestOptions } from '../connection/request-watch.ts';
import { blockContent, joinTexts, resourceContent, toolOutput } from '../connection/user-content.ts';
import { visitPages } from '../connection/visit-pages.ts';
import type { McpServerSettings } from '../contract/mcp-server-settings.ts';
import type { McpResource, McpServerState } from '../contract/mcp-server-state.ts';
import type { McpServersOptions } from '../contract/mcp-servers-options.ts';

/** A call of a server's tool. */
export interface McpCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** A prompt of a server with what is filled in. */
export interface McpPromptCall {
  readonly server: string;
  readonly name: string;
  readonly arguments: Readonly<Record<string, string>>;
}

/** How long a question about a call waits for the start of its server. */
const longestWaitMs = 10_000;

/** The MCP servers of a session: starts them in the background, keeps them going, and ends them with it. */
export class McpServers {
  readonly #options: McpServersOptions;
  readonly #processes = new HookProcesses();
  readonly #listeners = new Listeners<McpServerState>();
  /** Told whenever a state changed; the returned function ends it. */
  readonly onChange = this.#listeners.add;
  #servers: readonly McpServerConnection[];
  #hasBegun = false;
  #isOver = false;

  constructor(options: McpServersOptions) {
    this.#options = options;
    this.#servers = options.servers.map((config) => this.#create(config));
  }

  /** Looks up what is remembered of the servers, and starts none of them. */
  async recall(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.recall()));
  }

  /** Begins to start the servers in the background; returns when what is remembered of them is known. Never throws. */
  async start(): Promise<void> {
    await this.recall();
    this.begin();
  }

  /** Begins to start the servers, without a wait; a second time does nothing. */
  begin(): void {
    if (this.#hasBegun || this.#isOver) return;
    this.#hasBegun = true;
    for (const server of this.#servers) server.begin();
  }

  /** Waits until no server is starting any more, in whatever state it then is. */
  async settled(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.settled()));
  }

  states(): readonly McpServerState[] {
    return this.#servers.map(({ state }) => state);
  }

  state(name: string): McpServerState | undefined {
    return this.#servers.find(({ config }) => config.name === name)?.state;
  }

  /** True if what a server offers is known, from itself or from last time. */
  isKnown(name: string): boolean {
    return this.#servers.find(({ config }) => config.name === name)?.isKnown ?? false;
  }

  /** Restarts a server: after a login, an approval, a crash, or on request. */
  async restart(name: string): Promise<void> {
    await this.#server(name).restart();
  }

  async stop(name: string): Promise<void> {
    await this.#server(name).stop();
  }

  /** Applies a new list of servers: unchanged ones keep running, others are started or ended. */
  async update(configs: readonly McpServerSettings[]): Promise<void> {
    const before = this.#servers;
    const kept = (config: McpServerSettings) =>
      before.find((server) => JSON.stringify(server.config) === JSON.stringify(config));
    const after = configs.map((config) => kept(config) ?? this.#create(config));
    this.#servers = after;
    const gone = before.filter((server) => !after.includes(server));
    const fresh = after.filter((server) => !before.includes(server));
    await Promise.all([...gone.map((server) => server.stop()), ...fresh.map((server) => server.recall())]);
    if (this.#hasBegun) for (const server of fresh) server.begin();
    for (const server of [...gone, ...fresh]) this.#changed(server);
  }

  /** Ends every server with all its processes. */
  async dispose(): Promise<void> {
    this.#isOver = true;
    this.#listeners.clear();
    await Promise.all(this.#servers.map((server) => server.stop()));
    await this.#processes.dispose();
  }

  async callTool(call: McpCall, options: McpRequestOptions = {}): Promise<ToolOutput> {
    const server = this.#server(call.server);
    const input = { ...call.arguments };
    return visitPages(server, options, async () => {
      const result = await server.request(
        async (client, request) =>
          client.callTool({ name: server.ownName(call.tool), arguments: input }, request),
        options,
      );
      return toolOutput(result);
    });
  }

  /**
   * Throws why a tool cannot be called where its server failed to start or does not have it, so that a user is not asked
   * about it in vain. A server that is still starting is waited for within bounds.
   */
  async assertOffered({ server, tool }: Pick<McpCall, 'server' | 'tool'>): Promise<void> {
    const signal = AbortSignal.timeout(longestWaitMs);
    await this.#server(server)
      .assertOffers(tool, signal)
      .catch((thrown: unknown) => {
        if (!signal.aborted) throw thrown;
      });
  }

  /** The resources of one server, or of all that have some and are ready or can be. */
  async listResources(name?: string, options: McpRequestOptions = {}): Promise<readonly McpResource[]> {
    if (name !== undefined) return this.#resourcesOf(this.#server(name), options);
    const lists = this.#servers
      .filter(({ state }) => state.hasResources)
      .map((server) => this.#resourcesOf(server, options).catch(() => []));
    return (await Promise.all(lists)).flat();
  }

  async readResource(
    server: string,
    uri: string,
    options: McpRequestOptions = {},
  ): Promise<readonly UserContent[]> {
    const { contents } = await this.#server(server).request(
      (client, request) => client.readResource({ uri }, { ...request, cacheMode: 'refresh' }),
      options,
    );
    return joinTexts(contents.flatMap(resourceContent));
  }

  /** The messages of a prompt as texts and images. */
  async getPrompt(prompt: McpPromptCall, options: McpRequestOptions = {}): Promise<readonly UserContent[]> {
    const params = { name: prompt.name, arguments: { ...prompt.arguments } };
    const { messages } = await this.#server(prompt.server).request(
      (client, request) => client.getPrompt(params, request),
      options,
    );
    return joinTexts(
      messages.flatMap(({ role, content }) =>
        role === 'user'
          ? blockContent(content)
          : [{ type: 'text', text: 'You answered:' }, ...blockContent(content)],
      ),
    );
  }

  /** The server's suggestions for an argument of a prompt. */
  async complete(
    server: string,
    params: CompleteRequest['params'],
    options: McpRequestOptions = {},
  ): Promise<readonly string[]> {
    const result = await this.#server(server).request(async (client, request) => {
      if (!client.getServerCapabilities()?.completions) return undefined;
      return client.complete(params, request);
    }, options);
    return result?.completion.values ?? [];
  }

  async #resourcesOf(
    server: McpServerConnection,
    options: McpRequestOptions,
  ): Promise<readonly McpResource[]> {
    const { name } = server.config;
    return server.request(async (client, request) => {
      if (!client.getServerCapabilities()?.resources) return [];
      const fresh = { ...request, cacheMode: 'refresh' as const };
      const [{ resources }, { resourceTemplates }] = await Promise.all([
        client.listResources(undefined, fresh),
        // Many servers have resources and know nothing of templates.
        client.listResourceTemplates(undefined, fresh).catch(() => ({ resourceTemplates: [] })),
      ]);
      return [
        ...resources.map((resource) => ({ ...describe(resource), server: name, uri: resource.uri })),
        ...resourceTemplates.map((template) => ({
          ...describe(template),
          server: name,
          uri: template.uriTemplate,
          isTemplate: true,
        })),
      ];
    }, options);
  }

  #create(config: McpServerSettings): McpServerConnection {
    return new McpServerConnection(config, {
      options: this.#options,
      processes: this.#processes,
      onChange: (server) => this.#changed(server),
    });
  }

  #changed(server: McpServerConnection): void {
    if (this.#listeners.size > 0) this.#listeners.tell(server.state);
  }

  #server(name: string): McpServerConnection {
    const found = this.#servers.find(({ config }) => config.name === name);
    if (found) return found;
    const names = this.#servers.map(({ config }) => config.name);
    const known = names.length === 0 ? 'There are none.' : `The servers are ${names.join(', ')}.`;
    throw new AgentError('tool', `Unknown MCP server "${name}". ${didYouMean(name, names, '"') ?? known}`);
  }
}

function describe(resource: {
  name: string;
  title?: string | undefined;
  description?: string | undefined;
  mimeType?: string | undefined;
}): Omit<McpResource, 'server' | 'uri'> {
  const { name, title, description, mimeType } = resource;
  return {
    name: title ?? name,
    ...(description === undefined ? {} : { description }),
    ...(mimeType === undefined ? {} : { mimeType }),
  };
}
