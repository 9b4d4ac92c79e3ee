import { shortLine } from '@robota-sdk/agent-core';
import { countText } from '../engine/folder-summary.ts';
import type { PlanAnswer } from '../engine/plan.ts';

const mostRequests = 20;
const mostCalls = 40;
const longestRow = 200;

/** True if a text is the record of a conversation to summarize. */
export function isRecord(text: string): boolean {
  return /^## User\n/m.test(text);
}

/** Sums a conversation up by extraction: what was asked, word for word, and which calls were made. */
export function summarizeRecord(attached: readonly string[]): PlanAnswer {
  const record = attached.filter(isRecord).join('\n');
  const earlier = attached.filter((text) => !isRecord(text)).map((text) => text.trim());
  const requests = [...record.matchAll(/^## User\n([\s\S]*?)(?=\n## |$(?![\s\S]))/gm)].map(
    ([, text = '']) => text,
  );
  const calls = [...record.matchAll(/^-> (.+)$/gm)].map(([, text = '']) => text);
  const text = [
    ...earlier,
    '## Goal',
    ...rows(requests.slice(-mostRequests)),
    '## Progress',
    `${countText(calls.length, 'tool call')} made; the last of them:`,
    ...rows(calls.slice(-mostCalls)),
  ];
  return { text: text.join('\n') };
}

function rows(texts: readonly string[]): readonly string[] {
  if (texts.length === 0) return ['none'];
  return texts.map((text) => `- ${shortLine(text, longestRow)}`);
}
