import { countAt, type JsonObject, objectAt, objectsAt, type Usage } from '@robota-sdk/agent-core';

/** The usage a chunk reports, wherever the vendor puts it; undefined where there is none. */
export function chatUsage(chunk: JsonObject): Usage | undefined {
  const usage =
    objectAt(chunk, 'usage') ??
    objectAt(objectsAt(chunk, 'choices')[0], 'usage') ??
    objectAt(objectAt(chunk, 'x_groq'), 'usage');
  return usage && readUsage(usage);
}

function readUsage(usage: JsonObject): Usage {
  const details = objectAt(usage, 'prompt_tokens_details');
  const prompt = countAt(usage, 'prompt_tokens');
  const cacheRead =
    countAt(details, 'cached_tokens') ||
    countAt(usage, 'prompt_cache_hit_tokens') ||
    countAt(usage, 'cached_tokens');
  const cacheWrite = countAt(details, 'cache_write_tokens');
  const reasoning = countAt(objectAt(usage, 'completion_tokens_details'), 'reasoning_tokens');
  const completion = countAt(usage, 'completion_tokens');
  // Most count thinking as completion; where the total shows that it was left out, it is added.
  const isLeftOut = reasoning > 0 && countAt(usage, 'total_tokens') === prompt + completion + reasoning;
  return {
    input: Math.max(0, prompt - cacheRead - cacheWrite),
    output: completion + (isLeftOut ? reasoning : 0),
    cacheRead,
    cacheWrite,
    ...(reasoning > 0 ? { reasoning } : {}),
  };
}
