import { type HostEnvironment, type ReadOptions, readOptions } from '@robota-sdk/agent-config';
import { AgentError, type UserInterface } from '@robota-sdk/agent-core';
import type { SessionMcp } from '@robota-sdk/agent-resources';
import { mcpRow, requestOptions } from './admin-rows.ts';
import type { CommandPrefix } from './name-commands.ts';

/** Services of MCP requests. */
export interface McpRequestServices {
  readonly cwd: string;
  readonly host: HostEnvironment;
  readonly ui: UserInterface;
  readonly signal?: AbortSignal | undefined;
  /** The servers of the session that asks, if one does. */
  readonly session?: SessionMcp | undefined;
  /** How the user calls commands, `robota ` by default. */
  readonly prefix?: CommandPrefix;
  readonly trustProject?: boolean;
  /** Shows progress to the user. */
  say(text: string): void | Promise<void>;
}

/** The result of a request. */
export interface McpAnswer {
  readonly text: string;
  readonly isOk: boolean;
  /** Set where the text is what was asked for, also when something in it is not well. */
  readonly isReport?: boolean;
  /** For programs. */
  readonly data?: unknown;
}

/** The words of a request, read. */
export type McpRequest = ReadOptions;

/**
 * Reads options up to `most` words; behind them, and behind `--`, everything is the command of the server. Several
 * variables may follow one `--env`.
 */
export function readMcpRequest(given: readonly string[], most = Number.POSITIVE_INFINITY): McpRequest {
  return readOptions(given, requestOptions(mcpRow), {
    endsAfter: (words) => words.length >= most && !isWhole(words.at(-1)),
    takesMore: ({ name }, word) => name === 'env' && /^[A-Za-z_]\w*=/.test(word),
    advice: 'Put options of the server itself after --.',
  });
}

/** An address and a definition have no options of their own. */
function isWhole(word = ''): boolean {
  return /^(?:https?:\/\/|\{)/i.test(word);
}

/** The single name that a request needs. */
export function onlyName({ words }: McpRequest, verb: string): string {
  const [name, ...rest] = words;
  if (name !== undefined && rest.length === 0) return name;
  throw new AgentError('usage', `Use: {robota}mcp ${verb} NAME.`);
}
