import type { HostEnvironment } from '@robota-sdk/agent-config';
import { AgentError, type CommandOption, nearest, type UserInterface } from '@robota-sdk/agent-core';
import type { SessionMcp } from '@robota-sdk/agent-resources';
import { mcpRow } from './admin-rows.ts';
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
export interface McpRequest {
  readonly words: readonly string[];
  has(name: string): boolean;
  value(name: string): string | undefined;
  values(name: string): readonly string[];
}

/**
 * Reads options up to `most` words; behind them, and behind `--`, everything is the command of the server. Several
 * variables may follow one `--env`.
 */
export function readMcpRequest(given: readonly string[], most = Number.POSITIVE_INFINITY): McpRequest {
  const words: string[] = [];
  const options = new Map<string, string[]>();
  let last = '';
  for (let at = 0; at < given.length; at++) {
    const word = given[at] ?? '';
    if (word === '--' || (words.length >= most && !isWhole(words.at(-1)))) {
      words.push(...given.slice(word === '--' ? at + 1 : at));
      break;
    }
    if (!/^--?[A-Za-z]/.test(word)) {
      if (last === 'env' && /^[A-Za-z_]\w*=/.test(word)) options.get('env')?.push(word);
      else words.push(word);
      continue;
    }
    const [, written = '', inline] = /^--?([^=]*)(?:=(.*))?$/s.exec(word) ?? [];
    const { name, value: takesValue } = optionCalled(written);
    const value = takesValue ? (inline ?? given[++at] ?? missing(name)) : '';
    options.set(name, [...(options.get(name) ?? []), value]);
    last = name;
  }
  return {
    words,
    has: (name) => options.has(name),
    value: (name) => options.get(name)?.at(-1),
    values: (name) => options.get(name) ?? [],
  };
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

function optionCalled(written: string): CommandOption {
  const options = (mcpRow.options ?? []).filter(({ isShellOnly }) => !isShellOnly);
  const known = options.find(({ name, short }) => name === written || short === written);
  if (known) return known;
  const [near] = nearest(
    written,
    options.map(({ name }) => name),
  );
  const hint = near === undefined ? '' : ` Did you mean --${near}?`;
  throw new AgentError(
    'usage',
    `Unknown option --${written}.${hint} Put options of the server itself after --.`,
  );
}

function missing(name: string): never {
  throw new AgentError('usage', `--${name} needs a value.`);
}
