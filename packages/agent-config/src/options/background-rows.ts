import { amount, count, flag, text, words } from '@robota-sdk/agent-core';
import { defaultCompaction } from '@robota-sdk/agent-sessions';
import { rows } from './option-row.ts';
import { compactionByModel, ratio } from './setting-shapes.ts';

/**
 * Handling of calls of a background agent that no rule allows. `inherit-allowlist`: the user is asked, if there
 * is one, else they are denied. `preapproved`: denied without a question. `prompt`: as the first, whatever mode the session
 * is in. `deny`: it may only read. It never may more than its session.
 */
const taskPermissionPolicies = ['inherit-allowlist', 'preapproved', 'prompt', 'deny'] as const;

/** Settings of agents in the background and of compaction. */
export const backgroundRows = rows({
  'tasks.maxConcurrent': {
    shape: count,
    default: 4,
    project: 'never',
    help: 'Agents at work at the same time; more wait.',
  },
  'tasks.permissionPolicy': {
    shape: words(...taskPermissionPolicies),
    default: 'inherit-allowlist',
    project: 'never',
    help: 'What happens to calls of an agent in the background that no rule allows.',
  },
  'tasks.idleTimeoutMs': {
    shape: amount,
    default: 15 * 60_000,
    project: 'never',
    help: 'An agent from which nothing comes for so long is stopped; 0 switches the limit off.',
  },
  'tasks.maxRuntimeMs': {
    shape: amount,
    default: 4 * 60 * 60_000,
    project: 'never',
    help: 'An agent that works for longer is stopped; 0 switches the limit off.',
  },
  'tasks.outputLimitBytes': {
    shape: amount,
    default: 8 * 1024 * 1024,
    project: 'never',
    help: 'An agent that writes more is stopped; 0 switches the limit off.',
  },
  'tasks.maxTextDeltas': {
    shape: amount,
    default: 500_000,
    project: 'never',
    help: 'An agent that writes more pieces of text is stopped; 0 switches the limit off.',
  },
  'tasks.repetitionWindow': {
    shape: amount,
    default: 4000,
    project: 'never',
    help: 'Characters in which an agent must not repeat itself; 0 switches the limit off.',
  },
  'tasks.repetitionThreshold': {
    shape: amount,
    default: 20,
    project: 'never',
    help: 'How often it must not say the same there.',
  },
  'compaction.enabled': {
    shape: flag,
    default: defaultCompaction.enabled,
    live: true,
    help: 'Shorten the conversation before the window is full.',
  },
  'compaction.ratio': {
    shape: ratio,
    default: defaultCompaction.ratio,
    live: true,
    help: 'The part of the window that may be used.',
  },
  'compaction.reserveTokens': {
    shape: amount,
    default: defaultCompaction.reserveTokens,
    live: true,
    help: 'Tokens that stay free for the answer.',
  },
  'compaction.keepRecentTokens': {
    shape: amount,
    default: defaultCompaction.keepRecentTokens,
    live: true,
    help: 'Tokens at the end that stay word for word.',
  },
  'compaction.model': { shape: text, project: 'model', help: 'The model that writes summaries.' },
  'compaction.models': {
    shape: compactionByModel,
    default: {},
    live: true,
    help: 'The same for single models, by vendor/id or id.',
  },
});
