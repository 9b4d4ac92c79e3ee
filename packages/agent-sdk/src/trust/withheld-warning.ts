import { type TrustItem, trustKinds } from './trust-item.ts';

const longestLine = 200;

/** Names what was left out of a project and how to agree to it. */
export function withheldWarning(items: readonly TrustItem[]): string {
  const lines = items.map(({ kind, name, content, source }) => {
    const shown = content === name ? name : `${name}: ${content}`;
    return `  ${trustKinds[kind]} ${oneLine(shown)} (${source})`;
  });
  return [
    'This project is not trusted, so these were left out (--trust-project lets them count for one run; in a terminal you are asked):',
    ...lines,
  ].join('\n');
}

/** Nothing of a repository may look like a line of ours, or hide what it says. */
function oneLine(text: string): string {
  const visible = text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
  return visible.length > longestLine ? `${visible.slice(0, longestLine - 1)}…` : visible;
}
