import { anyValue, checkArguments, objectInstance } from '@robota-sdk/agent-core';
import type { Conversation } from '@robota-sdk/agent-sessions';
import { type AssemblyOptions, createConversation } from '../assembly/assemble-session.ts';
import type { Prompt, QueryOptions, SessionOptions } from './options.ts';
import { Robota } from './robota.ts';
import type { Run } from './run.ts';
import type { Session } from './session.ts';

let client: Robota | undefined;

/** The client of the process: its home and its environment. */
function processClient(): Robota {
  client ??= new Robota();
  return client;
}

/**
 * Runs one prompt with the settings, tools and instructions of a directory. Await it for the answer, iterate it for its
 * events. Nothing is stored unless `session` says so.
 */
export function query(prompt: Prompt, options?: Omit<QueryOptions, 'output'>): Run<string>;
export function query<T>(prompt: Prompt, options: QueryOptions<T>): Run<T>;
export function query(request: Omit<QueryOptions, 'output'> & { readonly prompt: Prompt }): Run<string>;
export function query<T>(request: QueryOptions<T> & { readonly prompt: Prompt }): Run<T>;
export function query<T>(
  asked: Prompt | (QueryOptions<T> & { readonly prompt: Prompt }),
  options: QueryOptions<T> = {},
): Run<T> {
  checkArguments('query', { prompt: [asked, anyValue] });
  if (typeof asked !== 'object' || asked === null || !('prompt' in asked))
    return processClient().query<T>(asked, options);
  const { prompt, ...rest } = asked;
  return processClient().query<T>(prompt, rest as QueryOptions<T>);
}

/**
 * Creates a conversation; its files are read with its first prompt. With `config` and `context` from `loadConfig` and
 * `loadContext`, it is created from those directly.
 */
export function createSession(options?: SessionOptions): Session;
export function createSession(parts: AssemblyOptions): Conversation;
export function createSession(options: SessionOptions | AssemblyOptions = {}): Session | Conversation {
  checkArguments('createSession', { options: [options, objectInstance] });
  const isAssembled = 'config' in options || 'context' in options;
  return isAssembled
    ? createConversation(options as AssemblyOptions)
    : processClient().createSession(options);
}
