import type { AnyTool, Message, Model, Usage } from '@robota-sdk/agent-core';
import { isBranchSummary } from '../entry/project-entry.ts';
import { summaryOf } from '../entry/summary-message.ts';
import {
  compactionThreshold,
  contextState,
  estimateAll,
  estimateBlock,
  estimateTokens,
  type KnownTokens,
  lastUsage,
  type ThresholdOptions,
  tokensOfCharacters,
} from '../window/context-window.ts';
import type { Pin } from './pins.ts';
import type { PrefixBreak } from './prefix-watch.ts';
import { withoutVerbatim } from './verbatim.ts';

export type ContextPartKind =
  | 'tool'
  | 'system'
  | 'instructions'
  | 'summary'
  | 'pins'
  | 'prompts'
  | 'recalled'
  | 'reminders'
  | 'answers'
  | 'thinking'
  | 'tool-calls'
  | 'tool-results'
  | 'other';

/** Something that fills the window. */
export interface ContextPart {
  readonly kind: ContextPartKind;
  /** The tool or the file; empty if the kind is enough. */
  readonly name: string;
  /** An estimate, scaled to the vendor's count if there is one. */
  readonly tokens: number;
  /** The share of it that the vendor read from its cache or wrote to it last time. */
  readonly cachedTokens: number;
}

/** The contents of the window, in the order in which vendors read them. */
export interface ContextReport {
  readonly parts: readonly ContextPart[];
  readonly usedTokens: number;
  /** True if a vendor has counted most of it; false if everything is estimated. */
  readonly isCounted: boolean;
  readonly maxTokens: number;
  readonly freeTokens: number;
  /** Tokens above the point at which the conversation is compacted. */
  readonly reserveTokens: number;
  /** Token usage of the last answer. */
  readonly lastUsage?: Usage;
  readonly prefixBreak?: PrefixBreak;
}

export interface ContextSource {
  readonly messages: readonly Message[];
  readonly model: Model;
  readonly systemMessage: string;
  readonly tools: readonly AnyTool[];
  /** The files whose text is a part of the system message. */
  readonly instructions: readonly { readonly path: string; readonly text: string }[];
  readonly pins: readonly Pin[];
  readonly threshold: ThresholdOptions;
  readonly prefixBreak: PrefixBreak | undefined;
  /** The size after a compaction. */
  readonly assessed?: KnownTokens['assessed'];
}

type Piece = Omit<ContextPart, 'cachedTokens'>;

/** The size of the window's contents: as counted, and how far estimates are off. */
export interface ContextMeasure {
  readonly usedTokens: number;
  /** Counted tokens for each estimated one. */
  readonly scale: number;
  /** The part of the last request that the vendor held. */
  readonly cachedTokens: number;
  readonly usage: Usage | undefined;
}

/** Measures what fills the window. */
export function measureContext(source: ContextSource): ContextMeasure {
  const { messages, model } = source;
  const estimated = fixedTokens(source) + estimateAll(messages);
  const usage = lastUsage(messages);
  const { usedTokens } = contextState(messages, model, {
    fixed: () => fixedTokens(source),
    assessed: source.assessed,
  });
  // Estimates are rarely off by more than this; larger differences must not be spread over the parts.
  const scale = Math.min(2, Math.max(0.5, estimated > 0 ? usedTokens / estimated : 1));
  return { usedTokens, scale, usage, cachedTokens: usage ? usage.cacheRead + usage.cacheWrite : 0 };
}

/** Reports what fills the window. */
export function contextReport(source: ContextSource): ContextReport {
  const { messages, model, prefixBreak } = source;
  const pieces = [...fixedPieces(source), ...messages.flatMap((message) => piecesOf(message, source.pins))];
  const estimated = pieces.reduce((sum, { tokens }) => sum + tokens, 0);
  const { usedTokens, scale, usage, cachedTokens } = measureContext(source);
  const other = Math.round(usedTokens - estimated * scale);
  const parts = gather(pieces, scale, cachedTokens);
  return {
    parts: other > 1 ? [...parts, { kind: 'other', name: '', tokens: other, cachedTokens: 0 }] : parts,
    usedTokens,
    isCounted: usage !== undefined,
    maxTokens: model.contextWindow,
    freeTokens: Math.max(0, model.contextWindow - usedTokens),
    reserveTokens: model.contextWindow - compactionThreshold(model.contextWindow, source.threshold),
    ...(usage ? { lastUsage: usage } : {}),
    ...(prefixBreak ? { prefixBreak } : {}),
  };
}

/** The largest parts, for an error about a window that is too full. */
export function largestParts({ parts }: ContextReport, count: number): string {
  const largest = [...parts].sort((a, b) => b.tokens - a.tokens).slice(0, count);
  return largest.map((part) => `${partName(part)} ~${part.tokens} tokens`).join(', ');
}

