import {
  addSentence,
  type Extension,
  type ExtensionHost,
  listNames,
  namesTool,
  sentence,
  type ToolSelection,
  type UserInterface,
  warning,
} from '@robota-sdk/agent-core';
import type { LoadedConfig } from '../source/loaded-config.ts';
import type { ResourceHost } from '../source/resource-host.ts';
import type { McpServer, McpServerOptions, McpServerSettings } from '../source/server-definition.ts';
import type { OpenOptions } from './open-servers.ts';
import type { ServerMemory } from './server-memory.ts';

/** Characters of a failed server's last output. */
const longestLastWords = 200;

type McpServers = import('@robota-sdk/agent-tool-mcp').McpServers;

/** The servers of a session, and the user interface that asks about them. */
export interface SessionMcpOptions extends Omit<OpenOptions, 'config' | 'servers'> {
  /** Which tools are offered, beside what the settings say. */
  readonly tools?: ToolSelection | undefined;
  /** Nothing is started: the session lives from a recording. */
  readonly isReplay?: boolean | undefined;
}

/**
 * The MCP servers of one session. They stay connected when everything else is reloaded, unless their definitions
 * changed.
 */
export class SessionMcp {
  readonly #options: SessionMcpOptions;
  #extension: Extension<ResourceHost> | undefined;
  #offer: Extension | undefined;
  #config: LoadedConfig | undefined;
  /** The connections; loaded on first use. */
  servers: McpServers | undefined;
  memory: ServerMemory | undefined;
  /** Servers of a program, in addition to those of files. */
  given: Readonly<Record<string, McpServerOptions>> | undefined;
  /** Those of them that the program gave during the session. */
  replaceable: ReadonlySet<string> = new Set();

  constructor(options: SessionMcpOptions) {
    this.#options = options;
  }

  /** The servers that are configured, those that are switched off among them. */
  get configured(): readonly McpServer[] {
    return this.#config?.mcpServers ?? [];
  }

  get config(): LoadedConfig | undefined {
    return this.#config;
  }

  /** The extension with the servers' tools; undefined if there is no server. */
  async extension(config: LoadedConfig): Promise<Extension<ResourceHost> | undefined> {
    this.#config = config;
    if (this.configured.length === 0) {
      this.#extension = undefined;
      return undefined;
    }
    if (this.servers) await this.servers.update(this.#configs());
    this.#extension ??= {
      name: 'mcp',
      setup: (host) => this.#setup(host, this.#config ?? config),
      dispose: () => this.#dispose(),
    };
    return this.#extension;
  }

  /** Applies enabled and disabled servers without affecting the others. */
  async apply(config: LoadedConfig): Promise<void> {
    this.#config = config;
    await this.servers?.update(this.#configs());
  }

  /** Asks about every server whose description changed; approved ones are used immediately. */
  async askAboutChanges(ui: UserInterface): Promise<void> {
    const { memory, servers } = this;
    if (!memory || !servers || memory.changed.length === 0) return;
    const { askAboutChange } = await import('./ask-about-change.ts');
    for (const changed of memory.changed) {
      if (!(await askAboutChange(changed, ui))) continue;
      await memory.agree(changed.config.name);
      await servers.restart(changed.config.name);
    }
  }

  /** Prepares connections to the servers of a configuration; `start` connects. */
  async connect(config: LoadedConfig): Promise<McpServers> {
    this.#config = config;
    const [{ McpServers }, { openServers }] = await Promise.all([library(), import('./open-servers.ts')]);
    const { memory, options } = openServers({
      ...this.#options,
      config: () => this.#config ?? config,
      servers: this.#configs(),
    });
    this.memory = memory;
    this.servers = new McpServers(options);
    return this.servers;
  }

  async #setup(host: ExtensionHost<ResourceHost>, config: LoadedConfig): Promise<void> {
    const servers = await this.connect(config);
    const { mcpExtension } = await library();
    const { terminal } = this.#options;
    if (terminal) host.hook('input', () => this.askAboutChanges(terminal).then(() => undefined));
    const whole = config.settings.permissions.deny.filter(({ specifier }) => specifier === undefined);
    const { only = config.settings.tools, exclude = [] } = this.#options.tools ?? {};
    const excluded = [...config.settings.excludeTools, ...exclude];
    const isOffered = (tool: string) =>
      (!only || listNames(only, tool)) &&
      !listNames(excluded, tool) &&
      !whole.some((rule) => namesTool(rule, tool));
    this.#reportFailures(servers);
    this.#offer = mcpExtension(servers, { isOffered });
    await this.#offer.setup(host);
  }

  /** Reports each unusable server with the reason, once until it has worked. */
  #reportFailures(servers: McpServers): void {
    const told = new Set<string>();
    servers.onChange(({ name, status, error, stderrTail }) => {
      if (status === 'ready') told.delete(name);
      if ((status !== 'failed' && status !== 'needs-login') || told.has(name)) return;
      told.add(name);
      const [reason = `The MCP server "${name}" failed.`] = (error ?? '').split('\n', 1);
      const lastWords =
        status === 'failed' ? (stderrTail.trim().split('\n').at(-1) ?? '').slice(0, longestLastWords) : '';
      const problem = warning(`mcp.${status}`, sentence`${{ reason }}`, { subject: name, isInactive: true });
      this.#options.onProblem(lastWords === '' ? problem : addSentence(problem, `Last output: ${lastWords}`));
    });
  }

  async #dispose(): Promise<void> {
    const offer = this.#offer;
    this.servers = undefined;
    this.#extension = undefined;
    await offer?.dispose?.();
  }

  #configs(): readonly McpServerSettings[] {
    return this.configured.map(({ config, disabledBy }) => ({
      ...config,
      ...(disabledBy === undefined ? {} : { isDisabled: true }),
      ...(this.#options.isReplay ? { isDisabled: true } : {}),
    }));
  }
}

function library() {
  return import('@robota-sdk/agent-tool-mcp');
}
