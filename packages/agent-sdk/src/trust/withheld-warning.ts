import { oneLine } from './one-line.ts';
import { kindText, type TrustItem } from './trust-item.ts';

const longestLine = 200;

/** Names what was left out of a project and how to agree to it. */
export function withheldWarning(items: readonly TrustItem[]): string {
  const lines = items.flatMap(({ kind, name, content, source, isChanged }) => {
    const place = isChanged ? `${source}; it has changed since you agreed to it` : source;
    // Its content is a report of ours, in which nothing of the repository can begin a line.
    if (kind === 'plugin') {
      const below = content.split('\n').map((line) => `    ${shortened(oneLine(line))}`);
      return [`  ${kindText({ kind, name })} ${oneLine(name)} (${place})`, ...below];
    }
    // The fields of a server stand on lines of their own.
    const text = kind === 'mcp-server' ? content.replaceAll(/\n(?=\w+: )/g, '; ') : content;
    const shown = content === name ? name : `${name}: ${text}`;
    return [`  ${kindText({ kind, name })} ${shortened(oneLine(shown))} (${place})`];
  });
  return [
    'This project is not trusted, so these were left out (--trust-project lets them count for one run; in a terminal you are asked):',
    ...lines,
  ].join('\n');
}

function shortened(text: string): string {
  return text.length > longestLine ? `${text.slice(0, longestLine - 1)}…` : text;
}
