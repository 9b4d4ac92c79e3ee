import {
  AgentError,
  type Message,
  pluralize,
  type ToolCallContent,
  tellingArgument,
  toolCallsOf,
} from '@robota-sdk/agent-core';
import type { ViewedMessage } from '../entry/build-context.ts';
import { canDrop, canFold, type EditState, folded, withoutDropped } from '../entry/context-edit.ts';
import { isRequest } from '../entry/is-request.ts';
import { repairMessages } from '../entry/repair.ts';
import { estimateAll, estimateTokens } from '../window/context-window.ts';
import { type ContextSource, fixedTokens, measureContext } from './context-report.ts';
import { itemTitles } from './item-titles.ts';
import { timeAfter } from './time-after.ts';

/** One row of the window's contents. */
export interface ContextItem {
  /** The system prompt and the tools, a large message, the small results, or the rest of the conversation. */
  readonly kind: 'fixed' | 'message' | 'results' | 'conversation';
  /** The number of a large message, from 1; 0 for others. */
  readonly number: number;
  readonly title: string;
  /** Tokens in the window now, scaled to the vendor's count. */
  readonly tokens: number;
  /** Tokens when it is whole. */
  readonly wholeTokens: number;
  readonly state: EditState | 'pruned';
  readonly isPinned: boolean;
  readonly canDrop: boolean;
  readonly messageId?: string;
  /** The prompt it belongs to, counted from 1 in the visible part. */
  readonly turn?: number;
}

/** The effect of edits before they are made. */
export interface EditPreview {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** Tokens that the vendor has to cache again, since something before them changes. */
  readonly recachedTokens: number;
  /** US dollars for caching them again; absent if no price is known. */
  readonly recacheCost?: number;
}

/** The visible messages and what is known about the requests they are part of. */
export interface EditableContext extends ContextSource {
  readonly view: readonly ViewedMessage[];
  readonly cwd: string;
}

/** Smaller messages share one row. */
const largeTokens = 500;

/** The contents of the window by row: large messages separately, oldest first, the rest together. */
export function contextItems(context: EditableContext): readonly ContextItem[] {
  const { scale, usedTokens } = measureContext(context);
  const amount = (tokens: number) => Math.round(tokens * scale);
  const large = largeItems(context, amount);
  const own = new Set(large.map(({ messageId }) => messageId));
  const small = context.messages.filter(({ id, role }) => role === 'tool' && !own.has(id));
  const fixed = amount(fixedTokens(context));
  const results = amount(estimateAll(small));
  const inLarge = large.reduce((sum, { tokens }) => sum + tokens, 0);
  const rest = Math.max(0, usedTokens - fixed - results - inLarge);
  const plain = { number: 0, state: 'whole', isPinned: false, canDrop: false } as const;
  const tools = pluralize(context.tools.length, 'tool');
  const row = (kind: ContextItem['kind'], title: string, tokens: number): ContextItem[] =>
    tokens === 0 ? [] : [{ ...plain, kind, title, tokens, wholeTokens: tokens }];
  return [
    ...row('fixed', `System prompt and ${tools}`, fixed),
    ...large,
    ...row('results', pluralize(small.length, 'small result'), results),
    ...row('conversation', 'Prompts and answers', rest),
  ];
}

function largeItems(
  { view, messages, pins, cwd }: EditableContext,
  amount: (tokens: number) => number,
): readonly ContextItem[] {
  const pinned = new Set(pins.flatMap(({ messageId }) => messageId ?? []));
  const present = new Map(messages.map((message) => [message.id, message]));
  const titles = new Titles(view, cwd);
  let number = 0;
  return view.flatMap(({ original, state }): ContextItem[] => {
    const turn = titles.read(original);
    const isPinned = pinned.has(original.id);
    const isLarge = estimateTokens(original) >= largeTokens;
    if (!canFold(original) || !(isLarge || state !== 'whole' || isPinned)) return [];
    const now = present.get(original.id);
    number++;
    return [
      {
        kind: 'message',
        number,
        title: titles.of(original),
        tokens: now ? amount(estimateTokens(now)) : 0,
        wholeTokens: amount(estimateTokens(original)),
        state,
        isPinned,
        canDrop: canDrop(original),
        messageId: original.id,
        ...(turn > 0 ? { turn } : {}),
      },
    ];
  });
}

