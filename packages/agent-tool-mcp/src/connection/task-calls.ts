import { setTimeout as pause } from 'node:timers/promises';
import type {
  JSONRPCMessage,
  RequestId,
  Transport,
  TransportSendOptions,
} from '@modelcontextprotocol/client';
import {
  anyObject,
  errorMessage,
  isJsonObject,
  type JsonObject,
  jsonCopy,
  number,
  object,
  type TypeOf,
  text,
} from '@robota-sdk/agent-core';

/** The name of the extension, which is announced to servers. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

const defaultPollMs = 1000;
const shortestPollMs = 50;
const longestPollMs = 60_000;
/** How often in a row a task may not be found out about. */
const maxFailures = 3;
/** Marks the answers to questions of a task. */
const statePrefix = `${tasksExtension}:`;

const taskShape = object(
  { taskId: text, status: text },
  {
    statusMessage: text,
    pollIntervalMs: number,
    inputRequests: anyObject,
    result: anyObject,
    error: anyObject,
  },
);

type Task = TypeOf<typeof taskShape>;

interface Call {
  readonly id: RequestId;
  readonly meta: JsonObject;
  readonly signal: AbortSignal;
  cancel(): void;
}

/**
 * Follows the tasks that servers answer calls with (SEP-2663), so that the library sees only their results: asks for the
 * state of a task until it is over, and hands its questions on as those of the call.
 */
export class TaskCalls {
  readonly #transport: Transport;
  readonly #send: Transport['send'];
  readonly #onAlive: () => void;
  readonly #calls = new Map<RequestId, Call>();
  readonly #waiting = new Map<RequestId, (message: JSONRPCMessage) => void>();
  /** The questions of each task that were handed on. */
  readonly #asked = new Map<string, Set<string>>();
  #next = 0;
  #steps = 0;

  /** `onAlive` is called with each sign of life of a task. */
  constructor(transport: Transport, onAlive: () => void) {
    this.#transport = transport;
    this.#onAlive = onAlive;
    this.#send = transport.send.bind(transport);
    transport.send = (message, options) => this.#sent(message, options);
  }

  /** True if a message of the server belongs to a task; the library then does not see it. */
  take(message: JSONRPCMessage): boolean {
    if ('method' in message || message.id === undefined) return false;
    const waiting = this.#waiting.get(message.id);
    if (waiting) {
      waiting(message);
      return true;
    }
    const call = this.#calls.get(message.id);
    const isTask = 'result' in message && message.result.resultType === 'task';
    const task = isTask ? taskShape.parse(message.result) : undefined;
    if (call && task) void this.#follow(call, task.taskId, task.pollIntervalMs);
    else this.#calls.delete(message.id);
    return call !== undefined && task !== undefined;
  }

  async #sent(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if ('method' in message && message.method === 'notifications/cancelled')
      this.#calls.get(message.params?.requestId as RequestId)?.cancel();
    if (!('method' in message && 'id' in message) || message.method !== 'tools/call')
      return this.#send(message, options);
    const { requestState, inputResponses = {}, _meta } = jsonCopy(message.params ?? {});
    const controller = new AbortController();
    const cancel = () => controller.abort();
    options?.requestSignal?.addEventListener('abort', cancel, { once: true });
    const meta = isJsonObject(_meta) ? _meta : {};
    const call = { id: message.id, meta, signal: controller.signal, cancel };
    this.#calls.set(message.id, call);
    if (typeof requestState !== 'string' || !requestState.startsWith(statePrefix))
      return this.#send(message, options);
    const taskId = requestState.slice(statePrefix.length);
    await this.#ask(call, 'tasks/update', { taskId, inputResponses });
    void this.#follow(call, taskId);
  }

  /** Asks for the state of a task until it is over or has a question. */
  async #follow(call: Call, taskId: string, pollMs = 0): Promise<void> {
    let waitMs = pollMs;
    let said: string | undefined;
    for (let failures = 0; failures < maxFailures; ) {
      await pause(Math.min(Math.max(waitMs, shortestPollMs), longestPollMs), undefined, {
        signal: call.signal,
      }).catch(() => {});
      if (call.signal.aborted) {
        this.#calls.delete(call.id);
        return void this.#ask(call, 'tasks/cancel', { taskId });
      }
      const answer = await this.#ask(call, 'tasks/get', { taskId });
      const task = 'result' in answer ? taskShape.parse(answer.result) : undefined;
      failures = task ? 0 : failures + 1;
      if (!task) continue;
      this.#onAlive();
      waitMs = task.pollIntervalMs ?? defaultPollMs;
      if (task.statusMessage !== said) this.#report(call, task.statusMessage);
      said = task.statusMessage;
      const outcome = this.#outcomeOf(task);
      if (outcome) return this.#answer(call, outcome);
    }
    this.#answer(call, failure(`its task ${taskId} could not be followed`));
  }

  /** The answer that a state of a task means; undefined while it is under way. */
  #outcomeOf({
    taskId,
    status,
    statusMessage,
    result,
    error,
    inputRequests = {},
  }: Task): JsonObject | undefined {
    if (status === 'completed') return { result: { resultType: 'complete', ...result } };
    if (status === 'failed') return error ? { error } : failure(statusMessage ?? 'its task failed');
    if (status === 'cancelled') return failure(statusMessage ?? 'its task was cancelled');
    const asked = this.#asked.get(taskId) ?? new Set();
    const questions = Object.entries(inputRequests).filter(([key]) => !asked.has(key));
    if (status !== 'input_required' || questions.length === 0) return undefined;
    this.#asked.set(taskId, new Set([...asked, ...questions.map(([key]) => key)]));
    const requestState = `${statePrefix}${taskId}`;
    return {
      result: { resultType: 'input_required', inputRequests: Object.fromEntries(questions), requestState },
    };
  }

  #answer({ id }: Call, outcome: JsonObject): void {
    this.#calls.delete(id);
    this.#transport.onmessage?.({ jsonrpc: '2.0', id, ...outcome } as JSONRPCMessage);
  }

  #report({ meta: { progressToken } }: Call, message: string | undefined): void {
    if (message === undefined || (typeof progressToken !== 'string' && typeof progressToken !== 'number'))
      return;
    const params = { progressToken, progress: ++this.#steps, message };
    this.#transport.onmessage?.({ jsonrpc: '2.0', method: 'notifications/progress', params });
  }

  /** Resolves with the answer of the server, or an error. */
  async #ask({ meta }: Call, method: string, params: JsonObject): Promise<JSONRPCMessage> {
    const id = `task-${this.#next++}`;
    const { progressToken, ...envelope } = meta;
    const answered = new Promise<JSONRPCMessage>((resolve) => this.#waiting.set(id, resolve));
    const request: JSONRPCMessage = { jsonrpc: '2.0', id, method, params: { ...params, _meta: envelope } };
    const failed = this.#send(request).then(
      () => answered,
      (thrown: unknown) =>
        ({ jsonrpc: '2.0' as const, id, ...failure(errorMessage(thrown)) }) as JSONRPCMessage,
    );
    return failed.finally(() => this.#waiting.delete(id));
  }
}

function failure(message: string): JsonObject {
  return { error: { code: -32_000, message } };
}
