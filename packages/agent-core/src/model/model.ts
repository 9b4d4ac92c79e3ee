import type { ModelRef } from '../message/model-ref.ts';
import type { Price } from '../message/usage.ts';
import type { CloudAccount } from './cloud-account.ts';

export const thinkingLevels = ['off', 'minimal', 'low', 'medium', 'high', 'xhigh'] as const;
export type ThinkingLevel = (typeof thinkingLevels)[number];

/** How a model calls tools: by its API, or in its text if it has no function calling. */
export const toolProtocols = ['native', 'xnl'] as const;
export type ToolProtocol = (typeof toolProtocols)[number];

/**
 * How thinking is requested. `budget`: a token budget; `effort`: a named effort; `adaptive`: on or off with an effort;
 * `none`: unsupported.
 */
export type ThinkingStyle = 'none' | 'budget' | 'effort' | 'adaptive' | 'always';

/** How a server is told to think, and how its thinking comes and goes back; documented in docs/models.md. */
export const thinkingFormats = [
  'openai',
  'openrouter',
  'deepseek',
  'zai',
  'qwen',
  'qwen-chat-template',
  'chat-template',
  'baseten',
  'together',
  'string-thinking',
  'ant-ling',
  'think-tags',
] as const;
export type ThinkingFormatName = (typeof thinkingFormats)[number];

/** Differences of OpenAI-compatible servers; names follow pi's `compat` if they mean the same. */
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
  readonly thinkingFormat?: ThinkingFormatName;
  /** The server program, which accepts extra fields. */
  readonly server?: 'llama.cpp' | 'lmstudio' | 'vllm';
  /** The server enforces the schemas of marked tools. */
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
  /** Default: native. */
  readonly toolProtocol?: ToolProtocol;
}

/** APIs that accept PDF documents. */
const documentApis: ReadonlySet<string> = new Set(['anthropic', 'google', 'openai-responses']);

/** True if a model accepts PDF documents, sent as an image of type `application/pdf`. */
export function takesDocuments({ images, api }: Pick<Model, 'images' | 'api'>): boolean {
  return images && documentApis.has(api);
}

/** Limits of an unknown model, in tokens. */
export const modelDefaults = { contextWindow: 128_000, maxOutput: 16_384 };

/** Default idle timeout after which an attempt ends as `stalled`. */
export const defaultIdleTimeoutMs = 120_000;

/** Address and credentials of a vendor's server. */
export interface Connection {
  readonly vendor: string;
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Required for plain http beyond loopback, because the key would be sent in clear text. */
  readonly allowInsecureHttp?: boolean;
  /** An attempt ends as `stalled` after this long without a byte; 0 means never. */
  readonly idleTimeoutMs?: number;
  /** How long a local server keeps the model in memory after an answer: `30m`, `-1` for ever. */
  readonly keepAlive?: string;
  /** Set if models are reached through a cloud account, which addresses and signs each request. */
  readonly account?: CloudAccount;
}
