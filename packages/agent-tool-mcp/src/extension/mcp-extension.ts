import type { Extension, ExtensionHost } from '@robota-sdk/agent-core';
import type { McpServerState } from '../contract/mcp-server-state.ts';
import { schemaTokens } from '../contract/schema-tokens.ts';
import { describeServers } from '../offer/describe-servers.ts';
import { mcpCallTool } from '../offer/mcp-call-tool.ts';
import { mcpTool } from '../offer/mcp-tool.ts';
import { promptCommand, promptCommandName } from '../offer/prompt-command.ts';
import { listMcpResources, readMcpResource } from '../offer/resource-tools.ts';
import { ToolCatalogue } from '../offer/tool-catalogue.ts';
import { toolSearch } from '../offer/tool-search.ts';
import type { McpServers } from '../servers/mcp-servers.ts';

export interface McpExtensionOptions {
  /** Schemas worth more tokens than this are not put into every request; 2,000 where nothing is said. */
  readonly schemaBudget?: number;
  /** True if a tool may be offered at all, such as one that no deny rule names. */
  isOffered?(toolName: string): boolean;
  /** How long `setup` may wait for servers of which nothing is known yet; not at all where nothing is said. */
  readonly settleMs?: number;
}

const defaultSchemaBudget = 2000;
/** Characters of the system prompt that tell which tools there are. */
const sectionBudget = 750;
/** When servers start in a session in which nothing is asked. */
const startAfterMs = 300;
/** How long a model may think before servers start beside it: what is answered at once needs none of them. */
const afterRequestMs = 500;

/**
 * Offers the tools and prompts of MCP servers. Starts the servers after the first request is sent, and ends
 * them with `dispose`. The tools of a session stay fixed to keep the vendors' prompt cache valid: tools known
 * at its start are listed, later ones are found by `ToolSearch` and called by `McpCall`.
 */
export function mcpExtension(servers: McpServers, options: McpExtensionOptions = {}): Extension {
  const offer = new McpOffer(servers, options);
  return {
    name: 'mcp',
    setup: (host) => offer.setUp(host),
    dispose: () => offer.dispose(),
  };
}

class McpOffer {
  readonly #servers: McpServers;
  readonly #options: McpExtensionOptions;
  readonly #catalogue: ToolCatalogue;
  readonly #commands = new Set<string>();
  /** Servers whose tools the system prompt or the list of tools names. */
  #toldAtStart: ReadonlySet<string> = new Set();
  #told = new Set<string>();
  #isAsked = false;
  #timer: NodeJS.Timeout | undefined;
  #stopListening = () => {};

  constructor(servers: McpServers, options: McpExtensionOptions) {
    this.#servers = servers;
    this.#options = options;
    this.#catalogue = new ToolCatalogue(servers, options.isOffered?.bind(options));
  }

  async setUp(host: ExtensionHost): Promise<void> {
    await this.#servers.recall();
    if (this.#options.settleMs) await this.#settle(this.#options.settleMs);
    const offering = this.#catalogue.servers();
    if (offering.length > 0) this.#addTools(host, offering);
    for (const state of this.#servers.states()) this.#addCommands(host, state);
    this.#stopListening = this.#servers.onChange((state) => this.#addCommands(host, state));
    this.#addHooks(host);
    this.#beginIn(startAfterMs);
  }

  async dispose(): Promise<void> {
    clearTimeout(this.#timer);
    this.#stopListening();
    await this.#servers.dispose();
  }

  #addTools(host: ExtensionHost, offering: readonly McpServerState[]): void {
    const direct = this.#directServers(offering);
    for (const offered of direct.flatMap((state) => this.#catalogue.toolsOf(state)))
      host.tool(mcpTool(this.#servers, { ...offered, tool: offered.tool.name, description: offered.tool }));
    const deferred = offering.filter((state) => !direct.includes(state));
    const promptSection = deferred.length === 0 ? undefined : this.#section(deferred);
    const isOffered = (name: string) => this.#options.isOffered?.(name) ?? true;
    const resourceTools = [
      listMcpResources(this.#servers, isOffered),
      readMcpResource(this.#servers, isOffered),
    ];
    const parts = { servers: this.#servers, catalogue: this.#catalogue };
    host.tool(toolSearch({ ...parts, promptSection }));
    host.tool(mcpCallTool({ ...parts, others: resourceTools }));
    if (offering.some(({ hasResources }) => hasResources)) for (const tool of resourceTools) host.tool(tool);
    this.#toldAtStart = new Set(offering.filter((state) => this.#catalogue.isKnown(state)).map(digestOf));
    this.#told = new Set(this.#toldAtStart);
  }

  /** The servers whose tools stand in every request: the smallest ones, as long as the budget lasts. */
  #directServers(offering: readonly McpServerState[]): readonly McpServerState[] {
    let left = this.#options.schemaBudget ?? defaultSchemaBudget;
    const known = offering.filter((state) => this.#catalogue.isKnown(state));
    const prices = known.map((state) => ({ state, price: this.#priceOf(state) }));
    const direct = prices
      .sort((a, b) => a.price - b.price)
      .filter(({ price }) => {
        left -= price;
        return left >= 0;
      })
      .map(({ state }) => state);
    return offering.filter((state) => direct.includes(state));
  }

  #priceOf(state: McpServerState): number {
    const offered = this.#catalogue.toolsOf(state).map(({ tool }) => tool);
    return offered.length === state.tools.length ? state.tokens : schemaTokens(state.name, offered);
  }

  #section(servers: readonly McpServerState[]): string {
    return `MCP servers have more tools, named mcp__server__tool; ToolSearch shows their arguments:\n${describeServers(servers, this.#catalogue, sectionBudget)}`;
  }

  /** Prompts become commands as soon as they are known, and stay: one that is gone says so when it is used. */
  #addCommands(host: ExtensionHost, { name: server, prompts }: McpServerState): void {
    for (const prompt of prompts) {
      const name = promptCommandName(server, prompt.name);
      if (this.#commands.has(name)) continue;
      this.#commands.add(name);
      host.command(promptCommand(this.#servers, server, prompt));
    }
  }

  #addHooks(host: ExtensionHost): void {
    host.hook('request-before', () => {
      if (!this.#isAsked) this.#beginIn(afterRequestMs);
      this.#isAsked = true;
      return undefined;
    });
    host.hook('tool-after', () => {
      this.#servers.begin();
      return undefined;
    });
    // Compaction removed the listings from the conversation.
    host.hook('compact-after', () => {
      this.#told = new Set(this.#toldAtStart);
      return undefined;
    });
    host.hook('input', () => {
      const context = this.#news();
      return context === undefined ? undefined : { context };
    });
  }

  /** Servers that came, or changed, since the model was last told. */
  #news(): string | undefined {
    const ready = this.#catalogue.servers().filter(({ status }) => status === 'ready');
    const fresh = ready.filter((state) => state.tools.length > 0 && !this.#told.has(digestOf(state)));
    if (fresh.length === 0) return undefined;
    for (const state of fresh) this.#told.add(digestOf(state));
    return `<system-reminder>\n${this.#section(fresh)}\n</system-reminder>`;
  }

  /** Servers take processor time to start, which the way to the first request needs more. */
  #beginIn(milliseconds: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#servers.begin(), milliseconds).unref();
  }

  async #settle(limitMs: number): Promise<void> {
    this.#servers.begin();
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      void this.#servers.settled().then(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }
}

function digestOf({ name, tools }: McpServerState): string {
  return `${name}\0${tools.map((tool) => tool.name).join('\0')}`;
}
