import { oneLine } from './one-line.ts';
import { type TrustItem, trustKinds } from './trust-item.ts';

const longestLine = 200;

/** Names what was left out of a project and how to agree to it. */
export function withheldWarning(items: readonly TrustItem[]): string {
  const lines = items.map(({ kind, name, content, source }) => {
    const shown = content === name ? name : `${name}: ${content}`;
    return `  ${trustKinds[kind]} ${shortened(oneLine(shown))} (${source})`;
  });
  return [
    'This project is not trusted, so these were left out (--trust-project lets them count for one run; in a terminal you are asked):',
    ...lines,
  ].join('\n');
}

function shortened(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
}
