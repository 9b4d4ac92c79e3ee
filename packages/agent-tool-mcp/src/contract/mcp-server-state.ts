import type { JsonObject } from '@robota-sdk/agent-core';

/**
 * `needs-login`: it wants an OAuth login; `unapproved`: what its tools say was not agreed to; `idle`: it starts with its
 * first use.
 */
export type McpStatus =
  | 'disabled'
  | 'failed'
  | 'idle'
  | 'needs-login'
  | 'ready'
  | 'starting'
  | 'stopped'
  | 'unapproved';

/** A tool as its server describes it. */
export interface McpTool {
  /** The server's own name for it. */
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  /** A claim of the server; a hint for the user, never a reason to allow anything. */
  readonly isReadOnly?: boolean;
}

export interface McpPromptArgument {
  readonly name: string;
  readonly description?: string;
  readonly isRequired: boolean;
}

export interface McpPrompt {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly arguments: readonly McpPromptArgument[];
}

/** Something a server lets be read; with `isTemplate` its URI has places to fill in. */
export interface McpResource {
  readonly server: string;
  readonly uri: string;
  readonly name: string;
  readonly description?: string;
  readonly mimeType?: string;
  readonly isTemplate?: boolean;
}

/** The offers of a server, remembered so that its tools can be named before it is ready. */
export interface McpKnowledge {
  readonly tools: readonly McpTool[];
  readonly prompts: readonly McpPrompt[];
  readonly hasResources: boolean;
  /** How many of its tools are not used because their names can't be, or because they are too many. */
  readonly leftOut?: number;
  /** The first of those, each with the reason. */
  readonly leftOutTools?: readonly string[];
  /** Number of its tools and prompts that wait for approval. */
  readonly withheld?: number;
  readonly protocol?: McpProtocol;
}

/** The era of the protocol that a server was found to speak, so that it need not be asked again for a while. */
export interface McpProtocol {
  /** When it was asked, in milliseconds. */
  readonly at: number;
  /** Its answer to the question of 2026-07-28; absent for servers that are greeted with `initialize`. */
  readonly discover?: JsonObject;
}

/** The state of a server, for the user. */
export interface McpServerState extends Omit<McpKnowledge, 'protocol'> {
  readonly name: string;
  readonly status: McpStatus;
  /** The failure and its fix, with the server's name. */
  readonly error?: string;
  /** The last it wrote to standard error; not filtered for terminals. */
  readonly stderrTail: string;
  /** Name and version as the server gives them. */
  readonly serverInfo?: { readonly name: string; readonly version: string };
  /** The revision of the protocol that is spoken with it, such as 2026-07-28. */
  readonly protocolVersion?: string;
  readonly instructions?: string;
  /** About how many tokens the schemas of its tools are worth in each request, were they all in it. */
  readonly tokens: number;
  /** How often it was started again after it had died. */
  readonly restarts: number;
  readonly pid?: number;
  /** How long its last start took. */
  readonly startMs?: number;
}
