import { expect, it } from 'vitest';
import { isContextOverflow } from './context-overflow.ts';

it.each([
  'prompt is too long: 213462 tokens > 200000 maximum',
  'input length and `max_tokens` exceed context limit: 188240 + 21333 > 200000',
  "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000 tokens.",
  'Your input exceeds the context window of this model. Please adjust your input and try again.',
  'The input token count (1196265) exceeds the maximum number of tokens allowed (1048575).',
  "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
  'Please reduce the length of the messages or completion.',
  'the request exceeds the available context size, try increasing it',
  'request (4041 tokens) exceeds the available context size (2048 tokens), try increasing it',
  'the prompt is longer than the context length currently available to the model; shorten the prompt',
  'The number of tokens to keep from the initial prompt is greater than the context length.',
  'prompt too long; exceeded max context length by 12 tokens',
  'the input length exceeds the context length',
  'length of prompt_tokens (40000) must be less than max_seq_len (32768)',
  'Total tokens of image and text exceed max message tokens',
  'Trying to keep the first 5000 tokens when the model is loaded with context length of only 4096 tokens',
])('recognises that a conversation is too long: %s', (text) => {
  expect(isContextOverflow(text)).toBe(true);
});

it.each([
  "This request would exceed your organization's rate limit of 40,000 input tokens per minute",
  'Rate limit reached: too many tokens, limit 30000 tokens per min',
  'Overloaded',
  'max_tokens: 100000 > 8192, which is the maximum allowed number of output tokens',
  '',
])('does not take other errors for it: %s', (text) => {
  expect(isContextOverflow(text)).toBe(false);
});
