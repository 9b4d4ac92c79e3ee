import {
  pluralize,
  readApprovals,
  readOptions,
  saveProjectRules,
  userPaths,
} from '@robota-sdk/agent-sdk/front-end';
import { filterEscapes } from '@robota-sdk/agent-tui';
import { optionsOf, refuseWords } from '../arguments/row-options.ts';
import { projectPolicy } from './project-policy.ts';
import { type RuleSuggestion, suggestRules } from './suggest-rules.ts';

/** `robota permissions suggest`: rules that would have spared recent questions, ready to paste or to save. */
export async function suggestCommand(words: readonly string[]): Promise<number> {
  const options = readOptions(words, optionsOf('permissions', 'suggest'));
  refuseWords(options, 'robota permissions suggest');
  const { policy, config } = await projectPolicy(options);
  const { cwd } = policy.workspace;
  const approvals = await readApprovals(userPaths(config.host).approvals);
  const recent = options.has('all') ? approvals : approvals.filter((one) => one.cwd === cwd);
  const suggestions = await suggestRules(policy, recent);
  const rules = suggestions.map(({ rule }) => rule);
  if (options.has('save') && rules.length > 0) await saveProjectRules(cwd, rules, config.host);
  const text = options.has('json') ? JSON.stringify(suggestions) : describe(suggestions, recent.length);
  process.stdout.write(`${filterEscapes(text, { sequences: 'show' })}\n`);
  if (options.has('save') && rules.length > 0) {
    process.stdout.write(`Saved ${pluralize(rules.length, 'rule')} to .robota/settings.local.json.\n`);
  }
  return 0;
}

function describe(suggestions: readonly RuleSuggestion[], approvals: number): string {
  if (approvals === 0) return 'No suggestions: no permission prompts have been answered here yet.';
  if (suggestions.length === 0)
    return `All of your ${approvals} recorded approvals are covered by rules, or cannot be.`;
  const described = suggestions.map(({ rule, spared, examples, alsoAllows }) =>
    [
      `${rule}`,
      `  would have avoided ${pluralize(spared, 'prompt')}: ${examples.map((one) => `\`${one}\``).join(', ')}`,
      `  also allows: ${alsoAllows}`,
    ].join('\n'),
  );
  const paste = JSON.stringify({ permissions: { allow: suggestions.map(({ rule }) => rule) } }, null, 2);
  return [
    ...described,
    '',
    'To save them, add --save, or put this into .robota/settings.local.json:',
    paste,
  ].join('\n');
}
