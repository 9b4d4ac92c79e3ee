import type { IExecutionResult } from '@robota-sdk/agent-sdk/front-end';

/** Tokens of a run or a message, as clients of Anthropic's API read them. */
export interface ApiUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cache_read_input_tokens: number;
  readonly cache_creation_input_tokens: number;
  readonly cache_creation: Readonly<
    Record<'ephemeral_5m_input_tokens' | 'ephemeral_1h_input_tokens', number>
  >;
  readonly server_tool_use: Readonly<Record<'web_search_requests' | 'web_fetch_requests', number>>;
  readonly service_tier: 'standard';
}

/** Tokens under the names of Anthropic's API; fields that clients expect and other vendors do not report are zero. */
export function apiUsage(
  { input, output, cacheRead, cacheWrite }: IExecutionResult['usage'],
  searches = 0,
): ApiUsage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_read_input_tokens: cacheRead,
    cache_creation_input_tokens: cacheWrite,
    cache_creation: { ephemeral_5m_input_tokens: cacheWrite, ephemeral_1h_input_tokens: 0 },
    server_tool_use: { web_search_requests: searches, web_fetch_requests: 0 },
    service_tier: 'standard',
  };
}
