import { count, flag, text } from '@robota-sdk/agent-core';
import { rows } from './option-row.ts';

/** Settings of models on this machine. */
export const localRows = rows({
  discoverModels: {
    shape: flag,
    default: true,
    project: 'never',
    help: 'Ask servers on this machine, and servers with an address of your own, which models they have and how much fits them.',
  },
  'local.contextWindow': {
    shape: count,
    default: 32_768,
    project: 'never',
    help: 'Tokens that Ollama makes room for (num_ctx), where neither models.json nor the model has another number.',
  },
  'local.keepAlive': {
    shape: text,
    default: '30m',
    project: 'never',
    help: 'How long Ollama keeps a model in memory after an answer: 30m, 1h, 0 for not at all, -1 for ever.',
  },
});