const kindNames: Readonly<Record<ContextPartKind, string>> = {
  tool: 'tool',
  system: 'system prompt',
  instructions: 'instructions',
  summary: 'summary',
  pins: 'pins',
  prompts: 'prompts',
  recalled: 'recalled',
  reminders: 'reminders',
  answers: 'answers',
  thinking: 'thinking',
  'tool-calls': 'tool calls',
  'tool-results': 'results of',
  other: 'counted by the model beyond the estimates',
};

/** The label of a part. */
export function partName({ kind, name }: Pick<ContextPart, 'kind' | 'name'>): string {
  return name === '' ? kindNames[kind] : `${kindNames[kind]} ${name}`;
}

/** Estimated tokens of every request besides the messages. */
export function fixedTokens(source: FixedSource): number {
  return fixedPieces(source).reduce((sum, { tokens }) => sum + tokens, 0);
}

type FixedSource = Pick<ContextSource, 'tools' | 'systemMessage' | 'instructions'>;

function fixedPieces({ tools, systemMessage, instructions }: FixedSource): Piece[] {
  const files = instructions.map(({ path, text }): Piece => {
    return { kind: 'instructions', name: path, tokens: tokensOfCharacters(text.length) };
  });
  const inFiles = instructions.reduce((sum, { text }) => sum + text.length, 0);
  const rest = tokensOfCharacters(Math.max(0, systemMessage.length - inFiles));
  return [...tools.map(toolPiece), { kind: 'system', name: '', tokens: rest }, ...files];
}

/** Cached, because tools never change and the status line asks often. */
const toolTokens = new WeakMap<AnyTool, number>();

function toolPiece(tool: AnyTool): Piece {
  const { name, description, input } = tool;
  const known = toolTokens.get(tool);
  const tokens =
    known ?? tokensOfCharacters(name.length + description.length + JSON.stringify(input.json).length);
  if (known === undefined) toolTokens.set(tool, tokens);
  return { kind: 'tool', name, tokens };
}

function piecesOf(message: Message, pins: readonly Pin[]): Piece[] {
  const tokens = estimateTokens(message);
  switch (message.role) {
    case 'tool':
      return [{ kind: 'tool-results', name: message.toolName, tokens }];
    case 'user':
      return userPieces(message, tokens, pins);
    case 'assistant': {
      const blocks = message.content.map((block): Piece => {
        const kind =
          block.type === 'thinking' ? 'thinking' : block.type === 'text' ? 'answers' : 'tool-calls';
        return { kind, name: '', tokens: estimateBlock(block) };
      });
      const around = tokens - blocks.reduce((sum, block) => sum + block.tokens, 0);
      return [{ kind: 'answers', name: '', tokens: around }, ...blocks];
    }
  }
}

function userPieces(
  message: Extract<Message, { role: 'user' }>,
  tokens: number,
  pins: readonly Pin[],
): Piece[] {
  const summary = summaryOf(message);
  if (summary !== undefined) {
    const isPinned = withoutVerbatim(summary) !== summary;
    const pinned = isPinned ? pins.reduce((sum, { text }) => sum + tokensOfCharacters(text.length), 0) : 0;
    const inPins = Math.min(tokens, pinned);
    return [
      { kind: 'summary', name: '', tokens: tokens - inPins },
      { kind: 'pins', name: '', tokens: inPins },
    ];
  }
  if (isBranchSummary(message)) return [{ kind: 'summary', name: 'of another branch', tokens }];
  const kinds = { pin: 'pins', recall: 'recalled', reminder: 'reminders' } as const;
  const { origin } = message;
  const isOurs = origin === 'pin' || origin === 'recall' || origin === 'reminder';
  return [{ kind: isOurs ? kinds[origin] : 'prompts', name: '', tokens }];
}

/** Adds up pieces of the same part. A cache holds a beginning, so it is filled from the first piece on. */
function gather(pieces: readonly Piece[], scale: number, cached: number): ContextPart[] {
  const parts = new Map<string, { piece: Piece; tokens: number; cached: number }>();
  let left = cached;
  for (const piece of pieces) {
    const key = `${piece.kind} ${piece.name}`;
    const part = parts.get(key) ?? { piece, tokens: 0, cached: 0 };
    const tokens = piece.tokens * scale;
    const fromCache = Math.min(tokens, left);
    left -= fromCache;
    parts.set(key, { piece, tokens: part.tokens + tokens, cached: part.cached + fromCache });
  }
  return [...parts.values()]
    .map(({ piece: { kind, name }, ...part }) => ({
      kind,
      name,
      tokens: Math.round(part.tokens),
      cachedTokens: Math.round(part.cached),
    }))
    .filter(({ tokens }) => tokens > 0);
}
