/** Vendors' phrases for a conversation that is too long, taken from their answers. */
const overflowPhrases = [
  'prompt is too long', // anthropic
  'input is too long',
  'exceed context limit', // anthropic: input length and max_tokens
  'request_too_large', // anthropic
  'context_length_exceeded', // openai
  'maximum context length', // openai, deepseek, openrouter, mistral
  'exceeds the context window', // openai responses
  'input token count', // google: exceeds the maximum number of tokens
  'maximum prompt length', // xai
  'reduce the length of the messages', // groq
  'too large for model with', // mistral
  'exceeds the available context size', // llama.cpp
  'greater than the context length', // lmstudio
  'context window exceeds limit',
  'exceeded model token limit',
  'token limit exceeded',
  'context size has been exceeded', // lmstudio
  'too many tokens',
  'exceeded max context length', // ollama
  'exceeds the context length', // ollama
  'longer than the context length', // ollama
  'max_seq_len', // siliconflow
  'max message tokens', // bytedance
  'loaded with context length', // lmstudio
];

/** True if an error text says that the conversation is too long for the model. */
export function isContextOverflow(text: string): boolean {
  const lower = text.toLowerCase();
  if (lower.includes('rate limit') || lower.includes('tokens per min')) return false;
  return overflowPhrases.some((phrase) => lower.includes(phrase));
}
