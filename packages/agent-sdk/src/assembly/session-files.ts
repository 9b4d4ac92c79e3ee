import { askTrust, type TrustGate } from '@robota-sdk/agent-config';
import { type Catalogue, given, type JsonObject } from '@robota-sdk/agent-core';
import type { LoadedConfig, McpServerOptions, SessionMcpOptions } from '@robota-sdk/agent-resources';
import {
  givenServers,
  loadConfig,
  loadContext,
  loadResources,
  type ProjectContext,
  type Resources,
  SessionMcp,
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
  /** An earlier decision about the project's content, which is not asked about again. */
  readonly trust?: TrustGate | undefined;
  /** Adds the vendors and models of a program to those of the user. */
  readonly withModels?: ((catalogue: Catalogue) => Catalogue) | undefined;
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
  #trust: TrustGate | undefined;

  constructor(options: SessionFilesOptions) {
    this.#options = options;
    this.#trust = options.trust;
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
    const { cwd, host, terminal, trustProject = false, strictMcpConfig, withModels } = this.#options;
    const config = await loadConfig(cwd, {
      host,
      trustProject,
      strictMcpConfig,
      mcpServers: givenServers(this.mcp.given),
      givenSettings: this.#options.settings,
      pluginDirectories: this.#options.pluginDirectories,
      trust: trustProject ? undefined : this.#trust,
      askTrust: terminal && askTrust(terminal, cwd),
    });
    // Repository content counts only as approved at the start of the session.
    this.#trust = config.trust;
    return withModels ? { ...config, catalogue: withModels(config.catalogue) } : config;
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
    const { cwd, host } = this.#options;
    const config = await this.readConfig();
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
