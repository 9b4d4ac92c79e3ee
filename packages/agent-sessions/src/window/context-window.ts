import {
  type Content,
  GrowingFold,
  type Message,
  type Model,
  totalTokens,
  type Usage,
} from '@robota-sdk/agent-core';

/** How full a model's window is. */
export interface ContextState {
  readonly usedTokens: number;
  readonly maxTokens: number;
  /** 0 to 100, also when more is used than fits. */
  readonly usedPercentage: number;
  readonly remainingPercentage: number;
}

/** When a conversation counts as too long. */
export interface ThresholdOptions {
  /** The part of the window that may be used, 0 to 1. */
  readonly ratio?: number;
  /** Tokens that must stay free for the answer. */
  readonly reserveTokens?: number;
}

const charactersPerToken = 4;
const imageTokens = 1_200;
const messageTokens = 4;

/** When a conversation is made shorter unless the settings say otherwise. */
export const defaultCompaction = {
  enabled: true,
  ratio: 0.835,
  reserveTokens: 16_384,
  keepRecentTokens: 20_000,
};

/** Known token counts besides the messages, if no vendor has counted them. */
export interface KnownTokens {
  /** The system prompt and the tools. */
  fixed?(): number;
  /** The size after a compaction, with the last message at that time. */
  readonly assessed?: { readonly last: Message; readonly tokens: number } | undefined;
}

/** How much of the window a conversation uses: the vendor's last count, and an estimate of later messages. */
export function contextState(
  messages: readonly Message[],
  model: Pick<Model, 'contextWindow'>,
  known: KnownTokens = {},
): ContextState {
  const usedTokens = contextTokens(messages, known);
  const maxTokens = model.contextWindow;
  const share = maxTokens > 0 ? (usedTokens / maxTokens) * 100 : 100;
  const usedPercentage = Math.min(100, Math.round(share * 10) / 10);
  const remainingPercentage = Math.round((100 - usedPercentage) * 10) / 10;
  return { usedTokens, maxTokens, usedPercentage, remainingPercentage };
}

/** Tokens of a whole conversation, including the system prompt and tools if known. */
export function contextTokens(messages: readonly Message[], known: KnownTokens = {}): number {
  const measured = lastMeasured(messages) ?? assessedIn(messages, known);
  let tokens = measured?.tokens ?? known.fixed?.() ?? 0;
  for (let index = measured ? measured.index + 1 : 0; index < messages.length; index++) {
    const message = messages[index];
    if (message) tokens += estimateTokens(message);
  }
  return tokens;
}

function assessedIn(messages: readonly Message[], { assessed }: KnownTokens) {
  const index = assessed ? messages.lastIndexOf(assessed.last) : -1;
  return assessed && index >= 0 ? { index, tokens: assessed.tokens } : undefined;
}

/** The number of tokens above which the conversation is made shorter. */
export function compactionThreshold(contextWindow: number, options: ThresholdOptions = {}): number {
  const { ratio, reserveTokens } = { ...defaultCompaction, ...options };
  const threshold = Math.min(contextWindow * ratio, contextWindow - reserveTokens);
  // The reserve of large windows would leave nothing of a small one.
  return Math.floor(Math.max(threshold, Math.min(contextWindow * ratio, contextWindow / 2)));
}

/** True if it is time to compact. */
export function needsCompaction(
  messages: readonly Message[],
  model: Pick<Model, 'contextWindow'>,
  options: ThresholdOptions = {},
): boolean {
  return contextTokens(messages) > compactionThreshold(model.contextWindow, options);
}

/** A guess at the tokens of one message: a quarter of its characters. */
export function estimateTokens(message: Message): number {
  const known = estimates.get(message);
  if (known !== undefined) return known;
  let tokens = messageTokens;
  for (const block of message.content) tokens += estimateBlock(block);
  estimates.set(message, tokens);
  return tokens;
}

/** Estimated tokens of messages, ignoring vendor counts. */
export function estimateAll(messages: readonly Message[]): number {
  return messages.reduce((sum, message) => sum + estimateTokens(message), 0);
}

/** Cached, because messages never change and long conversations are measured often. */
const estimates = new WeakMap<Message, number>();

/** A guess at the tokens of one block. */
export function estimateBlock(block: Content): number {
  switch (block.type) {
    case 'text':
    case 'thinking':
      return tokensOfCharacters(block.text.length);
    case 'image':
      return imageTokens;
    case 'tool-call':
      return tokensOfCharacters(block.name.length + JSON.stringify(block.input).length);
    case 'server-tool':
      return tokensOfCharacters(JSON.stringify(block.vendorData).length);
  }
}

/** A guess at the tokens of a text of that many characters. */
export function tokensOfCharacters(count: number): number {
  return Math.ceil(count / charactersPerToken);
}

/** Token usage of the last answer, if it is still valid. */
export function lastUsage(messages: readonly Message[]): Usage | undefined {
  const measured = lastMeasured(messages);
  const message = measured && messages[measured.index];
  return message?.role === 'assistant' ? message.usage : undefined;
}

interface Measured {
  readonly index: number;
  readonly tokens: number;
}

interface Look {
  newest: number;
  /** Estimated tokens of the text so far. */
  text: number;
  measured: Measured | undefined;
}

/** Cached, because the screen asks with every frame. */
const looks = new GrowingFold<Message, Look>(() => ({ newest: 0, text: 0, measured: undefined }), lookAt);

/** No tokenizer needs less than this part of an estimate for text. */
const leastCounted = 1 / 8;

/**
 * The last valid vendor count. A count is invalid if an earlier message is newer than it: then a summary or a pruned
 * result replaced what was counted. It is also invalid if it is too small for the text: some servers leave out
 * what they had cached, or count nothing.
 */
function lastMeasured(messages: readonly Message[]): Measured | undefined {
  return looks.of(messages).measured;
}

function lookAt(look: Look, message: Message, index: number): Look {
  const isAnswer =
    message.role === 'assistant' && message.stopReason !== 'error' && message.stopReason !== 'aborted';
  const tokens = isAnswer && message.timestamp >= look.newest ? totalTokens(message.usage) : 0;
  for (const block of message.content) if (block.type === 'text') look.text += estimateBlock(block);
  if (tokens > look.text * leastCounted) look.measured = { index, tokens };
  look.newest = Math.max(look.newest, message.timestamp);
  return look;
}
