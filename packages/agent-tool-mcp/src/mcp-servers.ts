import type { ToolOutput, UserContent } from '@robota-sdk/agent-core';
import type { McpServerConfig } from './mcp-server-config.ts';
import type { McpResource, McpServerState } from './mcp-server-state.ts';
import type { McpServersOptions } from './mcp-servers-options.ts';

/** A call of a server's tool. */
export interface McpCall {
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** How a request to a server is watched. */
export interface McpRequestOptions {
  readonly signal?: AbortSignal;
  /** Told of progress the server reports, as a line of text. */
  progress?(text: string): void;
}

/** The MCP servers of a session: starts them in the background, keeps them going, and ends them with it. */
export class McpServers {
  constructor(options: McpServersOptions) {
    void options;
  }

  /** Begins to start all servers; returns when what is remembered of them is known, and never throws. */
  async start(): Promise<void> {}

  /** Waits until no server is starting any more, in whatever state it then is. */
  async settled(): Promise<void> {}

  states(): readonly McpServerState[] {
    return [];
  }

  state(_name: string): McpServerState | undefined {
    return undefined;
  }

  /** Told whenever a state changed; the returned function ends it. */
  onChange(_listener: (state: McpServerState) => void): () => void {
    return () => {};
  }

  /** Starts a server (again): after a login, an approval, a crash, or because the person wants it. */
  async restart(_name: string): Promise<void> {}

  async stop(_name: string): Promise<void> {}

  /** Takes a new list of servers: what did not change goes on, the others are started or ended. */
  async update(_servers: readonly McpServerConfig[]): Promise<void> {}

  /** The directories of the session changed. */
  async rootsChanged(): Promise<void> {}

  /** Ends every server with all its processes. */
  async dispose(): Promise<void> {}

  async callTool(_call: McpCall, _options?: McpRequestOptions): Promise<ToolOutput> {
    throw new Error('not ready');
  }

  /** The resources of one server, or of all that are ready. */
  async listResources(_server?: string, _options?: McpRequestOptions): Promise<readonly McpResource[]> {
    return [];
  }

  async readResource(
    _server: string,
    _uri: string,
    _options?: McpRequestOptions,
  ): Promise<readonly UserContent[]> {
    return [];
  }

  /** The messages of a prompt as one text with its images. */
  async getPrompt(
    _server: string,
    _prompt: { readonly name: string; readonly arguments: Readonly<Record<string, string>> },
    _options?: McpRequestOptions,
  ): Promise<readonly UserContent[]> {
    return [];
  }
}
