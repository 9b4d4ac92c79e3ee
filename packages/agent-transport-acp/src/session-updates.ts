import { randomUUID } from 'node:crypto';
import type { SessionUpdate } from '@agentclientprotocol/sdk';
import {
  describeLimitWait,
  describeProblem,
  failureName,
  type InteractiveSession,
  type Notice,
  type Problem,
  type SessionEvent,
} from '@robota-sdk/agent-sdk/front-end';
import type { SessionChannel } from './session-channel.ts';
import {
  kindOf,
  locationsOf,
  rawOutputOf,
  resultContent,
  textBlock,
  toolCallTitle,
} from './tool-call-view.ts';

type EventOf<T extends SessionEvent['type']> = Extract<SessionEvent, { type: T }>;
type Call = EventOf<'tool-start'>['call'];

/** How much of what a running call prints is shown. */
const longestProgress = 20_000;

/** Tells an editor what happens in a session, as it happens. */
export class SessionUpdates {
  readonly #channel: SessionChannel;
  readonly #session: InteractiveSession;
  /** Output of running calls. */
  readonly #printed = new Map<string, string>();
  /** Calls the editor knows. */
  readonly #announced = new Set<string>();
  /** Calls whose output the editor shows in a terminal. */
  readonly #inTerminal = new Map<string, string>();
  #messageId: string = randomUUID();
  #compactionId: string = randomUUID();

  constructor(channel: SessionChannel, session: InteractiveSession) {
    this.#channel = channel;
    this.#session = session;
  }

  /** Tells what an event means for the editor. */
  handle(event: SessionEvent): void | Promise<void> {
    switch (event.type) {
      case 'turn-start':
      case 'text-restart':
        this.#messageId = randomUUID();
        return;
      case 'text-delta':
        return this.say(event.text);
      case 'thinking-delta':
        return this.#send({ sessionUpdate: 'agent_thought_chunk', ...this.#chunk(event.text) });
      case 'message-append':
        return this.#announceCalls(event);
      case 'tool-start':
        return this.#start(event);
      case 'tool-progress':
        return this.#progress(event);
      case 'tool-end':
        return this.#end(event);
      case 'server-tool':
        return this.#serverTool(event);
      case 'notice-show':
        return this.notice(event);
      case 'retry-wait':
        return this.notice({ level: 'warning', text: retryText(event) });
      case 'limit-wait':
        return this.#limitWait(describeLimitWait(event));
      case 'model-switch':
        return this.notice({
          level: 'warning',
          text: `${event.from.id} failed (${failureName(event.failure.code)}); continuing with ${event.to.id}`,
        });
      case 'compaction-start':
      case 'compaction-end':
        return this.#compaction(event);
      case 'turn-end':
        return this.usage();
      default:
        return;
    }
  }

  /** Says something as the agent. */
  say(text: string): Promise<void> {
    return this.#send({ sessionUpdate: 'agent_message_chunk', ...this.#chunk(text) });
  }

  /** Tells something that is no part of the conversation; editors that have no place for it find it in the log. */
  async notice({ level, text }: Notice, data: { readonly problem?: Problem } = {}): Promise<void> {
    const { client } = this.#channel;
    client.log(this.#session.redact(`${level}: ${text}`));
    const meta = data.problem === undefined ? {} : { _meta: { 'robota/problem': data.problem } };
    if (client.capabilities.session?.notices)
      await this.#send({ sessionUpdate: 'notice', severity: level, title: text, ...meta });
  }

  /** A run that waits for hours must not look dead: editors without notices are told as the agent's thought. */
  async #limitWait(text: string): Promise<void> {
    await this.notice({ level: 'warning', text });
    if (!this.#channel.client.capabilities.session?.notices)
      await this.#send({ sessionUpdate: 'agent_thought_chunk', ...this.#chunk(`${text}\n`) });
  }

  /** Reports a problem as a notice, with the problem itself for editors that can show more. */
  async problem(problem: Problem): Promise<void> {
    await this.notice({ level: problem.severity, text: describeProblem(problem) }, { problem });
  }

  /** Shows a terminal of the editor instead of what a call prints. */
  async showTerminal(callId: string, terminalId: string): Promise<void> {
    if (!this.#announced.has(callId)) return;
    this.#inTerminal.set(callId, terminalId);
    await this.#send({
      sessionUpdate: 'tool_call_update',
      toolCallId: callId,
      content: [{ type: 'terminal', terminalId }],
    });
  }

