/** How a server is reached. */
export type McpTransport =
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args?: readonly string[];
      /** Added to the environment of the session, which has no keys of providers; what stands here is given on purpose. */
      readonly env?: Readonly<Record<string, string>>;
      readonly cwd?: string;
    }
  /** `http` is streamable HTTP, and falls back to the older SSE where a server speaks only that. */
  | {
      readonly kind: 'http' | 'sse';
      readonly url: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  /** It lives in the program that drives the session. */
  | { readonly kind: 'program' };

/** One MCP server, whatever file it was written in. */
export interface McpServerSettings {
  /** The configured name; tools are called `mcp__<name>__<tool>`. */
  readonly name: string;
  readonly transport: McpTransport;
  /** How long it may take until it is ready; `defaultStartMs` where nothing is said. */
  readonly startTimeoutMs?: number;
  /** How long a call may go without an answer or a sign of progress; `defaultCallMs` where nothing is said. */
  readonly callTimeoutMs?: number;
  /** Which of its tools are offered, by their own names; `*` stands for any text. */
  readonly tools?: { readonly include?: readonly string[]; readonly exclude?: readonly string[] };
  /** `lazy` starts it with its first use, if its tools are remembered; `eager`, the default, with the session. */
  readonly lifecycle?: 'eager' | 'lazy';
  /** `defaults`: its questions are answered with their defaults, and no one is asked. */
  readonly elicitation?: 'ask' | 'defaults';
  readonly isDisabled?: boolean;
}

/** How long a server may take until it is ready, where its configuration does not say. */
export const defaultStartMs = 30_000;

/** How long a call may go without an answer or progress, where the server's configuration does not say. */
export const defaultCallMs = 120_000;
