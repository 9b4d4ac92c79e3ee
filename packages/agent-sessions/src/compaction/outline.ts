import type { Message } from '@robota-sdk/agent-core';
import { isRequest } from '../entry/is-request.ts';
import { summaryOf } from '../entry/summary-message.ts';
import { itemTitles } from './item-titles.ts';
import { withoutFileLists } from './touched-files.ts';
import { withoutVerbatim } from './verbatim.ts';

/** Notes on a conversation without a model that could write some: what was asked, and how each answer began. */
export function outlineOf(messages: readonly Message[]): string {
  const titles = itemTitles(messages);
  const earlier = messages.map(summaryOf).findLast((summary) => summary !== undefined);
  const said = messages.filter((message) => isRequest(message) || message.role === 'assistant');
  const lines = said.map(({ id }) => `- ${titles.get(id)}`);
  const before = earlier === undefined ? [] : [withoutFileLists(withoutVerbatim(earlier))];
  return [...before, `## What was said\n${lines.join('\n')}`].join('\n\n');
}