  /** How full the window is, and what was spent. */
  async usage(): Promise<void> {
    const { usedTokens, maxTokens } = this.#session.getContextState();
    const { cost } = this.#session.totals;
    await this.#send({
      sessionUpdate: 'usage_update',
      used: usedTokens,
      size: maxTokens,
      ...(cost > 0 ? { cost: { amount: cost, currency: 'USD' } } : {}),
    });
  }

  /** Tells of a call before it may run, so that a question about it has something to stand beside. */
  async announce(call: Call, access: EventOf<'tool-start'>['access'] = []): Promise<void> {
    if (this.#announced.has(call.id)) return;
    this.#announced.add(call.id);
    await this.#send({
      sessionUpdate: 'tool_call',
      toolCallId: call.id,
      title: toolCallTitle(call),
      name: call.name,
      kind: kindOf(call, access),
      status: 'pending',
      rawInput: call.input,
      ...(access.length > 0 ? { locations: locationsOf(call, access) } : {}),
    });
  }

  async #announceCalls({ message }: EventOf<'message-append'>): Promise<void> {
    if (message.role !== 'assistant') return;
    for (const block of message.content) if (block.type === 'tool-call') await this.announce(block);
  }

  async #start({ call, access }: EventOf<'tool-start'>): Promise<void> {
    await this.announce(call, access);
    await this.#send({
      sessionUpdate: 'tool_call_update',
      toolCallId: call.id,
      status: 'in_progress',
      kind: kindOf(call, access),
      locations: locationsOf(call, access),
      rawInput: call.input,
    });
  }

  async #progress({ toolCallId, text }: EventOf<'tool-progress'>): Promise<void> {
    if (this.#inTerminal.has(toolCallId)) return;
    const printed = ((this.#printed.get(toolCallId) ?? '') + text).slice(-longestProgress);
    this.#printed.set(toolCallId, printed);
    await this.#send({ sessionUpdate: 'tool_call_update', toolCallId, content: [textBlock(printed)] });
  }

  async #end({ call, status, result }: EventOf<'tool-end'>): Promise<void> {
    const terminalId = this.#inTerminal.get(call.id);
    this.#printed.delete(call.id);
    this.#inTerminal.delete(call.id);
    this.#announced.delete(call.id);
    const { cwd } = this.#session.place;
    await this.#send({
      sessionUpdate: 'tool_call_update',
      toolCallId: call.id,
      status: status === 'success' ? 'completed' : 'failed',
      content: terminalId === undefined ? resultContent(result, cwd) : [{ type: 'terminal', terminalId }],
      rawOutput: rawOutputOf(result),
    });
    if (result.display?.kind === 'todos') await this.#send(planOf(result.display.items));
  }

  async #serverTool({ content }: EventOf<'server-tool'>): Promise<void> {
    const { id, name, summary, phase } = content;
    if (phase === 'call')
      return this.#send({
        sessionUpdate: 'tool_call',
        toolCallId: id,
        title: `${name} ${summary}`.trim(),
        name,
        kind: 'fetch',
        status: 'in_progress',
      });
    await this.#send({
      sessionUpdate: 'tool_call_update',
      toolCallId: id,
      status: 'completed',
      content: [textBlock(summary)],
    });
  }

  async #compaction(event: EventOf<'compaction-start'> | EventOf<'compaction-end'>): Promise<void> {
    const isStart = event.type === 'compaction-start';
    if (isStart) this.#compactionId = randomUUID();
    if (!this.#channel.client.capabilities.session?.compaction) {
      const text = isStart ? 'The conversation is being summarized.' : (event.notice ?? 'It was summarized.');
      return this.notice({ level: 'info', text });
    }
    await this.#send({
      sessionUpdate: 'compaction_update',
      compactionId: this.#compactionId,
      status: isStart ? 'in_progress' : event.kind === 'unchanged' ? 'failed' : 'completed',
      ...(!isStart && event.kind === 'unchanged' && event.notice !== undefined
        ? { error: event.notice }
        : {}),
    });
  }

  #chunk(text: string) {
    return { content: { type: 'text', text } as const, messageId: this.#messageId };
  }

  #send(update: SessionUpdate): Promise<void> {
    return this.#channel.update(update);
  }
}

/** The todos as the plan an editor shows. */
export function planOf(items: readonly { readonly text: string; readonly status: string }[]): SessionUpdate {
  return {
    sessionUpdate: 'plan',
    entries: items.map(({ text, status }) => ({
      content: text,
      priority: 'medium',
      status: status === 'completed' || status === 'in_progress' ? status : 'pending',
    })),
  };
}

function retryText({ model, attempt, maxAttempts, delayMs, failure }: EventOf<'retry-wait'>): string {
  const seconds = Math.max(1, Math.round(delayMs / 1000));
  return `waiting for ${model.vendor}, retry ${attempt} of ${maxAttempts} in ${seconds} s (${failureName(failure.code)})`;
}
