import { askTrust } from '@robota-sdk/agent-config';
import { given, type JsonObject } from '@robota-sdk/agent-core';
import type { LoadedConfig, McpServerOptions, SessionMcpOptions } from '@robota-sdk/agent-resources';
import {
  givenServers,
  loadConfig,
  loadContext,
  loadResources,
  type ProjectContext,
  type Resources,
  reloadPlugins,
  SessionMcp,
  withGivenServers,
} from '@robota-sdk/agent-resources';
import type { FreshFiles } from './session-extensions.ts';

/** The directory and owners of the files to read. */
export interface SessionFilesOptions extends Omit<SessionMcpOptions, 'isReplay'> {
  readonly trustProject?: boolean | undefined;
  readonly extensionFiles?: boolean | undefined;
  readonly skills?: boolean | readonly string[] | undefined;
  readonly settings?: readonly JsonObject[] | undefined;
  readonly pluginDirectories?: readonly string[] | undefined;
  readonly mcpServers?: Readonly<Record<string, McpServerOptions>> | undefined;
  readonly strictMcpConfig?: boolean | undefined;
  readonly replay?: string | undefined;
  /** Settings that were given instead of files. */
  readonly config?: LoadedConfig | undefined;
  /** True if instructions are read at all. */
  readonly hasContextFiles: boolean;
}

/** Reads the files of a session, at its start and again on request. */
export class SessionFiles {
  readonly #options: SessionFilesOptions;
  readonly #begun = new Date();
  /** The MCP servers, which survive a reload. */
  readonly mcp: SessionMcp;
  /** Reads the instructions; absent if none are read. */
  readonly readContext: (() => Promise<ProjectContext>) | undefined;
  #config: Promise<LoadedConfig> | undefined;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
    this.mcp = new SessionMcp({ ...options, isReplay: options.replay !== undefined });
    this.mcp.given = options.mcpServers;
    const { cwd, host, hasContextFiles } = options;
    this.readContext = hasContextFiles
      ? () => loadContext(cwd, { host, ...given('config', this.#config) })
      : undefined;
  }

  readConfig(): Promise<LoadedConfig> {
    this.#config = this.#readConfig();
    return this.#config;
  }

  async #readConfig(): Promise<LoadedConfig> {
    const { cwd, host, config, terminal, trustProject = false, strictMcpConfig } = this.#options;
    const mcpServers = givenServers(this.mcp.given);
    if (!config)
      return loadConfig(cwd, {
        host,
        trustProject,
        mcpServers,
        strictMcpConfig,
        givenSettings: this.#options.settings,
        pluginDirectories: this.#options.pluginDirectories,
        askTrust: terminal && askTrust(terminal, cwd),
      });
    return mcpServers.length === 0 ? config : withGivenServers(config, { cwd, host, given: mcpServers });
  }

  readResources(config: LoadedConfig): Promise<Resources> {
    const { cwd, host, extensionFiles, skills, terminal, onProblem } = this.#options;
    return loadResources({
      cwd,
      host,
      config,
      modules: extensionFiles,
      skills,
      mcp: this.mcp,
      ui: terminal,
      onProblem,
    });
  }

  /** Everything as the files say it now. */
  async readAgain(): Promise<FreshFiles> {
    const { cwd, host, config: given } = this.#options;
    const config = given ? await reloadPlugins(given, { cwd, host }) : await this.readConfig();
    const { staleImports } = await import('@robota-sdk/agent-resources');
    const [resources, context, stale] = await Promise.all([
      this.readResources(config),
      this.readContext?.(),
      staleImports({ cwd, host, config }, this.#begun),
    ]);
    const hooks = config.areHooksOff ? [] : (config.hooks ?? []);
    return { resources, context, hooks, problems: [...config.problems, ...stale] };
  }
}
