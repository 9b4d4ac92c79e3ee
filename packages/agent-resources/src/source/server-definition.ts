import type { JsonObject } from '@robota-sdk/agent-core';

/** Lets a program answer MCP servers' questions. */
export type ElicitByProgram = import('@robota-sdk/agent-tool-mcp').Elicit;

/** Reaches the MCP servers that live in the program, by their names. */
export type ProgramServers = (name: string) => import('@robota-sdk/agent-tool-mcp').ProgramPort;

/** The MCP client is loaded only on demand, so its types are named without importing it. */
export type McpServerSettings = import('@robota-sdk/agent-tool-mcp').McpServerSettings;

/** A server of a program: a command to start, or a URL. */
export interface McpServerOptions {
  /** `sdk`: it lives in the program that drives the session. */
  readonly type?: 'stdio' | 'http' | 'sse' | 'sdk';
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Milliseconds until it must be ready. */
  readonly startTimeout?: number;
  /** Milliseconds that a call may be silent. */
  readonly timeout?: number;
  /** Only these of its tools; `*` matches any text. */
  readonly includeTools?: readonly string[];
  readonly excludeTools?: readonly string[];
  readonly lifecycle?: 'eager' | 'lazy';
  /** `defaults`: its questions are answered with their defaults, without asking. */
  readonly elicitation?: 'ask' | 'defaults';
  readonly oauth?: McpOAuthOptions;
}

/** Login details that cannot be discovered, from the server's operator. */
export interface McpOAuthOptions {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The https URL of a document that describes this client, for servers that accept one instead of a registration. */
  readonly clientMetadataUrl?: string;
  /** The port that was registered for the way back. */
  readonly callbackPort?: number;
  readonly scope?: string;
  /** `client_credentials` and `cross_app_access` need no user. Default: `authorization_code`. */
  readonly grant?: OAuthGrant;
  /** For `client_credentials`: the file of the key that signs instead of a secret, and how it signs. */
  readonly privateKeyFile?: string;
  readonly signingAlgorithm?: string;
  /** For `cross_app_access`: the identity provider, our name there, and its token. */
  readonly idpTokenEndpoint?: string;
  readonly idpClientId?: string;
  readonly idToken?: string;
}

export const oauthGrants = ['authorization_code', 'client_credentials', 'cross_app_access'] as const;
export type OAuthGrant = (typeof oauthGrants)[number];

/** The owner of a definition; `local` means the user's, for one project. */
export type McpScope = 'command line' | 'local' | 'project' | 'user' | 'plugin';

/** The location of a definition. */
export interface McpOrigin {
  readonly scope: McpScope;
  /** The file, or another name of the source. */
  readonly source: string;
  readonly line?: number;
}

/** One server as found, before the trust decision. */
export interface McpDefinition {
  readonly name: string;
  readonly origin: McpOrigin;
  /** As in its file, with names of variables instead of their values. */
  readonly written: JsonObject;
}

/** One server that can be used. */
export interface McpServer extends McpDefinition {
  readonly config: McpServerSettings;
  readonly oauth?: McpOAuthOptions;
  /** The setting that disabled it, as text. */
  readonly disabledBy?: string;
  /** Secret values, for redaction. */
  readonly secrets?: readonly string[];
}

/** Formats the location of a definition. */
export function originText({ source, line }: McpOrigin): string {
  return line === undefined ? source : `${source}:${line}`;
}
