import type { OAuthClientProvider } from '@modelcontextprotocol/client';
import type { UserInterface } from '@robota-sdk/agent-core';
import type { Elicit } from './elicit.ts';
import type { MachineLogin } from './machine-login.ts';
import type { McpServerSettings } from './mcp-server-settings.ts';
import type { McpKnowledge } from './mcp-server-state.ts';
import type { ProgramPort } from './program-port.ts';

/** Keeps what servers offered; the key should contain the whole configuration of the server. */
export interface McpMemory {
  recall(server: McpServerSettings): Promise<McpKnowledge | undefined>;
  keep(server: McpServerSettings, knowledge: McpKnowledge): Promise<void>;
}

/** A server's process before it is started. */
export interface McpCommand {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The sandbox of a server's process. */
export interface McpEnclosure {
  /** Variables that it needs inside. */
  readonly env: Readonly<Record<string, string>>;
  /** The command line that runs another one inside. */
  wrap(argv: readonly string[]): string[];
  /** Called when the server has ended. */
  end(): void;
}

export interface McpServersOptions {
  readonly servers: readonly McpServerSettings[];
  readonly clientInfo: { readonly name: string; readonly version: string };
  /** Environment for stdio servers, without the keys of providers. */
  readonly env: Readonly<Record<string, string>>;
  /** The directories of the session, asked for whenever a server wants them. */
  roots(): readonly string[];
  /** The base of relative commands: the session's directory. */
  readonly cwd: string;
  /** Answers elicitations; without it servers are told that no user is available. */
  readonly ui?: UserInterface;
  /** Answers what servers ask instead of `ui`. */
  readonly elicit?: Elicit;
  /** The OAuth side of an HTTP server; one that wants a login is `needs-login` until a `restart` after it. */
  authProvider?(server: McpServerSettings): OAuthClientProvider | undefined;
  /** How an HTTP server is logged in to without a user; it comes before `authProvider`. */
  machineLogin?(server: McpServerSettings): MachineLogin | undefined;
  /** Asked before each start; throws where a server may not run any more, such as one whose scripts have changed. */
  mayStart?(server: McpServerSettings): Promise<void>;
  /** The sandbox that a server's process runs in; nothing where it runs without one. */
  enclose?(server: McpServerSettings, command: McpCommand): Promise<McpEnclosure | undefined>;
  /** Says what of that which a server offers may be used; nothing makes the server `unapproved`. */
  approve?(server: McpServerSettings, knowledge: McpKnowledge): Promise<McpKnowledge | undefined>;
  readonly memory?: McpMemory;
  /** Opens a page that a server asks the user to visit, after consent. */
  openUrl?(url: string): void | Promise<void>;
  /** Reaches the servers that live in the program that drives the session, by their names. */
  program?(server: string): ProgramPort;
  readonly fetch?: typeof fetch;
}
