import { explainFailure } from '../engine/explain-failure.ts';
import { failed, makeCall, type Plan } from '../engine/plan.ts';
import { parseCommand } from '../engine/tool-output.ts';
import type { Intent } from './intent.ts';
import { codeBlock } from './read-file.ts';
import { run } from './run-command.ts';

/** "what changed": what git says of the working tree. */
export const gitChangesIntent: Intent = {
  name: 'see what changed',
  examples: ['what changed', 'show the diff'],
  patterns: [
    'git status',
    'what (changed|has changed|is changed|did i change|did you change|have i changed|was changed)',
    '(show|list|see) [uncommitted] (changes|modifications|modified files|changed files)',
    '(show|see) git status',
  ],
  plan: () => status(),
};

export const gitDiffIntent: Intent = {
  name: 'see the diff',
  examples: [],
  patterns: ['(show|see) [git] diff', 'git diff', 'diff', 'review [uncommitted] (changes|diff|work)'],
  plan: () => run('git diff'),
};

export const gitLogIntent: Intent = {
  name: 'see recent commits',
  examples: ['show the recent commits'],
  patterns: [
    '(show|list|see) [(recent|last|latest)] (commits|history|log|git log)',
    'git log',
    'what were last commits',
    'what (changed|has changed|happened) (recently|lately|today|yesterday)',
    '(show|list|see) recent changes',
  ],
  plan: () => run('git log --oneline -20'),
};

function* status(): Plan {
  const command = 'git status --short --branch';
  const result = yield* makeCall('Bash', { command });
  if (result.denied) return failed(explainFailure('Bash', result, command));
  const { text, exitCode } = parseCommand(result);
  if (exitCode !== 0) return failed(`\`git status\` failed: ${text.trim()}`);
  const [branch = '', ...changes] = text.split('\n').filter((line) => line.trim() !== '');
  const on = `On branch ${branch.replace(/^## /, '').replace('...', ', tracking ')}`;
  if (changes.length === 0) return { text: `${on}: nothing changed since the last commit.` };
  return { text: `${on}; ${changes.length} changed:\n\n${codeBlock(changes.join('\n'))}` };
}
