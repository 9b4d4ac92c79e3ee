import { AgentError } from '@robota-sdk/agent-core';
import type { SessionTree } from '@robota-sdk/agent-sessions';

/** The start of the session, before all messages. */
const beginning = 'root';

/** Fewer characters of an id fit too much by chance. */
const shortestId = 4;

/** Finds an entry by the number of a prompt, an id or its prefix, or a label; null is the beginning. */
export function findEntry(tree: SessionTree, reference: string): string | null {
  const wanted = reference.trim();
  if (wanted === beginning) return null;
  if (tree.kindOf(wanted)) return wanted;
  if (/^\d+$/.test(wanted)) return findPrompt(tree, Number(wanted));
  const ids = [...tree.ids()];
  const labelled = ids.filter((id) => tree.labelOf(id) === wanted);
  const matches = labelled.length > 0 ? labelled : idsLike(wanted, ids);
  const [match, other] = matches;
  if (match !== undefined && other === undefined) return match;
  if (match === undefined)
    throw new AgentError('session', `No prompt, entry or label "${wanted}". /tree lists them.`);
  const choices = matches.slice(0, 5).join(', ');
  throw new AgentError('session', `"${wanted}" could be ${choices}. Give more of the id.`);
}

/** Everything that names an entry, for completion. */
export function entryNames(tree: SessionTree): string[] {
  const ids = [...tree.ids()];
  const labels = ids.flatMap((id) => tree.labelOf(id) ?? []);
  const numbers = [...tree.promptNumbers().values()].map(String);
  return [...new Set([...labels, ...numbers, ...ids])];
}

/** Why a text cannot be a label: it has another meaning. */
export function labelProblem(tree: SessionTree, label: string): string | undefined {
  if (/^\d+$/.test(label)) return 'A label cannot be a number: those are the numbers of prompts.';
  if ([beginning, 'all', 'label'].includes(label)) return `A label cannot be "${label}", a word of /tree.`;
  if (/(^|\s)--/.test(label)) return 'A label cannot contain a word that starts with --.';
  return tree.kindOf(label) ? `A label cannot be ${label}: that is the id of an entry.` : undefined;
}

function findPrompt(tree: SessionTree, number: number): string {
  const numbers = tree.promptNumbers();
  for (const [id, each] of numbers) if (each === number) return id;
  const { size } = numbers;
  const which = size === 0 ? 'there are none yet' : size === 1 ? 'there is only prompt 1' : undefined;
  throw new AgentError('session', `No prompt ${number}: ${which ?? `there are prompts 1 to ${size}`}.`);
}

function idsLike(wanted: string, ids: readonly string[]): readonly string[] {
  return wanted.length < shortestId ? [] : ids.filter((id) => id.startsWith(wanted.toLowerCase()));
}
