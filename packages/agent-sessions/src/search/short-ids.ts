import type { ListedSession } from './summary-cache.ts';

const shortest = 8;
const labelCharacters = 60;

/** The shortest beginnings that tell ids from one another, of eight characters at least. */
export function shortIds(ids: readonly string[]): ReadonlyMap<string, string> {
  const sorted = [...new Set(ids)].sort();
  return new Map(
    sorted.map((id, index) => {
      const shared = Math.max(sharedLength(id, sorted[index - 1]), sharedLength(id, sorted[index + 1]));
      const length = Math.max(shortest, shared + 1);
      // A beginning that ends with a dash looks like one that was cut off.
      return [id, id.slice(0, id[length - 1] === '-' ? length + 1 : length)];
    }),
  );
}

/** When a session was last used and what it is about, on one line. */
export function describeSession({ modified, name, firstPrompt }: ListedSession): string {
  return `${localTime(Date.parse(modified))}  ${labelOf({ name, firstPrompt })}`;
}

/** What a session is called: its name, else what it began with. */
export function labelOf({
  name,
  firstPrompt,
}: {
  name?: string | undefined;
  firstPrompt?: string | undefined;
}): string {
  const label = [...(name ?? firstPrompt ?? '(nothing was asked)')];
  return label.length > labelCharacters ? `${label.slice(0, labelCharacters - 1).join('')}…` : label.join('');
}

/** As `2026-01-31 14:05`, in the time of this place. */
export function localTime(timestamp: number): string {
  const local = new Date(timestamp - new Date(timestamp).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}

function sharedLength(a: string, b: string | undefined): number {
  if (b === undefined) return 0;
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
