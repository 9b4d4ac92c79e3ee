import { count, flag, text } from '@robota-sdk/agent-core';
import { rows } from './option-row.ts';

/** Settings of models on this machine. */
export const localRows = rows({
  discoverModels: {
    shape: flag,
    default: true,
    project: 'never',
    help: 'Ask local and custom servers for their models and context windows.',
  },
  'local.contextWindow': {
    shape: count,
    default: 32_768,
    project: 'never',
    help: 'Context window of Ollama (num_ctx) unless models.json or the model defines one.',
  },
  'local.keepAlive': {
    shape: text,
    default: '30m',
    project: 'never',
    help: 'How long Ollama keeps a model in memory: 30m, 1h, 0 to unload it, -1 forever.',
  },
});
