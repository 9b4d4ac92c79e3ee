import { isWithin } from '@robota-sdk/agent-core';
import {
  AgentError,
  type InteractiveSession,
  type JsonObject,
  type JsonValue,
  type ThinkingLevel,
} from '@robota-sdk/agent-sdk/front-end';
import type { ThinkingDisplay } from '../output/message-events.ts';
import type { SessionUsage } from '../output/session-usage.ts';
import type { ChannelInterface } from './channel-interface.ts';
import type { ProgramServerMessages } from './program-servers.ts';

/** The session and state that control requests act on. */
export interface ControlSubject {
  readonly session: InteractiveSession;
  readonly servers: ProgramServerMessages;
  /** Asks the program; absent where what needs a yes is denied. */
  readonly ui?: ChannelInterface | undefined;
  readonly version: string;
  /** The initial model and thinking, so that a program can restore them. */
  readonly first: {
    readonly model: string;
    readonly thinking: ThinkingLevel;
    readonly hidesThinking: boolean;
  };
  readonly display: ThinkingDisplay;
  readonly usage: SessionUsage;
  /** The leaf before each prompt that has an id. */
  readonly prompts: ReadonlyMap<string, string | null>;
}

/** Does what one kind of request asks for; throws what the program can act on. The signal ends it where it takes long. */
export type ControlHandler = (
  subject: ControlSubject,
  request: JsonObject,
  signal?: AbortSignal,
) => Promise<JsonObject>;

/** A field of a request that must be a text. */
export function requiredText(request: string, field: string, value: JsonValue | undefined): string {
  if (typeof value === 'string' && value !== '') return value;
  throw new AgentError('usage', `${request} needs "${field}".`);
}

/** The kind of file that something is from, in the words of Claude Code; flags and built-in things are in no file. */
export function settingsSource(origin: string, cwd: string): string {
  if (!origin.endsWith('.json')) return 'cliArg';
  if (!isWithin(cwd, origin)) return 'userSettings';
  return origin.endsWith('.local.json') ? 'localSettings' : 'projectSettings';
}
