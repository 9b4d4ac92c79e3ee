import type { ModelRef } from '../message/model-ref.ts';
import type { Price } from '../message/usage.ts';
import type { CloudAccount } from './cloud-account.ts';

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];

/** How a model calls tools: by its API, or in its text, for models without function calling. */
export const toolProtocols = ['native', 'xnl'] as const;
export type ToolProtocol = (typeof toolProtocols)[number];

/**
 * How a model is told to think.
 * `budget`: a token budget; `effort`: a named effort; `adaptive`: on or off with an effort; `none`: it can't.
 */
export type ThinkingStyle = 'none' | 'budget' | 'effort' | 'adaptive' | 'always';

/** Ways in which OpenAI-compatible servers differ; names follow pi's `compat` where they are the same thing. */
export interface Compat {
  readonly supportsTools?: boolean;
  readonly supportsDeveloperRole?: boolean;
  readonly supportsStore?: boolean;
  readonly supportsReasoningEffort?: boolean;
  readonly reasoningEffortMap?: Readonly<Partial<Record<ThinkingLevel, string>>>;
  readonly supportsUsageInStreaming?: boolean;
  readonly maxTokensField?: 'max_tokens' | 'max_completion_tokens';
  readonly requiresToolResultName?: boolean;
  readonly requiresAssistantAfterToolResult?: boolean;
  readonly requiresThinkingAsText?: boolean;
  readonly supportsStrictMode?: boolean;
  readonly thinkingFormat?: string;
  /** The program that serves it, which takes fields of its own. */
  readonly server?: 'llama.cpp' | 'lmstudio' | 'vllm';
  /** The server keeps calls within the schemas of tools that are marked. */
  readonly enforcesTools?: boolean;
}

/** One model as the catalogue or the user's `models.json` describes it. */
export interface Model extends ModelRef {
  /** The display name: "Claude Sonnet 4.6". */
  readonly name: string;
  readonly contextWindow: number;
  readonly maxOutput: number;
  readonly images: boolean;
  readonly thinking: ThinkingStyle;
  readonly price?: Price;
  readonly compat?: Compat;
  /** Native unless given. */
  readonly toolProtocol?: ToolProtocol;
}

/** APIs by which PDF documents can be sent. */
const documentApis: ReadonlySet<string> = new Set(['anthropic', 'google', 'openai-responses']);

/** True if a model takes PDF documents, which stand in a message as an image of the type `application/pdf`. */
export function takesDocuments({ images, api }: Pick<Model, 'images' | 'api'>): boolean {
  return images && documentApis.has(api);
}

/** Capacity of a model of which nothing is known, in tokens. */
export const modelDefaults = { contextWindow: 128_000, maxOutput: 16_384 };

/** Silence of a server after which an attempt ends as `stalled`, unless the connection says otherwise. */
export const defaultIdleTimeoutMs = 120_000;

/** Address and credentials of a vendor's server. */
export interface Connection {
  readonly vendor: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A plain-http base URL beyond loopback would send the key in clear text; it needs this. */
  readonly allowInsecureHttp?: boolean;
  /** No byte for this long ends the attempt as `stalled`. */
  readonly idleTimeoutMs?: number;
  /** How long a server on this machine keeps the model in memory after an answer: `30m`, `-1` for ever. */
  readonly keepAlive?: string;
  /** Set where models are reached by an account of a cloud: it decides the address of each request, and signs it. */
  readonly account?: CloudAccount;
}
