import { AgentError } from '@robota-sdk/agent-core';
import type { SessionTree } from '@robota-sdk/agent-sessions';

/** The beginning of the session, before everything that was said. */
const beginning = 'root';

/** The number of each prompt, in the order in which they were given; new ones never change it. */
export function promptNumbers(tree: SessionTree): ReadonlyMap<string, number> {
  const numbers = new Map<string, number>();
  for (const id of tree.ids()) if (tree.kindOf(id) === 'prompt') numbers.set(id, numbers.size + 1);
  return numbers;
}

/** The entry a person means by its id or the beginning of one, the number of a prompt, or a label; null is the beginning. */
export function findEntry(tree: SessionTree, reference: string): string | null {
  const wanted = reference.trim();
  if (wanted === beginning) return null;
  if (tree.kindOf(wanted)) return wanted;
  if (/^\d{1,6}$/.test(wanted)) {
    const number = Number(wanted);
    for (const [id, each] of promptNumbers(tree)) if (each === number) return id;
  }
  const ids = [...tree.ids()];
  const labelled = ids.filter((id) => tree.labelOf(id) === wanted);
  const matches =
    labelled.length > 0 ? labelled : ids.filter((id) => wanted !== '' && id.startsWith(wanted.toLowerCase()));
  const [match, other] = matches;
  if (match !== undefined && other === undefined) return match;
  if (match === undefined)
    throw new AgentError(
      'session',
      `There is no prompt, entry or label "${wanted}" here. /tree shows what there is.`,
    );
  throw new AgentError(
    'session',
    `"${wanted}" could be ${matches.slice(0, 5).join(', ')}. Give more of the id.`,
  );
}

/** Everything that names an entry, for completion. */
export function entryNames(tree: SessionTree): string[] {
  const ids = [...tree.ids()];
  const labels = ids.flatMap((id) => tree.labelOf(id) ?? []);
  const numbers = [...promptNumbers(tree).values()].map(String);
  return [...new Set([...labels, ...numbers, ...ids])];
}