/** Describes messages by their call: `Read src/cart.js`, `$ npm test`. */
class Titles {
  readonly #cwd: string;
  readonly #calls = new Map<string, ToolCallContent>();
  readonly #titles: ReadonlyMap<string, string>;
  #turn = 0;

  constructor(view: readonly ViewedMessage[], cwd: string) {
    this.#cwd = cwd;
    this.#titles = itemTitles(view.map(({ original }) => original));
  }

  /** Reads the next message; returns the number of its turn. */
  read(message: Message): number {
    for (const call of toolCallsOf(message)) this.#calls.set(call.id, call);
    if (isRequest(message)) this.#turn++;
    return this.#turn;
  }

  of(message: Message): string {
    const call = message.role === 'tool' ? this.#calls.get(message.toolCallId) : undefined;
    if (!call) return (this.#titles.get(message.id) ?? '').replace(/^prompt: /, '> ');
    const argument = tellingArgument(call).replace(/\s+/g, ' ').trim();
    const short = argument.startsWith(`${this.#cwd}/`) ? argument.slice(this.#cwd.length + 1) : argument;
    return call.name === 'Bash' ? `$ ${short}` : `${call.name} ${short}`.trim();
  }
}

/** Throws if an edit names a message that does not exist or must stay. */
export function assertEditable(
  { view, pins }: EditableContext,
  states: ReadonlyMap<string, EditState>,
): void {
  const pinned = new Set(pins.flatMap(({ messageId }) => messageId ?? []));
  const known = new Map(view.map(({ original }) => [original.id, original]));
  for (const [id, state] of states) {
    const message = known.get(id);
    if (!message) throw new AgentError('usage', `The context has no message ${id}.`);
    if (state === 'whole') continue;
    if (pinned.has(id)) throw new AgentError('usage', 'This message is pinned. Unpin it first.');
    if (!(state === 'folded' ? canFold(message) : canDrop(message)))
      throw new AgentError('usage', `This message cannot be ${state}.`);
  }
}

/** The conversation with other states of some messages, as it will be sent. */
function editedMessages(
  view: readonly ViewedMessage[],
  states: ReadonlyMap<string, EditState>,
): readonly Message[] {
  const at = timeAfter(view.map(({ shown }) => shown));
  const dropped = new Map<string, number>();
  const shown = view.map((viewed) => {
    const state = states.get(viewed.original.id);
    const since = state === 'dropped' ? at : state === undefined ? viewed.droppedAt : undefined;
    if (since !== undefined) dropped.set(viewed.original.id, since);
    if (state === undefined || state === viewed.state) return viewed.shown;
    return state === 'whole' ? viewed.original : folded(viewed.original, at);
  });
  return repairMessages(withoutDropped(shown, dropped));
}

/** Computes what edits save, and what they cost because the vendor caches only an unchanged beginning. */
export function previewContextEdit(
  context: EditableContext,
  states: ReadonlyMap<string, EditState>,
): EditPreview {
  const { scale, usedTokens, cachedTokens } = measureContext(context);
  const before = context.messages;
  const after = editedMessages(context.view, states);
  const same = after.findIndex((message, index) => !isSame(message, before[index]));
  const start = same < 0 ? after.length : same;
  const sizeOf = (messages: readonly Message[]) => estimateAll(messages) * scale;
  const saved = sizeOf(before) - sizeOf(after);
  const beginning = fixedTokens(context) * scale + sizeOf(before.slice(0, start));
  const isChanged = start < Math.max(before.length, after.length);
  // The part of the cached tokens after the change that remains.
  const cached = Math.max(0, cachedTokens - beginning - Math.max(0, saved));
  const recachedTokens = isChanged ? Math.round(Math.min(cached, sizeOf(after.slice(start)))) : 0;
  const { price } = context.model;
  const cost = price && ((price.cacheWrite ?? price.input) * recachedTokens) / 1_000_000;
  return {
    tokensBefore: usedTokens,
    tokensAfter: Math.max(0, Math.round(usedTokens - saved)),
    recachedTokens,
    ...(cost === undefined ? {} : { recacheCost: cost }),
  };
}

function isSame(message: Message, other: Message | undefined): boolean {
  return (
    message === other ||
    (message.id === other?.id && JSON.stringify(message.content) === JSON.stringify(other.content))
  );
}
