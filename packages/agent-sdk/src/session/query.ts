import {
  AgentError,
  type AgentEvent,
  type Extension,
  type ExtensionHost,
  given,
  type JsonObject,
  notifyAll,
  type UserContent,
} from '@robota-sdk/agent-core';
import { checkOptions } from '../assembly/check-options.ts';
import {
  type InteractiveSessionOptions,
  openInteractiveSession,
  type SessionChoice,
} from './create-interactive-session.ts';
import type { InteractiveSession } from './interactive-session.ts';
import { Query } from './query-run.ts';

/** What a question may set: everything a session can be made with, and what concerns the question alone. */
export interface QueryOptions extends InteractiveSessionOptions {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
  /** Adds tools, hooks and commands for this question, as an extension does. */
  readonly setup?: (host: ExtensionHost<InteractiveSession>) => void | Promise<void>;
  readonly signal?: AbortSignal;
  /** Kept on disk like a session of the command line; off unless asked for. */
  readonly persist?: boolean;
  /** Go on in a kept session: its id, name or path. */
  readonly resume?: string;
  /** Go on in the last session of the directory. */
  readonly continue?: boolean;
  /** The answer must conform to this JSON Schema; `result` has it as a value. */
  readonly jsonSchema?: JsonObject;
  readonly onTextDelta?: (delta: string) => void;
  /** A tool that the vendor runs itself, such as web search. */
  readonly onServerToolUse?: (name: string, summary: string) => void;
  readonly onEvent?: (event: AgentEvent) => void;
}

/** A question with its options, in one. */
export interface QueryRequest extends QueryOptions {
  readonly prompt: string | readonly UserContent[];
}

/**
 * Answers one prompt with the tools and settings of a directory. Awaited it gives the answer, or throws an `AgentError`;
 * iterated it gives every event. The prompt is text for the model: commands and mentions in it are for `dispatchInput`.
 */
export function query(prompt: string | readonly UserContent[], options?: QueryOptions): Query;
export function query(request: QueryRequest): Query;
export function query(
  asked: string | readonly UserContent[] | QueryRequest,
  options: QueryOptions = {},
): Query {
  const request: QueryRequest = isRequest(asked) ? asked : { ...options, prompt: asked };
  const { prompt, signal, jsonSchema } = request;
  return new Query({
    signal,
    open: async () => {
      checkOptions('query', request);
      assertPrompt(prompt);
      const session = await openInteractiveSession(setupOf(request));
      session.on('event', (event) => report(event, request));
      return session;
    },
    ask: (session, stop) => session.submit(prompt, { signal: stop, ...given('jsonSchema', jsonSchema) }),
  });
}

function isRequest(asked: string | readonly UserContent[] | QueryRequest): asked is QueryRequest {
  return typeof asked === 'object' && asked !== null && 'prompt' in asked;
}

/** An empty prompt is a mistake of the program: it would be answered with something nobody asked for. */
function assertPrompt(prompt: unknown): void {
  if (typeof prompt !== 'string' && !Array.isArray(prompt))
    throw new AgentError('usage', 'query: there is no prompt. Write query("What does this do?", options).');
  const isBlank = (block: unknown) => {
    const { type, text } = (block ?? {}) as { readonly type?: unknown; readonly text?: unknown };
    return type === 'text' && String(text ?? '').trim() === '';
  };
  const isEmpty = typeof prompt === 'string' ? prompt.trim() === '' : prompt.every(isBlank);
  if (isEmpty) throw new AgentError('usage', 'query: the prompt is empty. Say what is asked.');
}

function setupOf(request: QueryRequest): InteractiveSessionOptions {
  const { allow = [], ask = [], deny = [], rules = {}, setup, extensions = [] } = request;
  const inline: Extension<InteractiveSession>[] = setup ? [{ name: 'query', setup }] : [];
  return {
    ...request,
    rules: {
      allow: [...(rules.allow ?? []), ...allow],
      ask: [...(rules.ask ?? []), ...ask],
      deny: [...(rules.deny ?? []), ...deny],
    },
    extensions: [...inline, ...extensions],
    store: storeOf(request),
  };
}

function storeOf(request: QueryRequest): SessionChoice {
  const { store, resume, persist, continue: latest } = request;
  const given = Object.entries({ store, resume, continue: latest || undefined }).filter(
    ([, value]) => value !== undefined,
  );
  if (given.length > 1) {
    const names = given.map(([name]) => name).join('" and "');
    throw new AgentError('usage', `The options "${names}" can not be used together.`);
  }
  if (resume !== undefined) return { open: resume };
  if (latest) return 'latest';
  return store ?? (persist ? 'new' : 'none');
}

/** A callback that returns a promise is waited for, like every listener. */
function report(event: AgentEvent, request: QueryRequest): void | Promise<void> {
  const callbacks = [
    () => request.onEvent?.(event),
    () => event.type === 'text-delta' && request.onTextDelta?.(event.text),
    () =>
      event.type === 'server-tool' && request.onServerToolUse?.(event.content.name, event.content.summary),
  ];
  return notifyAll(callbacks, undefined);
}
