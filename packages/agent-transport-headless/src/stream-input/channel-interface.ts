import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  type Answer,
  type AskedCall,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Notice,
  type Question,
  type UserInterface,
} from '@robota-sdk/agent-sdk';
import type { ChannelAnswer } from './input-message.ts';

/** Asks the program at the other end of a channel, which answers by the id of the request. */
export class ChannelInterface implements UserInterface {
  readonly #pending = new Map<string, (answer: ChannelAnswer) => void>();
  /** Writes a line; set once there is a session to speak for. */
  send: (message: JsonObject) => void = () => {};
  /** Stops the run; set together with it. */
  interrupt: () => void = () => {};
  #isClosed = false;

  async ask(question: Question, signal?: AbortSignal): Promise<Answer> {
    if (this.#isClosed) return { kind: 'unavailable' };
    const { about } = question.kind === 'select' ? question : {};
    const answer = await this.#request(about ? permissionRequest(about) : questionRequest(question), signal);
    if (!answer) return { kind: 'dismissed' };
    if (!answer.ok) return { kind: 'unavailable' };
    if (!about) return questionAnswer(answer.response);
    if (answer.response.behavior !== 'allow' && answer.response.interrupt === true) this.interrupt();
    return permissionAnswer(answer.response, about);
  }

  notify(_notice: Notice): void {
    // Notices are events of the session, which are told on their own.
  }

  /** Takes an answer; false where nobody asked. */
  settle(id: string, answer: ChannelAnswer): boolean {
    const resolve = this.#pending.get(id);
    this.#pending.delete(id);
    resolve?.(answer);
    return resolve !== undefined;
  }

  /** Nobody answers any more. */
  close(): void {
    this.#isClosed = true;
    for (const id of [...this.#pending.keys()]) this.settle(id, { ok: false, error: 'the input has ended' });
  }

  /** Nothing where the question was taken back. */
  #request(request: JsonObject, signal: AbortSignal | undefined): Promise<ChannelAnswer | undefined> {
    const id = randomUUID();
    return new Promise((resolve) => {
      const cancel = () => {
        if (!this.#pending.delete(id)) return;
        this.send({ type: 'control_cancel_request', request_id: id });
        resolve(undefined);
      };
      this.#pending.set(id, (answer) => {
        signal?.removeEventListener('abort', cancel);
        resolve(answer);
      });
      this.send({ type: 'control_request', request_id: id, request });
      signal?.addEventListener('abort', cancel, { once: true });
      if (signal?.aborted) cancel();
    });
  }
}

const destinations = { session: 'session', project: 'localSettings' } as const;

function permissionRequest({ call, rules, reason, holds }: AskedCall): JsonObject {
  const suggestions = (['session', 'project'] as const)
    .filter((hold) => holds.includes(hold))
    .map((hold) => ({
      type: 'addRules',
      rules: rules.map(ruleObject),
      behavior: 'allow',
      destination: destinations[hold],
    }));
  return {
    subtype: 'can_use_tool',
    tool_name: call.name,
    input: call.input,
    tool_use_id: call.id,
    reason,
    would_allow: [...rules],
    permission_suggestions: suggestions,
  };
}

function ruleObject(rule: string): JsonObject {
  const [, toolName = rule, ruleContent] = /^([^(]+)\((.*)\)$/s.exec(rule) ?? [];
  return { toolName, ...(ruleContent === undefined ? {} : { ruleContent }) };
}

function permissionAnswer(response: JsonObject, { call, rules, holds }: AskedCall): Answer {
  const choose = (hold: AskedCall['holds'][number], text?: string) => {
    const index = holds.indexOf(hold);
    return {
      kind: 'selected',
      indexes: index < 0 ? [] : [index],
      ...(text === undefined ? {} : { text }),
    } as const;
  };
  if (response.behavior !== 'allow')
    return choose('deny', typeof response.message === 'string' ? response.message : undefined);
  const { updatedInput } = response;
  // Rules are about the call that was asked about, so a yes to another holds for that one alone.
  if (isJsonObject(updatedInput) && !isDeepStrictEqual(updatedInput, call.input))
    return { ...choose('once'), input: updatedInput };
  const hold = holdOf(response, rules);
  return holds.includes(hold) ? choose(hold) : choose('once');
}

/** For how long a yes holds: as it says, or by the rules it gives back. */
function holdOf(
  { hold, updatedPermissions }: JsonObject,
  rules: readonly string[],
): 'once' | 'session' | 'project' {
  if (hold === 'session' || hold === 'project') return hold;
  const updates = Array.isArray(updatedPermissions) ? updatedPermissions : [];
  const suggested = rules.map(ruleObject);
  const isOurs = (update: JsonValue, destination: string) =>
    isJsonObject(update) &&
    update.type === 'addRules' &&
    update.behavior === 'allow' &&
    update.destination === destination &&
    isDeepStrictEqual(update.rules, suggested);
  if (updates.some((update) => isOurs(update, destinations.project))) return 'project';
  return updates.some((update) => isOurs(update, destinations.session)) ? 'session' : 'once';
}

function questionRequest(question: Question): JsonObject {
  const { kind, title, detail } = question;
  const shown = { subtype: 'ask_user', kind, title, ...(detail === undefined ? {} : { detail }) };
  if (question.kind !== 'select') return shown;
  const options = question.options.map(({ label, description }) => ({
    label,
    ...(description === undefined ? {} : { description }),
  }));
  return { ...shown, options, multiple: question.multiple ?? false };
}

function questionAnswer({ indexes, text, yes }: JsonObject): Answer {
  if (typeof yes === 'boolean') return { kind: 'confirmed', yes };
  const chosen = Array.isArray(indexes) ? indexes.filter((index) => typeof index === 'number') : undefined;
  const words = typeof text === 'string' ? { text } : {};
  if (chosen) return { kind: 'selected', indexes: chosen, ...words };
  return typeof text === 'string' ? { kind: 'text', text } : { kind: 'dismissed' };
}
