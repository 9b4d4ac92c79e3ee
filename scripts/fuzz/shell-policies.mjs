/** Builtins that a user may have allowed with any arguments. */
const builtins =
  '. : [ cd compgen complete declare echo eval exec export getopts hash let local ls mapfile printf read readonly ' +
  'set source test trap typeset unset wait';

/**
 * Modes and rules under which no line may run `boom` without a question.
 * @type {readonly { readonly name: string, readonly mode: import('@robota-sdk/agent-core').PermissionMode, readonly rules: import('@robota-sdk/agent-core').RuleTexts, readonly runsAnything?: true }[]}
 */
export const shellPolicies = [
  { name: 'default mode', mode: 'default', rules: {} },
  { name: 'plan mode', mode: 'plan', rules: {} },
  { name: 'acceptEdits', mode: 'acceptEdits', rules: {} },
  {
    name: 'wildcard rules',
    mode: 'default',
    rules: { allow: ['Bash(echo:*)', 'Bash(npm test *)', 'Bash(git *)', 'Edit', 'Write'] },
  },
  {
    name: 'wildcard rules for builtins',
    mode: 'acceptEdits',
    rules: { allow: builtins.split(' ').map((name) => `Bash(${name} *)`) },
  },
  {
    name: 'bypassPermissions with a deny rule',
    mode: 'bypassPermissions',
    rules: { deny: ['Bash(boom:*)'] },
    runsAnything: true,
  },
  {
    name: 'bypassPermissions with an ask rule',
    mode: 'bypassPermissions',
    rules: { ask: ['Bash(boom:*)'] },
    runsAnything: true,
  },
  {
    name: 'all of Bash with a deny rule',
    mode: 'default',
    rules: { allow: ['Bash'], deny: ['Bash(boom *)'] },
    runsAnything: true,
  },
];
