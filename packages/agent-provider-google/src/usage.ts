import type { JsonObject, Usage } from '@robota-sdk/agent-core';

/** Google counts cached tokens into the prompt and thoughts beside the answer; `Usage` wants it the other way. */
export function usageOf(metadata: JsonObject): Usage {
  const count = (name: string): number => {
    const value = metadata[name];
    return typeof value === 'number' && value > 0 ? value : 0;
  };
  const cacheRead = count('cachedContentTokenCount');
  const reasoning = count('thoughtsTokenCount');
  return {
    input: Math.max(0, count('promptTokenCount') - cacheRead) + count('toolUsePromptTokenCount'),
    output: count('candidatesTokenCount') + reasoning,
    cacheRead,
    cacheWrite: 0,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
