import type { CallResult } from './plan.ts';

const flags: Readonly<Record<string, string>> = {
  Edit: '--permission-mode acceptEdits',
  Write: '--permission-mode acceptEdits',
  Bash: "--allow 'Bash(COMMAND)'",
};

/** Says plainly why a call brought nothing, and what would permit it if permission was the reason. */
export function explainFailure(tool: string, result: CallResult): string {
  const reason = result.text.replace(/^Permission denied:/, '').trim() || 'no reason given';
  if (!result.denied) return `${tool} failed: ${reason}`;
  const flag = flags[tool];
  const remedy = flag ? ` To permit it, answer yes when asked, or start with \`${flag}\`.` : '';
  return `${tool} was not permitted: ${withStop(reason)}${remedy}`;
}

function withStop(sentence: string): string {
  return /[.!?]$/.test(sentence) ? sentence : `${sentence}.`;
}
