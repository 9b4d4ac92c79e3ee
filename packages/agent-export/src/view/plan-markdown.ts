import type { Display } from '@robota-sdk/agent-core';

/** A plan, followed by the user's comments as a quotation. */
export function planMarkdown({ text, comments }: Extract<Display, { kind: 'plan' }>): string {
  if (comments === undefined) return text;
  return `${text.trimEnd()}\n\n${comments.trim().replace(/^/gm, '> ')}`;
}
