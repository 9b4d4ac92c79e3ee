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
    help: 'Maximum number of agents running in parallel.',
  },
  'tasks.permissionPolicy': {
    shape: words(...taskPermissionPolicies),
    default: 'inherit-allowlist',
    project: 'never',
    help: 'Handling of background agent calls that no rule allows.',
  },
  'tasks.idleTimeoutMs': {
    shape: amount,
    default: 15 * 60_000,
    project: 'never',
    help: 'Stop an agent after this many milliseconds without output; 0 disables the limit.',
  },
  'tasks.maxRuntimeMs': {
    shape: amount,
    default: 4 * 60 * 60_000,
    project: 'never',
    help: 'Stop an agent after this many milliseconds; 0 disables the limit.',
  },
  'tasks.outputLimitBytes': {
    shape: amount,
    default: 8 * 1024 * 1024,
    project: 'never',
    help: 'Stop an agent after this many bytes of output; 0 disables the limit.',
  },
  'tasks.maxTextDeltas': {
    shape: amount,
    default: 500_000,
    project: 'never',
    help: 'Stop an agent after this many text deltas; 0 disables the limit.',
  },
  'tasks.repetitionWindow': {
    shape: amount,
    default: 4000,
    project: 'never',
    help: 'Number of recent characters checked for repetition; 0 disables the check.',
  },
  'tasks.repetitionThreshold': {
    shape: amount,
    default: 20,
    project: 'never',
    help: 'Number of repetitions that stop an agent.',
  },
  'compaction.enabled': {
    shape: flag,
    default: defaultCompaction.enabled,
    live: true,
    help: 'Compact the conversation before the context window is full.',
  },
  'compaction.ratio': {
    shape: ratio,
    default: defaultCompaction.ratio,
    live: true,
    help: 'Fraction of the context window to use before compacting.',
  },
  'compaction.reserveTokens': {
    shape: amount,
    default: defaultCompaction.reserveTokens,
    live: true,
    help: 'Tokens reserved for the answer.',
  },
  'compaction.keepRecentTokens': {
    shape: amount,
    default: defaultCompaction.keepRecentTokens,
    live: true,
    help: 'Recent tokens to keep unchanged.',
  },
  'compaction.model': { shape: text, project: 'model', help: 'Model that writes summaries.' },
  'compaction.models': {
    shape: compactionByModel,
    default: {},
    live: true,
    help: 'Compaction settings by model: vendor/id or ID.',
  },
});
