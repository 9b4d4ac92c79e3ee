import { endSentence } from '@robota-sdk/agent-core';
import type { CallResult } from './plan.ts';
import { shellQuote } from './shell-quote.ts';

/** Reasons that an approval or a rule removes. A deny rule, plan mode, a hook and the user's own no are not among them. */
const onlyNeedsApproval = /^No rule allows|^`[^`]*` isn't read-only, and|: no rule allows it\./;

/** Says plainly why a call brought nothing, and what would permit it if permission was the reason. */
export function explainFailure(tool: string, result: CallResult, command?: string): string {
  const reason = result.text.replace(/^Permission denied:/, '').trim() || 'no reason given';
  if (!result.denied) return `${tool} failed: ${reason}`;
  const flag = onlyNeedsApproval.test(reason) ? flagFor(tool, command) : undefined;
  const remedy = flag ? ` Approve it when asked, or start with \`${flag}\`.` : '';
  return `${tool} was not permitted: ${endSentence(reason)}${remedy}`;
}

function flagFor(tool: string, command: string | undefined): string | undefined {
  if (tool === 'Edit' || tool === 'Write') return '--permission-mode acceptEdits';
  return command === undefined ? undefined : `--allow ${shellQuote(`Bash(${command})`)}`;
}
