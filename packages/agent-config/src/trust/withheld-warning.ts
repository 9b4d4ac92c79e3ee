import { type Problem, shorten, warning } from '@robota-sdk/agent-core';
import { escapedLine } from '../file/escaped-line.ts';
import { kindText, type TrustItem } from './trust-item.ts';

const longestLine = 200;
const longestSummaryItem = 60;
const summaryItems = 5;

/** Names the withheld items of a project and how to trust them; the first line is a summary. */
export function withheldProblem(items: readonly TrustItem[]): Problem {
  const details = items.flatMap(({ kind, name, content, source, before }) => {
    const place = before ? `${source}; it has changed since you approved it` : source;
    // Its content is a report of ours, in which nothing of the repository can begin a line.
    if (kind === 'plugin') {
      const below = content.split('\n').map((line) => `    ${shorten(escapedLine(line), longestLine)}`);
      return [`  ${kindText({ kind, name })} ${escapedLine(name)} (${place})`, ...below];
    }
    // The fields of a server stand on lines of their own.
    const text = kind === 'mcp-server' ? content.replaceAll(/\n(?=\w+: )/g, '; ') : content;
    const shown = content === name ? name : `${name}: ${text}`;
    return [`  ${kindText({ kind, name })} ${shorten(escapedLine(shown), longestLine)} (${place})`];
  });
  const text = 'Use --trust-project for one run, or review them in a session';
  return warning('trust.withheld', summaryOf(items), {
    hint: { text, run: [] },
    details,
    values: { count: items.length },
    isInactive: true,
  });
}

function summaryOf(items: readonly TrustItem[]): string {
  const names = items.slice(0, summaryItems).map(({ kind, name, content }) => {
    const detail = kind === 'hook' ? ` (${brief(content)})` : '';
    return `${kindText({ kind, name })} ${brief(name)}${detail}`;
  });
  const more = items.length > summaryItems ? [`${items.length - summaryItems} more`] : [];
  const subject =
    items.length === 1 ? '1 item of this project is' : `${items.length} items of this project are`;
  return `${subject} not trusted and not in force: ${[...names, ...more].join(', ')}.`;
}

function brief(text: string): string {
  return shorten(escapedLine(text), longestSummaryItem);
}
